"""The handbook in forced worlds: recordings doctored so that each verdict is the one wished for.

`copy_handbook` copies what a build reads; `doctor` rewrites the samples of every measurement whose
cases a page compares. Keys stay as they are, so that all recordings are fresh.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.recordings.files import read_recording, save_recording
from polytab.recordings.measurements import MIME, measurements_of
from polytab.recordings.plain_text import plain_text
from polytab.recordings.verdicts import summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from polytab.model import Case, Measurement, RecordedCell

ROOT = Path(__file__).parents[2]
READ = ("docs", "snippets", "environments", "translations", "recordings")
WORLDS = ("faster", "slower", "same", "undecided")

_VERDICT = re.compile(r"^:{3,}\{verdict\} +(.+?): +(.+?) +vs +(.+?)( at [\d.]+)?$", re.MULTILINE)
_TURNS = ((0.25, 1.0, 4.0), (4.0, 0.25, 1.0), (1.0, 4.0, 0.25))
"""What three processes do to a case, so that no two of these agree."""


def copy_handbook(to: Path) -> Path:
    """Copy what a build of the handbook reads; return the copy."""
    for name in READ:
        shutil.copytree(ROOT / name, to / name)
    for name in ("conf.py", "pyproject.toml"):
        shutil.copy(ROOT / name, to / name)
    return to


def comparisons(root: Path, page: str) -> Mapping[str, list[tuple[str, str]]]:
    """Return what the verdicts of a page compare, by benchmark: `a` with `b`."""
    found: dict[str, list[tuple[str, str]]] = {}
    text = (root / "docs" / f"{page}.md").read_text(encoding="utf-8")
    for benchmark, a, b, at in _VERDICT.findall(text):
        found.setdefault(benchmark, []).append((a + at, b + at))
    return found


def doctor(root: Path, world: str) -> None:
    """Rewrite all recordings of a copied handbook so that this world's verdict is true."""
    for path in sorted((root / "recordings").rglob("*.ipynb")):
        recording = read_recording(path.read_bytes())
        pairs = comparisons(root, recording.page)
        measured = {each.name: each for each in measurements_of(recording)}
        changed = {
            name: forced(measurement, pairs[name], world)
            for name, measurement in measured.items()
            if name in pairs
        }
        cells = tuple(_with(cell, changed) for cell in recording.cells)
        save_recording(root / "recordings", replace(recording, cells=cells))


def forced(measurement: Measurement, pairs: list[tuple[str, str]], world: str) -> Measurement:
    """Return a measurement of which each pair of cases gets the verdict of a world."""
    ranks = _ranks(pairs)
    bases = {case.at: summary(case).median for case in reversed(measurement.cases)}

    def case_in(case: Case) -> Case:
        rank = ranks.get(case.full_name, 0)
        times = {"faster": 3.0**rank, "slower": 3.0**-rank}.get(world, 1.0)
        rows = []
        for number, row in enumerate(case.samples):
            turn = _TURNS[rank % 3][number % 3] if world == "undecided" else 1.0
            base = bases[case.at] * times * turn
            count = len(row)
            rows.append(tuple(base * (1 + 0.002 * (at / count - 0.5)) for at in range(count)))
        return replace(case, samples=tuple(rows))

    return replace(measurement, cases=tuple(map(case_in, measurement.cases)))


def _ranks(pairs: list[tuple[str, str]]) -> Mapping[str, int]:
    """Number the cases so that each `b` comes after its `a`."""
    ranks: dict[str, int] = {}
    for _ in range(len(pairs) + 1):
        for a, b in pairs:
            ranks.setdefault(a, 0)
            ranks[b] = max(ranks.get(b, 0), ranks[a] + 1)
    assert all(ranks[a] < ranks[b] for a, b in pairs), "verdicts that go round in a circle"
    return ranks


def _with(cell: RecordedCell, changed: Mapping[str, Measurement]) -> RecordedCell:
    """Return a cell whose outputs hold the changed measurements, in numbers and in text."""
    return replace(cell, outputs=tuple(_outputs(cell, changed)))


def _outputs(
    cell: RecordedCell, changed: Mapping[str, Measurement]
) -> Iterator[Mapping[str, object]]:
    for output in cell.outputs:
        data = output.get("data", {})
        measurement = changed.get(data[MIME]["name"]) if MIME in data else None
        if measurement is None:
            yield output
            continue
        spelled = json.loads(json.dumps(data[MIME]))
        for case, other in zip(spelled["cases"], measurement.cases, strict=True):
            case["samples"] = [list(row) for row in other.samples]
        yield {**output, "data": {**data, MIME: spelled, "text/plain": plain_text(measurement)}}
