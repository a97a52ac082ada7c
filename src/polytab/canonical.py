"""Canonical code: a text with its comment spans and its blank lines cut out.

The code itself is never re-serialised, so the result is the same on every Python that runs us.
Laws, guarded by tests/test_canonical.py: the syntax tree does not change; no comment is left;
editing, adding or removing a comment or a blank line changes nothing.
"""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass


@dataclass(frozen=True)
class Comment:
    """A comment and its place: `line` counts from 1, `column` from 0, in characters."""

    line: int
    column: int
    text: str


def comments(text: str) -> tuple[Comment, ...]:
    """Find every comment of a Python text that parses."""
    return tuple(_scan(text)[0])


def canonical(text: str) -> str:
    """Cut comments and blank lines out of a Python text that parses."""
    lines = text.split("\n")
    found, inside = _scan(text)
    for comment in found:
        lines[comment.line - 1] = lines[comment.line - 1][: comment.column]
    kept: list[str] = []
    for number, line in enumerate(lines, start=1):
        rest = line if number + 1 in inside else line.rstrip()
        if rest or number in inside:
            kept.append(rest)
        else:
            _end_continuation(kept)
    return "\n".join(kept)


def _end_continuation(kept: list[str]) -> None:
    """Cut off the backslash that joined the blank line after it: it must not join the next."""
    while kept and kept[-1].endswith("\\"):
        line = kept.pop()[:-1].rstrip()
        if line:
            kept.append(line)


def _scan(text: str) -> tuple[list[Comment], set[int]]:
    """Find the comments, and the lines that begin inside a string, where blanks are data."""
    found: list[Comment] = []
    inside: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):  # from Python 3.12 on, an f-string is several tokens
            opened.append(token.start[0])
        elif name.endswith("STRING_END"):
            inside.update(range(opened.pop() + 1, token.end[0] + 1))
        elif name == "STRING":
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif name == "COMMENT" and not opened:  # in an f-string it may be data: f"{x = # so}"
            found.append(Comment(*token.start, token.string))
    return found, inside
