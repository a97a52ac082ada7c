"""Measurements: read from recordings and checked, pooled over processes.

Schema history, newest first (the JSON that snippets/measure.py displays):
2  `over`, which a curve runs over; of each case the value `at` which it lies there, and the
   `operations` and the `traffic` in bytes of one call: each a number, or null.
1  name; cases with name, calls, first_calls and samples in seconds, one per process, and memory.

Laws, guarded by tests/recordings/test_measurements.py: what is spelled is what is read; a pool has
the samples of its parts, process by process; whatever is read, `verdicts` can reckon with.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from polytab.errors import MeasurementError
from polytab.model import Case, Measurement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Recording

MIME = "application/vnd.polytab.measurement+json"
SCHEMA = 2
_READABLE = (1, 2)

SHORTEST, LONGEST = 1e-12, 1e6
"""Seconds one call may take: none ends in a picosecond, no snippet runs for eleven days."""

SMALLEST, LARGEST = 1e-3, 1e15
"""Values a curve can run over: sizes and counts, above zero so that an axis may be logarithmic."""

MOST_COUNTED = 10**18
"""The largest count: of calls, of bytes of memory, of operations and bytes of one call."""

MOST_SAMPLES = 10_000
"""Samples one process may give to a case."""

QUANTITIES = ("first call", "memory", "rate", "bandwidth")
"""The quantities of a case besides its time, as a page names them: `case memory`."""

_NAME = re.compile(
    rf"(?!.* vs )(?!.* at [\d.]+$)(?!.* (?:{'|'.join(QUANTITIES)})$)(?=\S)[^:`]{{1,60}}(?<=\S)"
)
"""What a page can say as `benchmark: case`, `new vs old`, `case at 8` and `case first call`."""

_SHOWN = 24
"""Characters that a complaint repeats of what it refuses."""

_HINT = "record it again, with `compare` of snippets/measure.py"


class _MeasurementParser:
    """Reads one measurement from JSON; each complaint names the place in it."""

    def measurement(self, data: object) -> Measurement:
        schema = data.get("schema") if isinstance(data, dict) else None
        if isinstance(data, dict) and schema not in _READABLE:
            shown = repr(schema)[:_SHOWN]
            self.refuse(f"the measurement has schema {shown}, this polytab reads {SCHEMA}")
        newer = ("over",) if schema != 1 else ()
        fields = self.fields(data, ("schema", "name", "cases", *newer), "the measurement")
        name = self.name(fields["name"], "the measurement")
        where = f"the measurement `{name}`"
        over = fields.get("over")
        if over is not None:
            over = self.name(over, f"{where}: `over`")
        entries = self.sequence(fields["cases"], f"{where}: `cases`")
        cases = tuple(self.case(entry, where, old=schema == 1) for entry in entries)
        said: set[str] = set()
        for case in cases:
            if case.full_name in said:
                self.refuse(f"{where} has two cases `{case.full_name}`")
            if len(case.samples) != len(cases[0].samples):
                self.refuse(
                    f"{where}: `{case.full_name}` and `{cases[0].full_name}` differ in processes"
                )
            if (case.at is None) != (over is None):
                self.refuse(
                    f"{where}: `over` and `at` of `{case.full_name}` must be given together"
                )
            said.add(case.full_name)
        return Measurement(name, cases, over)

    def case(self, data: object, where: str, *, old: bool) -> Case:
        known = ("name", "calls", "first_calls", "samples", "memory")
        newer = () if old else ("at", "operations", "traffic")
        fields = self.fields(data, (*known, *newer), f"{where}: a case")
        name = self.name(fields["name"], f"{where}: a case")
        where = f"{where}, case `{name}`"
        first_calls = self.times(fields["first_calls"], f"{where}: `first_calls`")
        rows = self.sequence(fields["samples"], f"{where}: `samples`")
        samples = tuple(
            self.times(row, f"{where}: `samples` of process {number}")
            for number, row in enumerate(rows, 1)
        )
        if len(first_calls) != len(samples):
            self.refuse(f"{where}: `first_calls` and `samples` differ in processes")
        calls = self.count(fields["calls"], f"{where}: `calls`")
        if calls < sum(map(len, samples)):
            self.refuse(f"{where}: there are more samples than calls")
        counts = ("memory", "operations", "traffic")
        memory, operations, traffic = (self.count_or_none(fields, key, where) for key in counts)
        at = self.value(fields.get("at"), f"{where}: `at`")
        return Case(name, calls, first_calls, samples, memory, at, operations, traffic)

    def value(self, data: object, where: str) -> float | None:
        if data is None:
            return None
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.refuse(f"{where}: {_kind(data)} is no value of a curve")
        if not SMALLEST <= data <= LARGEST:
            said = f"{str(data)[:_SHOWN]} is no value of a curve"
            self.refuse(f"{where}: {said}: use {SMALLEST:g} to {LARGEST:g}")
        return float(data)

    def count_or_none(self, fields: dict[str, Any], key: str, where: str) -> int | None:
        data = fields.get(key)
        return None if data is None else self.count(data, f"{where}: `{key}`")

    def fields(self, data: object, known: Sequence[str], where: str) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.refuse(f"{where} is not an object but {_kind(data)}")
        for name in known:
            if name not in data:
                self.refuse(f"{where} has no `{name}`")
        for name in data:
            if name not in known:
                self.refuse(f"{where} has an unknown entry {name[:_SHOWN]!r}")
        return data

    def name(self, data: object, where: str) -> str:
        if not isinstance(data, str):
            self.refuse(f"{where} has {_kind(data)} for a name")
        if not _NAME.fullmatch(data) or not data.isprintable():
            self.refuse(
                f"{where} has the name {data[:60]!r}, which pages cannot say",
                "use up to 60 characters, no colon or backquote, no ` vs ` and no ` first call`",
            )
        return data

    def sequence(self, data: object, where: str) -> list[object]:
        if not isinstance(data, list):
            self.refuse(f"{where} is not a list but {_kind(data)}")
        if not data:
            self.refuse(f"{where} is empty")
        if len(data) > MOST_SAMPLES:
            self.refuse(f"{where} is too long: {len(data):,}, at most {MOST_SAMPLES:,}")
        return data

    def times(self, data: object, where: str) -> tuple[float, ...]:
        return tuple(self.time(value, where) for value in self.sequence(data, where))

    def time(self, data: object, where: str) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.refuse(f"{where}: {_kind(data)} is no time")
        if not SHORTEST <= data <= LONGEST:  # NaN is not, either
            said = f"{str(data)[:_SHOWN]} s is no time"
            self.refuse(f"{where}: {said}: it must be {SHORTEST:g} to {LONGEST:g} s")
        return float(data)

    def count(self, data: object, where: str) -> int:
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= MOST_COUNTED:
            said = repr(data)[:_SHOWN] if isinstance(data, int | float) else _kind(data)
            self.refuse(f"{where} is no count: {said}")
        return data

    def refuse(self, message: str, hint: str = _HINT) -> NoReturn:
        raise MeasurementError(message, hint=hint)


def read_measurement(data: object) -> Measurement:
    """Return a measurement from its JSON; raises MeasurementError, which names the place in it."""
    return _MeasurementParser().measurement(data)


def spell_measurement(measurement: Measurement) -> dict[str, Any]:
    """Return the JSON of a measurement, in the newest schema."""
    cases = [
        {
            "name": case.name,
            "calls": case.calls,
            "first_calls": list(case.first_calls),
            "samples": [list(process) for process in case.samples],
            "memory": case.memory,
            "at": case.at,
            "operations": case.operations,
            "traffic": case.traffic,
        }
        for case in measurement.cases
    ]
    return {
        "schema": SCHEMA,
        "name": measurement.name,
        "over": measurement.over,
        "cases": cases,
    }


def measurements_of(recording: Recording) -> tuple[Measurement, ...]:
    """Read the measurements of a recording, in the order in which they ran.

    Raises MeasurementError, with the cell.
    """
    found: dict[str, Measurement] = {}
    for cell in recording.cells:
        for output in cell.outputs:
            if MIME not in output.get("data", {}):
                continue
            where = f"{recording.name}, cell `{cell.label}`"
            try:
                measurement = read_measurement(output["data"][MIME])
            except MeasurementError as error:
                raise MeasurementError(f"{where}: {error.message}", hint=error.hint) from None
            if measurement.name in found:
                message = f"{where}: a benchmark `{measurement.name}` is already in the recording"
                raise MeasurementError(message, hint="give each benchmark of a script its own name")
            found[measurement.name] = measurement
    return tuple(found.values())


def pool(measurements: Sequence[Measurement]) -> Measurement:
    """Return one measurement of those of several processes; samples stay apart by process.

    Raises MeasurementError where they are not of the same cases.
    """
    first, *others = measurements
    for other in others:
        if (other.name, other.over) != (first.name, first.over) or _fixed(other) != _fixed(first):
            message = f"{_said(first)} cannot be pooled with {_said(other)}"
            raise MeasurementError(message, hint="a script must measure the same on every run")
    by_case = zip(*(each.cases for each in measurements), strict=True)
    cases = tuple(_pooled(parts) for parts in by_case)
    return Measurement(first.name, cases, first.over)


def _pooled(parts: Sequence[Case]) -> Case:
    """Put one case of several measurements together."""
    memory = [part.memory for part in parts if part.memory is not None]
    return replace(
        parts[0],
        calls=sum(part.calls for part in parts),
        first_calls=tuple(each for part in parts for each in part.first_calls),
        samples=tuple(process for part in parts for process in part.samples),
        memory=max(memory, default=None),
    )


def _names(measurement: Measurement) -> tuple[str, ...]:
    return tuple(case.full_name for case in measurement.cases)


def _fixed(measurement: Measurement) -> tuple[object, ...]:
    """Return what must be the same in every process."""
    return tuple((case.full_name, case.operations, case.traffic) for case in measurement.cases)


def _said(measurement: Measurement) -> str:
    return f"`{measurement.name}` ({', '.join(_names(measurement))})"


def _kind(data: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "a truth value"}
    return "nothing" if data is None else kinds.get(type(data), "a number")
