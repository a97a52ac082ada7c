"""The pieces of a page: its Markdown, and the places between where it shows a cell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Prose:
    """Some paragraphs of Markdown."""

    text: str


@dataclass(frozen=True)
class Call:
    """The place where the page shows a cell, and what it says of its output."""

    framework: str
    label: str
    notices: tuple[str, ...] = ()


Piece = Prose | Call


def fenced(text: str, language: str) -> str:
    """Write a block of code or output; the fence is longer than any inside."""
    longest = max(map(len, re.findall(r"^\s*(`{3,})", text, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def prose(text: str) -> list[Piece]:
    """Return a text as the only piece, or [] where it is blank."""
    return [Prose(text)] if text.strip() else []


def prefix_lines(marker: str, pieces: Sequence[Piece], indent: str | None = None) -> list[Piece]:
    """Return the pieces with `marker` before the first line and the other lines indented.

    They are indented by `indent`, or by the width of the marker; cell calls are unchanged.
    """
    if indent is None:
        indent = " " * len(marker)
    prefixed: list[Piece] = []
    for piece in _joined(pieces):
        if isinstance(piece, Prose):
            lines = piece.text.split("\n")
            first = indent if prefixed else marker
            rest = [f"{indent}{line}" if line else indent.rstrip() for line in lines[1:]]
            prefixed.append(Prose("\n".join([first + lines[0], *rest])))
        else:
            prefixed.append(piece)
    return prefixed


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Join the paragraphs that follow each other."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and isinstance(piece, Prose) and isinstance(joined[-1], Prose):
            joined[-1] = Prose(f"{joined[-1].text}\n\n{piece.text}")
        else:
            joined.append(piece)
    return joined


def listed(items: Sequence[Sequence[Piece]]) -> list[Piece]:
    """Write the items of a list, in one piece where no cell is called between them."""
    flat = [piece for item in items for piece in item]
    if all(isinstance(piece, Prose) for piece in flat):
        return prose("\n".join(piece.text for piece in flat if isinstance(piece, Prose)))
    return flat
