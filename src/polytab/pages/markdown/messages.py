"""A page as its messages: what Sphinx will extract from it, each with its line.

Held to Sphinx's own extraction by tests/pages/markdown/test_messages.py. Arguments of directives,
such as the title of an admonition, are not read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.pages.markdown.walk import walk
from polytab.translations.rules.structure import Structure, inline

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUBSTITUTIONS = re.compile(r"\bsubstitutions\s*:")
_MARKED = ("html_block", "substitution_block")


@dataclass(frozen=True)
class Passage:
    """A paragraph, heading, term or cell of a page: what becomes one message."""

    text: str
    line: int
    structure: Structure


@dataclass(frozen=True)
class Untranslatable:
    """Something that is no message, but that no page with translations may have."""

    kind: str
    line: int


@dataclass(frozen=True)
class SourcePage:
    """An English page, as far as it is translated."""

    passages: tuple[Passage, ...]
    untranslatable: tuple[Untranslatable, ...]


def source_page(text: str) -> SourcePage:
    """Read a page, and what stands in its directives."""
    read = tuple(_read(text))
    return SourcePage(
        tuple(each for each in read if isinstance(each, Passage)),
        tuple(each for each in read if isinstance(each, Untranslatable)),
    )


def _read(text: str) -> Iterator[Passage | Untranslatable]:
    for block in walk(text):
        token = block.token
        if token.type == "inline" and token.content.strip():
            extracted = token.content.replace("\n", " ").strip()  # as Sphinx does
            yield Passage(extracted, block.line, inline(token.children or ()))
        elif token.type in _MARKED:
            yield Untranslatable(token.type, block.line)
        elif token.type == "front_matter" and _SUBSTITUTIONS.search(token.content):
            yield Untranslatable("substitutions", block.line)
