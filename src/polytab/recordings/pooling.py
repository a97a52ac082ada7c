"""Recordings of one script from several fresh processes -> one, with their samples pooled.

Processes differ more than the samples of one of them do, so a script that measures is run in
several. All its other outputs are those of the first process.

Law, guarded by tests/recordings/test_pooling.py: a pool has the samples of its parts, process by
process.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from polytab.errors import MeasurementError
from polytab.model import Measurement
from polytab.recordings.measurements import MIME, read_measurement, spell_measurement
from polytab.recordings.plain_text import plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.model import Case, Note, RecordedCell, Recording

PROCESSES = 3
"""How many fresh processes a script that measures is run in."""


def pool_recordings(recordings: Sequence[Recording]) -> Recording:
    """Return the first recording of one script, with the measurements of all of them pooled.

    Raises MeasurementError where they do not measure the same.
    """
    first = recordings[0]
    if len(recordings) == 1:
        return first
    by_cell = zip(*(recording.cells for recording in recordings), strict=True)
    seconds = round(sum(recording.provenance.seconds for recording in recordings), 1)
    return replace(
        first,
        cells=tuple(_pooled_cell(cells) for cells in by_cell),
        provenance=replace(first.provenance, seconds=seconds),
    )


def _pooled_cell(cells: Sequence[RecordedCell]) -> RecordedCell:
    """Pool one cell; its processes must have measured the same things in the same order."""
    measured = [[each for each in cell.outputs if _measures(each)] for cell in cells]
    if len({len(outputs) for outputs in measured}) > 1:
        message = f"cell `{cells[0].label}` does not measure the same in every process"
        raise MeasurementError(message, hint="call `compare` the same number of times on every run")
    together = iter([_together(outputs) for outputs in zip(*measured, strict=True)])
    outputs = tuple(next(together) if _measures(each) else each for each in cells[0].outputs)
    return replace(cells[0], outputs=outputs)


def _together(outputs: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    measurement = pool([read_measurement(output["data"][MIME]) for output in outputs])
    data = {MIME: spell_measurement(measurement), "text/plain": plain_text(measurement)}
    return {**outputs[0], "data": data}


def _measures(output: Mapping[str, Any]) -> bool:
    return MIME in output.get("data", {})


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
    cases = tuple(_pooled_case(parts) for parts in by_case)
    return Measurement(first.name, cases, first.over, first.threads, _pooled_notes(measurements))


def _pooled_notes(measurements: Sequence[Measurement]) -> tuple[Note, ...]:
    """Return the notes that most of the processes have, each as it was made first."""
    found: dict[tuple[str, str], list[Note]] = {}
    for note in (each for measurement in measurements for each in measurement.notes):
        found.setdefault((note.case, note.rule), []).append(note)
    return tuple(each[0] for each in found.values() if 2 * len(each) > len(measurements))


def _pooled_case(parts: Sequence[Case]) -> Case:
    """Put one case of several measurements together."""
    memory = [part.memory for part in parts if part.memory is not None]
    cores = [part.cores for part in parts if part.cores is not None]
    return replace(
        parts[0],
        calls=sum(part.calls for part in parts),
        first_calls=tuple(each for part in parts for each in part.first_calls),
        samples=tuple(process for part in parts for process in part.samples),
        memory=max(memory, default=None),
        fresh=all(part.fresh for part in parts),
        cores=round(fmean(cores), 2) if cores else None,
    )


def _names(measurement: Measurement) -> tuple[str, ...]:
    return tuple(case.full_name for case in measurement.cases)


def _fixed(measurement: Measurement) -> tuple[object, ...]:
    """Return what must be the same in every process."""
    cases = [
        (case.full_name, case.operations, case.traffic, bool(case.first_calls))
        for case in measurement.cases
    ]
    return (measurement.threads, *cases)


def _said(measurement: Measurement) -> str:
    return f"`{measurement.name}` ({', '.join(_names(measurement))})"
