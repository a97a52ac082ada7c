"""What an English page may not hold, because its translation could not be safe or right.

Besides, every message must pass as its own translation: see `lint_source`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.model import Finding
from polytab.pages.markdown.messages import SourcePage, source_page
from polytab.translations.rules.lint import lint_message
from polytab.translations.rules.message import Message
from polytab.translations.rules.pair import quoted
from polytab.translations.rules.structure import structure

if TYPE_CHECKING:
    from pathlib import Path

_EXTERNAL = re.compile(r"(?:https?|ftp|mailto|inv):")
_ALONE = ["paragraph_open", "inline", "paragraph_close"]


@dataclass(frozen=True)
class Complaint:
    """One complaint of a page, at its line."""

    line: int
    text: str


PageRule = Callable[[SourcePage], Iterator[Complaint]]


def anchor_link(page: SourcePage) -> Iterator[Complaint]:
    """Link to a part of a page by label; of two such links, a translation keeps the last.

    Bad:  See [the start](compilers.md#start).
    Bad:  See [](#start).
    Good: See {ref}`the start <start>`.
    """
    for passage in page.passages:
        for address in passage.structure.values("link"):
            if "#" in address and not _EXTERNAL.match(address):
                text = f"write a label and {{ref}} for the link {quoted(address)}"
                yield Complaint(passage.line, text)


def block_html(page: SourcePage) -> Iterator[Complaint]:
    """Write no HTML; nobody can translate what is in it.

    Bad:  <div>One.</div>
    Good: One.
    """
    for each in page.untranslatable:
        if each.kind == "html_block":
            yield Complaint(each.line, "write Markdown or a directive for this HTML")


def page_substitution(page: SourcePage) -> Iterator[Complaint]:
    """Define and use no substitutions: they are templates that run code.

    Bad:  ---↵myst:↵  substitutions:↵    x: y↵---↵↵Text.
    Bad:  {{ x }}
    Good: Text.
    """
    for each in page.untranslatable:
        if each.kind in {"substitutions", "substitution_block"}:
            yield Complaint(each.line, "write the text where it is used, with no substitution")


def stands_alone(page: SourcePage) -> Iterator[Complaint]:
    r"""Let every message mean alone what it means in its page; that is how it is translated.

    Bad:  # 1. Start
    Bad:  One\↵two.
    Bad:  See [the start][s].↵↵[s]: https://example.org
    Good: # Start
    """
    for passage in page.passages:
        alone = structure(passage.text)
        same = alone.parts == passage.structure.parts
        if not same or [block.kind for block in alone.blocks] != _ALONE:
            yield Complaint(
                passage.line,
                f"{quoted(passage.text)} means something else outside of its page: begin it with "
                "a word, break no line in it, and write addresses where the links are",
            )


SOURCE: tuple[PageRule, ...] = (anchor_link, block_html, page_substitution, stands_alone)
"""What an English page may not hold."""


def lint_source(path: Path) -> Iterator[Finding]:
    """Check an English page: its own rules, and each message as its own translation."""
    try:
        page = source_page(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        yield Finding(path, None, "encoding", f"save the page as UTF-8: {error.reason}")
        return
    for rule in SOURCE:
        for complaint in rule(page):
            yield Finding(path, complaint.line, rule.__name__.replace("_", "-"), complaint.text)
    for passage in page.passages:
        yield from lint_message(Message(passage.text, passage.text, path, passage.line, "en"))
