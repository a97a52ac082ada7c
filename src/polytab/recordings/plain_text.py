"""A measurement as a table of text, for notebook viewers that know nothing of it.

Law, guarded by tests/scripts/kit/test_measure.py: of one process it is the table that the kit
prints, number by number.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from polytab.recordings.measurements import ADVICE, measurements_of
from polytab.recordings.verdicts import ratio, summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from polytab.model import Case, Measurement, Recording

_HEAD = ("median", "quartiles", "", "first call", "calls", "samples", "peak")
_LOW_QUARTILE = 3
"""The column that is never left out, though it has no head."""

_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))


def plain_text(measurement: Measurement) -> str:
    """Return the table; columns of which no case has anything are left out."""
    rows = [(measurement.name, *_HEAD), *map(_row, measurement.cases)]
    columns = [
        column
        for number, column in enumerate(zip(*rows, strict=True))
        if number in {0, _LOW_QUARTILE} or any(column[1:])
    ]
    (first, *names), *rest = columns
    width = max(map(len, (first, *names)))
    cells = [[each.ljust(width) for each in (first, *names)], *map(_right, rest)]
    table = ["  ".join(row).rstrip() for row in zip(*cells, strict=True)]
    return "\n".join([*table, *_ratio_lines(measurement), *_note_lines(measurement)])


def doubts_of(recording: Recording) -> tuple[str, ...]:
    """Say which rules the kit has found broken, each with its cases and with what to do.

    Of many cases the first is told, with its detail, and how many there are besides.
    """
    found: dict[str, list[str]] = {}
    details: dict[str, str] = {}
    for measurement in measurements_of(recording):
        for note in measurement.notes:
            found.setdefault(note.rule, []).append(f"`{measurement.name}: {note.case}`")
            details.setdefault(note.rule, note.detail)
    return tuple(
        f"{rule}: {_first_of(cases)}: {details[rule]}; {ADVICE[rule]}"
        for rule, cases in found.items()
    )


def _first_of(cases: Sequence[str]) -> str:
    first, *others = cases
    return f"{first} and {len(others)} more" if others else first


def three_digits(number: float) -> str:
    """Write a number with three significant digits, the rule of all measured numbers."""
    number = float(f"{number:.3g}")
    if not number:
        return "0"
    return f"{number:.{max(0, 2 - math.floor(math.log10(abs(number))))}f}"


def two_or_three_digits(number: float) -> str:
    """Write a ratio as pages do: 2.25, 2.5, 13.6, 20."""
    text = three_digits(number)
    return text[:-1].rstrip(".") if "." in text and text.endswith("0") else text


def _right(column: Sequence[str]) -> list[str]:
    width = max(map(len, column))
    return [cell.rjust(width) for cell in column]


def _row(case: Case) -> tuple[str, ...]:
    of = summary(case)
    return (
        case.full_name,
        *map(_time, (of.median, of.low_quartile, of.high_quartile)),
        "" if of.first_call is None else _time(of.first_call),
        *map(str, (of.calls, of.samples)),
        "" if of.memory is None else f"{three_digits(of.memory / 2**20)} MiB",
    )


def _ratio_lines(measurement: Measurement) -> Iterator[str]:
    """Set the first case against each other one; on a curve, at each of its values."""
    firsts: dict[float | None, Case] = {}
    for new in measurement.cases:
        old = firsts.setdefault(new.at, new)
        if old is new:
            continue
        measured = ratio(measurement, new.full_name, old.full_name)
        known = ""
        if math.isfinite(measured.high):
            low, high = map(two_or_three_digits, (measured.low, measured.high))
            known = f" (95 % interval: {low} to {high})"
        value = two_or_three_digits(measured.value)
        yield f"{old.full_name} / {new.full_name} = {value}{known}"


def _note_lines(measurement: Measurement) -> Iterator[str]:
    for note in measurement.notes:
        yield f"note: {note.case}: {note.rule}: {note.detail}"


def _time(seconds: float) -> str:
    held = (each for each in _UNITS if float(f"{seconds:.3g}") >= each[1])
    unit, size = next(held, _UNITS[-1])
    return f"{three_digits(seconds / size)} {unit}"
