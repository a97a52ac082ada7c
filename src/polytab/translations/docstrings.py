"""Docstrings in code as messages: each paragraph is one, as a block of comments is.

Taken are those of functions and classes, written as one plain string in three quotes. Examples for
doctest, lists and what is indented more are left alone, and so is every docstring of a script that
may show one: what it prints was recorded in English.

Law, guarded by tests/translations/test_docstrings.py and, in every build, by `same_but_docstrings`:
after putting back, the code is what it was but for the text of these strings and comments.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from polytab.translations.comments import (
    CommentError,
    fits,
    same_code,
    to_put,
    translate_comments,
    wrap,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from polytab.model import Cell, Script

QUOTES = '"""'

_SHOWN = re.compile(r"\bhelp\s*\(|\b(?:__doc__|getdoc|getsource|getsourcelines|doctest|pydoc)\b")
_LETTER = re.compile(r"[^\W\d_]")
_NO_PROSE = re.compile(r">>>|\.\.\. |[-*+•:]|\d+[.)]\s")
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class DocstringMessage:
    """A paragraph and its lines, counted from 1; `opens` and `closes`: the quotes are on them."""

    text: str
    line: int
    lines: int
    indent: str
    opens: bool
    closes: bool


def translate_cell(script: Script, cell: Cell, translate: Callable[[str], str | None]) -> str:
    """Return the code of a cell with its comments and docstrings translated; None leaves one.

    Raises CommentError where a translation cannot be put there, or the code would change.
    """
    text = translate_comments(cell.text, translate)
    return text if shows_docstrings(script) else translate_docstrings(text, translate)


def shows_docstrings(script: Script) -> bool:
    """Tell whether a script may print a docstring of its own."""
    return any(_SHOWN.search(cell.code) for cell in script.cells)


def extract_docstrings(text: str) -> tuple[DocstringMessage, ...]:
    """Find the messages among the docstrings of a cell."""
    lines = text.split("\n")
    return tuple(
        message
        for node in _docstrings(text)
        for message in _paragraphs(lines, node)
        if _LETTER.search(message.text)
    )


def translate_docstrings(text: str, translate: Callable[[str], str | None]) -> str:
    """Return code with its docstrings translated; None leaves a paragraph as it is."""
    lines = text.split("\n")
    for message in reversed(extract_docstrings(text)):
        translation = to_put("docstring", message.text, translate)
        if translation is None:
            continue
        start = message.line - 1
        lines[start : start + message.lines] = _put(message, translation)
    result = "\n".join(lines)
    if not same_but_docstrings(text, result):
        msg = "translated docstrings would change the code"
        raise CommentError(msg, hint="mend the catalog of the page's comments")
    return result


def same_but_docstrings(one: str, other: str) -> bool:
    """Tell whether two texts differ in nothing but comments, blank lines and docstrings."""
    try:
        return same_code(_blanked(one), _blanked(other))
    except (SyntaxError, ValueError):
        return False


def _blanked(text: str) -> str:
    """Return a text in which no docstring that has its lines to itself says anything."""
    lines = text.split("\n")
    for node in sorted(_all_docstrings(ast.parse(text)), key=_first, reverse=True):
        indent, behind = _around(lines, node)
        if not indent.strip() and not behind.strip():
            lines[_first(node) : _end(node)] = [f"{indent}{QUOTES}{QUOTES}"]
    return "\n".join(lines)


@lru_cache(maxsize=1024)  # a page shows a cell, and offers it in several downloads
def _docstrings(text: str) -> tuple[ast.Constant, ...]:
    """Find the docstrings that are one plain string in three quotes, alone on their lines."""
    lines = text.split("\n")
    return tuple(node for node in _all_docstrings(ast.parse(text)) if _is_plain(lines, node))


def _all_docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        match node.body[0] if isinstance(node, _DOCUMENTED) else None:
            case ast.Expr(value=ast.Constant(value=str()) as docstring):
                yield docstring


def _is_plain(lines: Sequence[str], node: ast.Constant) -> bool:
    """Tell whether the string says what stands there: no prefix, no escapes, no second string."""
    if any(each.strip() for each in _around(lines, node)):
        return False
    written = "\n".join(lines[_first(node) : _end(node)]).strip()
    return written == f"{QUOTES}{node.value!s}{QUOTES}" and "\\" not in written


def _first(node: ast.Constant) -> int:
    """Return the index of the first line."""
    return node.lineno - 1


def _end(node: ast.Constant) -> int:
    """Return the index behind the last line."""
    return node.end_lineno or node.lineno


def _around(lines: Sequence[str], node: ast.Constant) -> tuple[str, str]:
    """Return what stands before a string on its first line, and behind it on its last."""
    before = lines[_first(node)].encode()[: node.col_offset].decode()
    behind = lines[_end(node) - 1].encode()[node.end_col_offset :].decode()
    return before, behind


def _paragraphs(lines: Sequence[str], node: ast.Constant) -> Iterator[DocstringMessage]:
    """Yield each paragraph of prose; the first stands behind the quotes."""
    first, last = node.lineno, node.end_lineno or node.lineno
    indent = " " * node.col_offset
    group: list[int] = []
    for number in [*range(first, last + 1), last + 1]:
        inner = _inner(lines, number, first, last) if number <= last else ""
        if inner.strip():
            group.append(number)
            continue
        if group:
            message = _message(lines, group, indent, (first, last))
            if message:
                yield message
        group = []


def _inner(lines: Sequence[str], number: int, first: int, last: int) -> str:
    """Return a line of a docstring without the quotes; the first as if they were not there."""
    line = lines[number - 1]
    if number == first:
        line = line.replace(QUOTES, "", 1)
    return line.rstrip().removesuffix(QUOTES) if number == last else line


def _message(
    lines: Sequence[str], group: Sequence[int], indent: str, ends: tuple[int, int]
) -> DocstringMessage | None:
    """Return the message of some lines that follow each other; None where they are no prose."""
    told = [_inner(lines, number, *ends) for number in group]
    for line in told:
        rest = line.removeprefix(indent)
        if rest == line or rest.startswith((" ", "\t")) or _NO_PROSE.match(rest):
            return None
    text = " ".join(line.strip() for line in told)
    opens, closes = group[0] == ends[0], group[-1] == ends[1]
    return DocstringMessage(text, group[0], len(group), indent, opens, closes)


def _put(message: DocstringMessage, translation: str) -> list[str]:
    """Return the lines of a translated paragraph, with the quotes that stood on its lines."""
    said = translation.replace("\\", "\\\\").replace(QUOTES, '\\"\\"\\"')
    if said.endswith('"'):
        said = f'{said[:-1]}\\"'
    indent = message.indent
    put = [f"{indent}{line}" for line in wrap(said, f"{indent}{QUOTES if message.opens else ''}")]
    if message.opens:
        put[0] = f"{indent}{QUOTES}{put[0].removeprefix(indent)}"
    if message.closes and len(put) == 1 and message.opens and fits(f"{put[0]}{QUOTES}"):
        put[0] += QUOTES
    elif message.closes:
        put.append(f"{indent}{QUOTES}")
    return put
