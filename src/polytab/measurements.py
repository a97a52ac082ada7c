"""Measurements: read from recordings and checked, pooled over processes, kept comparable.

Schema history, newest first (the JSON that snippets/measure.py displays):
1  name; cases with name, calls, first_calls and samples in seconds, one per process, and memory.

Laws, guarded by tests/test_measurements.py: what is spelled is what is read; a pool has the
samples of its parts, process by process; whatever is read, `ratios` can reckon with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from polytab.errors import MeasurementError
from polytab.model import Case, Measurement

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from polytab.model import Recording

MIME = "application/vnd.polytab.measurement+json"
SCHEMA = 1

SHORTEST, LONGEST = 1e-12, 1e6
"""Seconds one call may take: none ends in a picosecond, no snippet runs for eleven days."""

MOST_SAMPLES = 10_000
"""Samples one process may give to a case."""

_NAME = re.compile(r"(?!.* vs )(?!.* first call$)(?=\S)[^:`]{1,60}(?<=\S)")
"""What a page can say as `benchmark: case`, `new vs old` and `case first call`."""

_HINT = "record it again, with `compare` of snippets/measure.py"


@dataclass(frozen=True)
class _Reader:
    """Reads one measurement from JSON; each complaint names the place in it."""

    file: Path | None

    def measurement(self, data: object) -> Measurement:
        schema = data.get("schema") if isinstance(data, dict) else None
        if isinstance(data, dict) and schema != SCHEMA:
            self.refuse(f"the measurement has schema {schema!r}, this polytab reads {SCHEMA}")
        fields = self.fields(data, ("schema", "name", "cases"), "the measurement")
        name = self.name(fields["name"], "the measurement")
        where = f"the measurement `{name}`"
        entries = self.sequence(fields["cases"], f"{where}: `cases`")
        cases = tuple(self.case(entry, where) for entry in entries)
        for index, case in enumerate(cases):
            if case.name in [each.name for each in cases[:index]]:
                self.refuse(f"{where} has two cases `{case.name}`")
            if len(case.samples) != len(cases[0].samples):
                self.refuse(f"{where}: `{case.name}` and `{cases[0].name}` differ in processes")
        return Measurement(name, cases)

    def case(self, data: object, where: str) -> Case:
        known = ("name", "calls", "first_calls", "samples", "memory")
        fields = self.fields(data, known, f"{where}: a case")
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
        memory = fields["memory"]
        if memory is not None:
            memory = self.count(memory, f"{where}: `memory`")
        return Case(name, calls, first_calls, samples, memory)

    def fields(self, data: object, known: Sequence[str], where: str) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.refuse(f"{where} is not an object but {_kind(data)}")
        for name in known:
            if name not in data:
                self.refuse(f"{where} has no `{name}`")
        for name in data:
            if name not in known:
                self.refuse(f"{where} has an unknown entry `{name}`")
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
            self.refuse(f"{where}: {data} s is no time: it must be {SHORTEST:g} to {LONGEST:g} s")
        return float(data)

    def count(self, data: object, where: str) -> int:
        if isinstance(data, bool) or not isinstance(data, int) or data < 0:
            self.refuse(f"{where} is no count: {data!r}")
        return data

    def refuse(self, message: str, hint: str = _HINT) -> NoReturn:
        raise MeasurementError(message, file=self.file, hint=hint)


def read_measurement(data: object, *, file: Path | None = None) -> Measurement:
    """Check what a recording holds under our MIME type and return it as a measurement."""
    return _Reader(file).measurement(data)


def spell_measurement(measurement: Measurement) -> dict[str, Any]:
    """Return a measurement as JSON spells it."""
    cases = [
        {
            "name": case.name,
            "calls": case.calls,
            "first_calls": list(case.first_calls),
            "samples": [list(process) for process in case.samples],
            "memory": case.memory,
        }
        for case in measurement.cases
    ]
    return {"schema": SCHEMA, "name": measurement.name, "cases": cases}


def measurements_of(recording: Recording) -> tuple[Measurement, ...]:
    """Read the benchmarks of a recording, in the order in which they ran."""
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
    """Put the measurements of several fresh processes together, the samples kept by process."""
    first, *others = measurements
    for other in others:
        if other.name != first.name or _names(other) != _names(first):
            message = f"{_said(first)} cannot be pooled with {_said(other)}"
            raise MeasurementError(message, hint="a script must measure the same on every run")
    by_case = zip(*(each.cases for each in measurements), strict=True)
    cases = tuple(_pooled(parts) for parts in by_case)
    return Measurement(first.name, cases)


def comparable(
    name: str, recordings: Sequence[Recording], cases: Collection[str] | None = None
) -> tuple[Measurement, ...]:
    """Return a benchmark of several recordings, or refuse and say in what they differ.

    Where `cases` is given, each must have these cases, whatever else it has.
    """
    found = tuple(_find(name, recording) for recording in recordings)
    for recording, measurement in zip(recordings[1:], found[1:], strict=True):
        before, after = recordings[0].provenance, recording.provenance
        pairs = [
            ("device", recordings[0].device, recording.device),
            ("hardware", before.hardware, after.hardware),
            ("cores", before.cores, after.cores),
        ]
        if cases is None:
            pairs.append(("cases", _listed(found[0]), _listed(measurement)))
        differ = [f"{what} ({a} and {b})" for what, a, b in pairs if a != b]
        if differ:
            message = f"`{name}` of {recordings[0].name} and of {recording.name} cannot be compared"
            raise MeasurementError(f"{message}: they differ in {', '.join(differ)}")
    for recording, measurement in zip(recordings, found, strict=True):
        missing = [case for case in cases or () if case not in _names(measurement)]
        if missing:
            message = f"`{name}` of {recording.name} lacks the cases {', '.join(missing)}"
            raise MeasurementError(message, hint=f"it has {_listed(measurement)}")
    return found


def _pooled(parts: Sequence[Case]) -> Case:
    """Put one case of several measurements together."""
    memory = [part.memory for part in parts if part.memory is not None]
    return Case(
        name=parts[0].name,
        calls=sum(part.calls for part in parts),
        first_calls=tuple(each for part in parts for each in part.first_calls),
        samples=tuple(process for part in parts for process in part.samples),
        memory=max(memory, default=None),
    )


def _find(name: str, recording: Recording) -> Measurement:
    found = {each.name: each for each in measurements_of(recording)}
    if name not in found:
        known = ", ".join(f"`{each}`" for each in found) or "none"
        message = f"{recording.name} has no benchmark `{name}`"
        raise MeasurementError(message, hint=f"it has {known}")
    return found[name]


def _names(measurement: Measurement) -> tuple[str, ...]:
    return tuple(case.name for case in measurement.cases)


def _listed(measurement: Measurement) -> str:
    return ", ".join(sorted(_names(measurement)))


def _said(measurement: Measurement) -> str:
    return f"`{measurement.name}` ({', '.join(_names(measurement))})"


def _kind(data: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "a truth value"}
    return "nothing" if data is None else kinds.get(type(data), "a number")
