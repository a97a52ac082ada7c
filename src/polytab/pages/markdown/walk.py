"""The one walk over the Markdown of a page, block by block, as MyST reads it; all checks use it.

The bodies of directives are read as well, unless a directive takes its body as it stands; so is a
`:::` block without a directive. A fence without a directive is code, and nothing in it is read.

Laws, guarded by tests/pages/markdown/test_walk.py: what stands in code is no block; a block names
the directives it stands in, and its line in the page; nothing deeper than DEEPEST is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from polytab.translations.rules.structure import tokenise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

LITERAL_DIRECTIVES = frozenset(
    {
        *("code", "code-block", "eval-rst", "literalinclude", "math", "raw", "sourcecode"),
        *("toctree", "chapters"),
    }
)
"""Directives whose argument and body are no Markdown."""

DEEPEST = 8
"""How many blocks may stand around one: each costs whoever reads or writes it a part of a stack."""

_CALL = re.compile(r"\{(?P<name>\S*)\}(?:\s+(?P<argument>.*))?", re.DOTALL)
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")


@dataclass(frozen=True)
class Directive:
    """A call of a directive; in `body` the lines of the options are empty."""

    name: str
    argument: str
    options: str
    body: str


@dataclass(frozen=True)
class Block:
    """A token of MyST's, from `line` of the page up to, and without, `end`."""

    token: Token
    line: int
    end: int
    within: tuple[Directive, ...] = ()
    """The directives it stands in, the outermost first."""
    directive: Directive | None = None
    """The directive it calls, if it calls one."""
    depth: int = 0
    """How many directives and other blocks of `:::` it stands in."""

    @property
    def holds_blocks(self) -> bool:
        """Tell whether what stands in it is read as blocks."""
        if self.directive:
            return self.directive.name not in LITERAL_DIRECTIVES
        return self.token.type == "colon_fence"

    def inside(self, names: frozenset[str]) -> bool:
        """Tell whether it stands in a directive of one of these names."""
        return any(each.name in names for each in self.within)


def walk(text: str) -> Iterator[Block]:
    """Return the blocks of a page in its order, each directive before what stands in it."""
    return _walk(text, 1, (), 0)


def _walk(text: str, first: int, within: tuple[Directive, ...], depth: int) -> Iterator[Block]:
    line, end = first, first
    for token in tokenise(text, {}):
        if token.map:
            line, end = (first + each for each in token.map)
        call = _directive(token)
        block = Block(token, line, end, within, call, depth)
        yield block
        if block.holds_blocks and depth < DEEPEST:
            inner = (call.body, (*within, call)) if call else (token.content, within)
            yield from _walk(inner[0], line + 1, inner[1], depth + 1)


def _directive(token: Token) -> Directive | None:
    match = _CALL.fullmatch(token.info.strip())
    if token.type not in {"fence", "colon_fence"} or not match:
        return None
    lines = token.content.split("\n")
    options = list(takewhile(_OPTION.match, lines))
    body = "\n" * len(options) + "\n".join(lines[len(options) :])
    return Directive(match["name"], match["argument"] or "", "\n".join(options), body)
