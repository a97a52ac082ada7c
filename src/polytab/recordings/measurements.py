"""Measurements: read from recordings and checked.

Schema history, newest first (the JSON that `measured.py` of the kit displays):
3  of each case whether its first calls are `fresh`: each made in a fresh process with empty caches
   (none where they were not timed), the `threads` of each library, and the `cores` that were busy;
   `threads`, why cases may differ in them; `notes`, what makes numbers doubtful.
2  `over`, which a curve runs over; of each case the value `at` which it lies there, and the
   `operations` and the `traffic` in bytes of one call: each a number, or null.
1  name; cases with name, calls, first_calls and samples in seconds, one per process, and memory.

Laws, guarded by tests/recordings/test_measurements.py: what is spelled is what is read; whatever is
read, `verdicts` can reckon with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

from polytab.errors import MeasurementError
from polytab.model import Case, Measurement, Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Recording

MIME = "application/vnd.polytab.measurement+json"
SCHEMA = 3
_READABLE = (1, 2, 3)

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

MOST_CORES = 100_000
LONGEST_TEXT = 300

ADVICE = {
    "fresh memory": "let each case write to memory that is there already, or say that it counts",
    "works on": "wait for the result with `wait`, or give cases processes (`compare_processes`)",
    "nothing done": "use the result, or look whether a compiler has thrown the work away",
    "other threads": 'give all cases as many threads, or say why not: `threads="the reason"`',
}
"""What to do about each rule of a note."""

_NAME = re.compile(
    rf"(?!.* vs )(?!.* at [\d.]+$)(?!.* (?:{'|'.join(QUANTITIES)})$)(?=\S)[^:`]{{1,60}}(?<=\S)"
)
"""What a page can say as `benchmark: case`, `new vs old`, `case at 8` and `case first call`."""

_SHOWN = 24
"""Characters that a complaint repeats of what it refuses."""

_HINT = "record it again, with `compare` of the kit"


class _MeasurementParser:
    """Reads one measurement from JSON; each complaint names the place in it."""

    def measurement(self, data: object) -> Measurement:
        schema = data.get("schema") if isinstance(data, dict) else None
        if isinstance(data, dict) and schema not in _READABLE:
            shown = repr(schema)[:_SHOWN]
            self.refuse(f"the measurement has schema {shown}, this polytab reads {SCHEMA}")
        known = ["schema", "name", "cases", *([] if schema == 1 else ["over"])]
        known += ["threads", "notes"] if schema == SCHEMA else []
        fields = self.fields(data, known, "the measurement")
        name = self.name(fields["name"], "the measurement")
        where = f"the measurement `{name}`"
        over = fields.get("over")
        if over is not None:
            over = self.name(over, f"{where}: `over`")
        entries = self.sequence(fields["cases"], f"{where}: `cases`")
        cases = tuple(self.case(entry, where, schema) for entry in entries)
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
        threads = self.text_or_none(fields.get("threads"), f"{where}: `threads`")
        notes = self.notes(fields.get("notes", []), said, where)
        return Measurement(name, cases, over, threads, notes)

    def case(self, data: object, where: str, schema: object) -> Case:
        known = ["name", "calls", "first_calls", "samples", "memory"]
        known += [] if schema == 1 else ["at", "operations", "traffic"]
        known += ["fresh", "threads", "cores"] if schema == SCHEMA else []
        fields = self.fields(data, known, f"{where}: a case")
        name = self.name(fields["name"], f"{where}: a case")
        where = f"{where}, case `{name}`"
        fresh = fields.get("fresh", False)
        if not isinstance(fresh, bool):
            self.refuse(f"{where}: `fresh` is {_kind(fresh)}, not a truth value")
        none = schema == SCHEMA and fields["first_calls"] == []
        first_calls = () if none else self.times(fields["first_calls"], f"{where}: `first_calls`")
        rows = self.sequence(fields["samples"], f"{where}: `samples`")
        samples = tuple(
            self.times(row, f"{where}: `samples` of process {number}")
            for number, row in enumerate(rows, 1)
        )
        if not none and len(first_calls) != len(samples):
            self.refuse(f"{where}: `first_calls` and `samples` differ in processes")
        calls = self.count(fields["calls"], f"{where}: `calls`")
        if calls < sum(map(len, samples)):
            self.refuse(f"{where}: there are more samples than calls")
        counts = ("memory", "operations", "traffic")
        memory, operations, traffic = (self.count_or_none(fields, key, where) for key in counts)
        at = self.value(fields.get("at"), f"{where}: `at`")
        threads = self.threads(fields.get("threads", {}), f"{where}: `threads`")
        cores = self.cores(fields.get("cores"), f"{where}: `cores`")
        return Case(
            *(name, calls, first_calls, samples, memory, at, operations, traffic),
            *(fresh, threads, cores),
        )

    def threads(self, data: object, where: str) -> tuple[tuple[str, int], ...]:
        if not isinstance(data, dict):
            self.refuse(f"{where} is not an object but {_kind(data)}")
        counts = ((self.text(key, where), self.count(each, where)) for key, each in data.items())
        return tuple(counts)

    def cores(self, data: object, where: str) -> float | None:
        if data is None:
            return None
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.refuse(f"{where}: {str(data)[:_SHOWN]} is no number of cores")
        if not 0 <= data <= MOST_CORES:
            self.refuse(f"{where}: {str(data)[:_SHOWN]} is no number of cores")
        return float(data)

    def notes(self, data: object, cases: set[str], where: str) -> tuple[Note, ...]:
        if not isinstance(data, list):
            self.refuse(f"{where}: `notes` is not a list but {_kind(data)}")
        return tuple(self.note(each, cases, f"{where}: a note") for each in data)

    def note(self, data: object, cases: set[str], where: str) -> Note:
        fields = self.fields(data, ("case", "rule", "detail"), where)
        case, rule, detail = (self.text(fields[key], where) for key in ("case", "rule", "detail"))
        if case not in cases:
            self.refuse(f"{where} is on `{case[:_SHOWN]}`, which is no case")
        if rule not in ADVICE:
            self.refuse(f"{where} has the unknown rule `{rule[:_SHOWN]}`")
        return Note(case, rule, detail)

    def text_or_none(self, data: object, where: str) -> str | None:
        return None if data is None else self.text(data, where)

    def text(self, data: object, where: str) -> str:
        if not isinstance(data, str) or not data.isprintable() or not 0 < len(data) <= LONGEST_TEXT:
            self.refuse(f"{where} holds {repr(data)[:_SHOWN]}, which is no line of text")
        return data

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
            "fresh": case.fresh,
            "threads": dict(case.threads),
            "cores": case.cores,
        }
        for case in measurement.cases
    ]
    return {
        "schema": SCHEMA,
        "name": measurement.name,
        "over": measurement.over,
        "cases": cases,
        "threads": measurement.threads,
        "notes": [vars(note) for note in measurement.notes],
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


def _kind(data: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "a truth value"}
    return "nothing" if data is None else kinds.get(type(data), "a number")
