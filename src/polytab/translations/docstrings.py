"""Docstrings in code as messages: each paragraph is one, as a block of comments is.

Taken are those of functions and classes, written as one plain string in three quotes. Examples for
doctest, lists and what is indented more are left alone, and so is every docstring of a script that
may show one: what it prints was recorded in English.

Law, guarded by tests/translations/test_docstrings.py and, in every build, by `same_but_docstrings`:
after putting back, the code is what it was but for the text of these strings and comments.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from polytab.translations.comments import CommentError, fits, refusal, translate_comments, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from polytab.model import Cell, Script

QUOTES = '"""'

_SHOWN = re.compile(r"\b(?:__doc__|help\s*\(|getdoc|getsource|getsourcelines|doctest|pydoc)\b")
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
        translation = (translate(message.text) or "").strip()
        if translation in {"", message.text}:
            continue
        if reason := refusal(translation):
            msg = f"a translated docstring {reason}: {translation!a}"
            raise CommentError(msg, hint="mend it in the catalog of the page's comments")
        start = message.line - 1
        lines[start : start + message.lines] = _put(message, translation)
    result = "\n".join(lines)
    if not same_but_docstrings(text, result):
        msg = "translated docstrings would change the code"
        raise CommentError(msg, hint="mend the catalog of the page's comments")
    return result


def same_but_docstrings(one: str, other: str) -> bool:
    """Tell whether two texts differ in nothing but comments, blank lines and docstrings."""
    if one == other:
        return True
    try:
        return _code(one) == _code(other)
    except (SyntaxError, ValueError, tokenize.TokenError):
        return False


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
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before = lines[first].encode()[: node.col_offset].decode()
    behind = lines[last].encode()[node.end_col_offset :].decode()
    if before.strip() or behind.strip():
        return False
    written = "\n".join(lines[first : last + 1]).strip()
    return written == f"{QUOTES}{node.value!s}{QUOTES}" and "\\" not in written


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


@lru_cache(maxsize=1024)
def _code(text: str) -> tuple[list[tuple[int, str]], str]:
    """Return the tokens and the tree of a text, with nothing where docstrings say something."""
    tree = ast.parse(text)
    places: set[int] = set()
    for node in _all_docstrings(tree):
        places.add(node.lineno)
        node.value = ""
    silent = {tokenize.COMMENT, tokenize.NL}
    tokens = [
        (token.type, "" if _is_docstring(token, places) else token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in silent
    ]
    return tokens, ast.dump(tree)


def _is_docstring(token: tokenize.TokenInfo, places: set[int]) -> bool:
    """Tell whether a token is a docstring; one has its line to itself."""
    if token.type != tokenize.STRING or token.start[0] not in places:
        return False
    return not token.line[: token.start[1]].strip()
