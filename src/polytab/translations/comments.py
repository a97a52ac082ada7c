"""Comments in code as messages: taken out of a cell, translated, and put back by token.

Lines that follow each other and hold nothing but a comment are one message, because a sentence
runs through them; a comment behind code is a message of its own. Put back, a message is wrapped
again, so it may take more or fewer lines. Comments that speak to programs are left alone.

Law, guarded by tests/translations/test_comments.py and, in every build, by `same_code`: after
putting back, the tokens other than comments, and the syntax tree, are what they were.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.scripts.canonical import comments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH = 79
"""Columns a translated comment may take; a Chinese character takes two."""

_TOOLS = r"(?:noqa|nosec|pragma|(?:type|fmt|yapf|isort|ruff|mypy|pyright|pylint|flake8)\s*:)"
_COOKIE = r"coding\s*[:=]"
_DIRECTIVE = re.compile(rf"#\s*(?:{_TOOLS}|[%!]|///|-\*-)|{_COOKIE}", re.IGNORECASE)
_SPOKEN = re.compile(
    rf"(?<![A-Za-z0-9_]){_TOOLS}|{_COOKIE}|%%|///|-\*-|(?:^|\s)(?:!|%\w)", re.IGNORECASE
)
_FENCE = re.compile(r"# ///(?: \S+)?")
_PROSE = re.compile(r"(?P<prefix># +)(?P<text>\S.*?)\s*")
_LETTER = re.compile(r"[^\W\d_]")
_ITEM = re.compile(r"(?:[-*+•]|\d+[.)])\s")


class CommentError(PolytabError):
    """A translated comment that would not stay a comment."""


@dataclass(frozen=True)
class CommentMessage:
    """One message and where it stands: `line` counts from 1, `column` from 0."""

    text: str
    line: int
    lines: int
    column: int
    prefix: str


def extract_comments(text: str) -> tuple[CommentMessage, ...]:
    """Find the messages among the comments of a cell."""
    lines = text.split("\n")
    messages: list[CommentMessage] = []
    in_block = False
    for comment in comments(text):
        if _FENCE.fullmatch(comment.text):
            in_block = not in_block
        prose = _PROSE.fullmatch(comment.text)
        if in_block or prose is None or not _LETTER.search(comment.text):
            continue
        if _DIRECTIVE.search(comment.text):
            continue
        message = CommentMessage(prose["text"], comment.line, 1, comment.column, prose["prefix"])
        if messages and _goes_on(lines, messages[-1], message):
            last = messages.pop()
            message = replace(last, text=f"{last.text} {message.text}", lines=last.lines + 1)
        messages.append(message)
    return tuple(messages)


def translate_comments(text: str, translate: Callable[[str], str | None]) -> str:
    """Return code with its comments translated; None leaves a comment as it is.

    Raises CommentError where a translation cannot be a comment, or the code would change.
    """
    lines = text.split("\n")
    for message in reversed(extract_comments(text)):
        translation = to_put("comment", message.text, translate)
        if translation is None:
            continue
        start = message.line - 1
        before = lines[start][: message.column]
        wrapped = [translation] if before.strip() else wrap(translation, before + message.prefix)
        put = [f"{before}{message.prefix}{line}" for line in wrapped]
        lines[start : start + message.lines] = put
    result = "\n".join(lines)
    if not same_code(text, result):
        msg = "translated comments would change the code"
        raise CommentError(msg, hint="mend the catalog of the page's comments")
    return result


def to_put(kind: str, text: str, translate: Callable[[str], str | None]) -> str | None:
    """Return what a message becomes, None where it stays; raises CommentError for what may not be.

    `kind` says what of the code it is.
    """
    translation = (translate(text) or "").strip()
    if translation in {"", text}:
        return None
    if reason := refusal(translation):
        msg = f"a translated {kind} {reason}: {translation!a}"
        raise CommentError(msg, hint="mend it in the catalog of the page's comments")
    return translation


def refusal(translation: str) -> str | None:
    """Say why this text may not become a comment, as the end of a sentence."""
    for character in translation:
        if not character.isprintable() and unicodedata.category(character) != "Zs":
            return f"holds U+{ord(character):04X}, a character that nobody sees"
    if spoken := _SPOKEN.search(translation):
        return f"holds `{spoken[0].strip()}`, which speaks to programs"
    return None


def same_code(one: str, other: str) -> bool:
    """Tell whether two texts differ in nothing but comments and blank lines."""
    if one == other:
        return True
    try:
        return _code(one) == _code(other)
    except (SyntaxError, ValueError, tokenize.TokenError):
        return False


@lru_cache(maxsize=1024)  # a page shows a cell, and offers it in several downloads
def _code(text: str) -> tuple[Sequence[tuple[int, str]], str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    silent = {tokenize.COMMENT, tokenize.NL}
    kept = [(token.type, token.string) for token in tokens if token.type not in silent]
    return kept, ast.dump(ast.parse(text))


def _goes_on(lines: Sequence[str], last: CommentMessage, message: CommentMessage) -> bool:
    """Tell whether a comment is the next line of the message before it."""
    return (
        message.line == last.line + last.lines
        and (message.column, message.prefix) == (last.column, last.prefix)
        and not lines[last.line - 1][: last.column].strip()
        and not lines[message.line - 1][: message.column].strip()
        and not _ITEM.match(message.text)
    )


def fits(line: str) -> bool:
    """Tell whether a line takes no more columns than it may."""
    return _width(line) <= WIDTH


def wrap(text: str, prefix: str) -> list[str]:
    """Break a text into lines that fit behind a prefix, as far as its words allow."""
    chunks = [text[:1]]
    for one, other in pairwise(text):
        if _may_break(one, other):
            chunks.append(other)
        else:
            chunks[-1] += other
    room = max(WIDTH - _width(prefix), WIDTH // 2)
    lines = [""]
    for chunk in chunks:
        if lines[-1] and _width(f"{lines[-1]}{chunk}".rstrip(" ")) > room:
            lines.append("")
        lines[-1] += chunk
    return [line.rstrip(" ") for line in lines]


def _may_break(one: str, other: str) -> bool:
    """Tell whether a line may end between two characters: at a space, or between wide ones.

    Between wide ones, no line ends with an opening mark or begins with any other mark.
    """
    if " " in {one, other}:
        return other != " "
    closed = unicodedata.category(one) not in {"Ps", "Pi"}
    opens = unicodedata.category(other) not in {"Pd", "Pe", "Pf", "Po", "Mn", "Mc", "Me"}
    return closed and opens and (_is_wide(one) or _is_wide(other))


def _width(text: str) -> int:
    """Return the columns a text takes; a combining character takes none."""
    seen = (character for character in text if not unicodedata.combining(character))
    return sum(1 + _is_wide(character) for character in seen)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
