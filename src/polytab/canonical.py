"""Canonical code: a text with its comment spans, and the blank lines they leave, cut out.

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
    return tuple(
        Comment(*token.start, token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    )


def canonical(text: str) -> str:
    """Cut comments and blank lines out of a Python text that parses."""
    lines = text.split("\n")
    protected = _lines_inside_strings(text)
    for comment in comments(text):
        index = comment.line - 1
        lines[index] = lines[index][: comment.column].rstrip()
    kept: list[str] = []
    for number, line in enumerate(lines, start=1):
        continued = bool(kept) and kept[-1].endswith("\\")
        if line.strip() or number in protected or continued:
            kept.append(line)
    return "\n".join(kept).rstrip("\n")


def _lines_inside_strings(text: str) -> set[int]:
    """Return the lines that begin inside a string, whose blank lines are data."""
    inside: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):  # from Python 3.12 on, an f-string is several tokens
            opened.append(token.start[0])
        elif name.endswith("STRING_END"):
            inside.update(range(opened.pop() + 1, token.end[0] + 1))
        elif token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    return inside
