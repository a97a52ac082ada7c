"""The results of a benchmark -> the table that stands behind its chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes

from polytab.interface.messages import translate as _
from polytab.recordings.verdicts import summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.interface.formats import Formats
    from polytab.model import Case
    from polytab.pages.numbers.results import FrameworkResult

_TO = "\N{EN DASH}"


@dataclass(frozen=True)
class Column:
    """One column of a table, with its heading and the text of its cells."""

    head: str
    cells: Sequence[str]
    numeric: bool

    def entry(self, text: str) -> nodes.entry:
        """Return a cell; the text of a numeric column is aligned to the right."""
        paragraph = nodes.paragraph("", text, translatable=False)
        return nodes.entry("", paragraph, classes=["text-right"] if self.numeric else [])

    @property
    def width(self) -> int:
        """The length of the longest cell, for formats that draw tables with characters."""
        return max(len(text) for text in (self.head, *self.cells))


def results_table(
    results: Sequence[FrameworkResult], formats: Formats, *, alone: bool
) -> nodes.table:
    """Return a table with a row for each case; columns without any text are left out.

    `alone`: the results are of one framework, which is not named.
    """
    rows: list[list[str]] = []
    owners: list[str] = []
    for result in results:
        for case in result.measurement.cases:
            rows.append([result.framework.title, *_row(case, formats)])
            owners.append(result.framework.name)
    overs = [each.measurement.over for each in results if each.measurement.over]
    heads = [
        *(_("Framework"), _("Case"), formats.translated_name(overs[0]) if overs else ""),
        *(_("Median"), _("Quartiles"), _("First call"), _("Memory")),
        *(_("Calls"), _("Samples"), _("Processes")),
    ]
    columns = [
        Column(head, [row[at] for row in rows], numeric=at > 1) for at, head in enumerate(heads)
    ]
    shown = columns[1:] if alone else columns
    return _table([column for column in shown if any(column.cells)], owners)


def _row(case: Case, formats: Formats) -> list[str]:
    found = summary(case)
    return [
        formats.translated_name(case.name),
        "" if case.at is None else formats.value(case.at),
        formats.time(found.median),
        f"{formats.time(found.low_quartile)} {_TO} {formats.time(found.high_quartile)}",
        "" if found.first_call is None else formats.time(found.first_call),
        "" if found.memory is None else formats.size(found.memory),
        formats.count(found.calls),
        formats.count(found.samples),
        formats.count(found.processes),
    ]


def _table(columns: Sequence[Column], owners: Sequence[str]) -> nodes.table:
    """Return a docutils table; `owners` names the framework of each row."""
    group = nodes.tgroup("", cols=len(columns))
    group += [nodes.colspec("", colwidth=column.width) for column in columns]
    head = nodes.row("", *(column.entry(column.head) for column in columns))
    group += nodes.thead("", head)
    body = nodes.tbody("")
    for at, owner in enumerate(owners):
        cells = [column.entry(column.cells[at]) for column in columns]
        body += nodes.row("", *cells, frameworks=[owner])
    group += body
    return nodes.table("", group)
