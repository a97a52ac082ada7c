"""A page as its messages: what Sphinx will extract from it, each with its line.

Held to Sphinx's own extraction by tests/pages/markdown/test_messages.py. Arguments of directives,
such as the title of an admonition, are not read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.translations.rules.structure import Structure, inline, tokenise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

LITERAL_DIRECTIVES = frozenset(
    {"code", "code-block", "eval-rst", "literalinclude", "math", "raw", "sourcecode", "toctree"}
)
"""Directives whose body is no Markdown."""

_DIRECTIVE = re.compile(r"\{(?P<name>[^}\s]+)\}")
_OPTION = re.compile(r":[\w-]+:(\s.*)?")
_SUBSTITUTIONS = re.compile(r"\bsubstitutions\s*:")
_MARKED = ("html_block", "substitution_block")


@dataclass(frozen=True)
class Passage:
    """A paragraph, heading, term or cell of a page: what becomes one message."""

    text: str
    line: int
    structure: Structure


@dataclass(frozen=True)
class Place:
    """Something that is no message, but that no page with translations may have."""

    kind: str
    line: int


@dataclass(frozen=True)
class SourcePage:
    """An English page, as far as it is translated."""

    passages: tuple[Passage, ...]
    places: tuple[Place, ...]


def source_page(text: str) -> SourcePage:
    """Read a page, and what stands in its directives."""
    read = tuple(_read(text, 1))
    return SourcePage(
        tuple(each for each in read if isinstance(each, Passage)),
        tuple(each for each in read if isinstance(each, Place)),
    )


def _read(text: str, first: int) -> Iterator[Passage | Place]:
    line = first
    for token in tokenise(text, {}):
        line = first + token.map[0] if token.map else line
        if token.type == "inline" and token.content.strip():
            extracted = token.content.replace("\n", " ").strip()  # as Sphinx does
            yield Passage(extracted, line, inline(token.children or ()))
        elif token.type in {"fence", "colon_fence"}:
            yield from _directive(token, line)
        elif token.type in _MARKED:
            yield Place(token.type, line)
        elif token.type == "front_matter" and _SUBSTITUTIONS.search(token.content):
            yield Place("substitutions", line)


def _directive(token: Token, line: int) -> Iterator[Passage | Place]:
    match = _DIRECTIVE.match(token.info.strip())
    if match and match["name"] not in LITERAL_DIRECTIVES:
        yield from _read(_without_options(token.content), line + 1)


def _without_options(body: str) -> str:
    """Blank the options of a directive; between `---` they are front matter to the tokenizer."""
    lines = body.split("\n")
    end = 0
    while end < len(lines) and _OPTION.fullmatch(lines[end]):
        end += 1
    return "\n" * end + "\n".join(lines[end:])
