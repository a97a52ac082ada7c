"""Recordings of one script from several fresh processes -> one, with their samples pooled.

Processes differ more than the samples of one of them do, so a script that measures is run in
several. All its other outputs are those of the first process.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from polytab.errors import MeasurementError
from polytab.recordings.measurements import MIME, pool, read_measurement, spell_measurement
from polytab.recordings.verdicts import plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.model import RecordedCell, Recording

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
        cells=tuple(_pooled(cells) for cells in by_cell),
        provenance=replace(first.provenance, seconds=seconds),
    )


def _pooled(cells: Sequence[RecordedCell]) -> RecordedCell:
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
