"""Canonical code: a text with its comment spans and its blank lines cut out.

The code itself is never re-serialised, so the result is the same on every Python that runs us.
Laws, guarded by tests/scripts/test_canonical.py: the syntax tree does not change; no comment is
left; editing, adding or removing a comment or a blank line changes nothing; and what finds comments
here finds those that Python's tokenizer finds, which is ten times slower.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from functools import cached_property, lru_cache

_STRING_OR_COMMENT = re.compile(
    r'''
    (?P<prefix> [A-Za-z]{0,2} )
    (?: """ (?: [^\\] | \\. )*? """ | \'\'\' (?: [^\\] | \\. )*? \'\'\'
      | "   (?: [^"\\\n] | \\. )* " | '   (?: [^'\\\n] | \\. )* ' )
    | \# [^\r\n]*
    ''',
    re.DOTALL | re.VERBOSE,
)
"""Outside strings, a quote begins a string and # a comment, in every text that parses."""

_PLAIN_FIELDS = re.compile(
    r"""(?: [^{}] | \{\{ | \}\} | \{ [^{}"'\#]* (?: \{ [^{}"'\#]* \} [^{}"'\#]* )* \} )*+""",
    re.VERBOSE,
)
"""The text of an f-string that ends where any string would: no field holds a quote or a comment."""


@dataclass(frozen=True)
class Comment:
    """A comment and its place: `line` counts from 1, `column` from 0, in characters."""

    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Scan:
    """A Python text that parses, its comments, and the lines that begin inside a string."""

    text: str
    comments: tuple[Comment, ...]
    inside: frozenset[int]

    @cached_property
    def _cut(self) -> list[str]:
        """The lines, without their comments."""
        lines = self.text.split("\n")
        for comment in self.comments:
            lines[comment.line - 1] = lines[comment.line - 1][: comment.column]
        return lines

    def canonical(self, first: int = 1, last: int | None = None) -> str:
        """Return these lines (they hold whole statements) without comments and blank lines."""
        kept: list[str] = []
        for number, line in enumerate(self._cut[first - 1 : last], start=first):
            rest = line if number + 1 in self.inside else line.rstrip()
            if rest or number in self.inside:
                kept.append(rest)
            else:
                _end_continuation(kept)
        return "\n".join(kept)


def comments(text: str) -> tuple[Comment, ...]:
    """Find every comment of a Python text that parses."""
    return scan(text).comments


@lru_cache(maxsize=64)  # most scripts import the same helpers
def canonical(text: str) -> str:
    """Cut comments and blank lines out of a Python text that parses."""
    return scan(text).canonical()


def _end_continuation(kept: list[str]) -> None:
    """Cut off the backslash that joined the blank line after it: it must not join the next."""
    while kept and kept[-1].endswith("\\"):
        line = kept.pop()[:-1].rstrip()
        if line:
            kept.append(line)


def scan(text: str) -> Scan:
    """Find the comments, and the lines that begin inside a string, where blanks are data."""
    found: list[Comment] = []
    inside: set[int] = set()
    line, above, start = 1, 0, 0  # the line of `above`, and where it starts
    for match in _STRING_OR_COMMENT.finditer(text):
        begin, end = match.span()
        newlines = text.count("\n", above, begin)
        if newlines:
            line += newlines
            start = text.rindex("\n", above, begin) + 1
        above = begin
        prefix = match["prefix"]
        if prefix is None:
            found.append(Comment(line, begin - start, match[0]))
            continue
        if set(prefix) & set("fFtT") and not _PLAIN_FIELDS.fullmatch(text, begin, end):
            return _scan_by_tokens(text)  # from Python 3.12 on it may hold its own quotes
        inside.update(range(line + 1, line + text.count("\n", begin, end) + 1))
    return Scan(text, tuple(found), frozenset(inside))


def _scan_by_tokens(text: str) -> Scan:
    """Find the same with Python's tokenizer, which knows f-strings of every Python."""
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
    return Scan(text, tuple(found), frozenset(inside))
