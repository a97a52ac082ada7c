"""Columns of text -> a table, as it stands behind a chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Column:
    """One column of the table behind a chart."""

    head: str
    cells: Sequence[str]
    numeric: bool

    def entry(self, text: str) -> nodes.entry:
        """Make a cell; numbers stand right, under each other."""
        paragraph = nodes.paragraph("", text, translatable=False)
        return nodes.entry("", paragraph, classes=["text-right"] if self.numeric else [])

    @property
    def width(self) -> int:
        """The widest cell, for formats that draw tables with characters."""
        return max(len(text) for text in (self.head, *self.cells))


def table_of(columns: Sequence[Column], owners: Sequence[str]) -> nodes.table:
    """Make a table of docutils; each row knows which framework it is of."""
    group = nodes.tgroup("", cols=len(columns))
    group += [nodes.colspec("", colwidth=column.width) for column in columns]
    head = nodes.row("", *(column.entry(column.head) for column in columns))
    group += nodes.thead("", head)
    body = nodes.tbody("")
    for at, owner in enumerate(owners):
        cells = (column.entry(column.cells[at]) for column in columns)
        body += nodes.row("", *cells, frameworks=[owner])
    group += body
    return nodes.table("", group)
