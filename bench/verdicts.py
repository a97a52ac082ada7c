"""What a verdict promises at the scatter of our recordings: `python bench/verdicts.py`.

It takes from all recordings how much samples scatter within a process, and how much processes
differ between each other from case to case, then simulates measurements with that scatter.
Prints the tables of docs/contributing/decisions/0008-ratios.md.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from polytab.model import Case, Measurement
from polytab.recordings.files import read_recording
from polytab.recordings.measurements import measurements_of
from polytab.recordings.verdicts import Verdict, ratio, verdict

ROOT = Path(__file__).parents[1]
PROCESSES, SAMPLES, SIMULATIONS = 3, 20, 1000
FACTORS = (1.0, 1.02, 1.1, 1.2, 1.5, 2.0)


@dataclass(frozen=True)
class Scatter:
    """Relative standard deviations: of samples within a process, and between processes."""

    within: float
    between: float


def scatters(measurement: Measurement) -> list[Scatter]:
    """Return the scatter of each comparison of cases: what processes do to both cancels out."""
    found: list[Scatter] = []
    firsts: dict[float | None, Case] = {}
    for case in measurement.cases:
        first = firsts.setdefault(case.at, case)
        if first is case or len(case.samples) == 1:
            continue
        pairs = zip(case.samples, first.samples, strict=True)
        logs = [math.log(statistics.median(a) / statistics.median(b)) for a, b in pairs]
        within = statistics.median(_quartile_scatter(row) for row in case.samples)
        found.append(Scatter(within, statistics.stdev(logs)))
    return found


def _quartile_scatter(row: tuple[float, ...]) -> float:
    """Return a standard deviation that a few outliers cannot move: 0.74 of the quartile range."""
    low, middle, high = statistics.quantiles(row, method="inclusive")
    return 0.7413 * (high - low) / middle


def simulate(factor: float, scatter: Scatter, seed: int) -> tuple[Verdict, bool]:
    """Measure a true factor once; return the verdict, and whether the interval holds the truth."""
    source = random.Random(f"{factor} {scatter} {seed}")  # noqa: S311  # must repeat

    def case(name: str, seconds: float) -> Case:
        # What processes do to one case of two: the difference of both has the scatter `between`.
        rows = []
        for _ in range(PROCESSES):
            base = seconds * math.exp(source.gauss(0, scatter.between / math.sqrt(2)))
            rows.append(
                tuple(base * math.exp(source.gauss(0, scatter.within)) for _ in range(SAMPLES))
            )
        return Case(name, PROCESSES * SAMPLES, (seconds,) * PROCESSES, tuple(rows))

    measured = ratio(Measurement("m", (case("b", factor), case("a", 1.0))), "a", "b")
    return verdict(measured), measured.low <= factor <= measured.high


def row(name: str, scatter: Scatter, factor: float) -> str:
    """Simulate one factor at one scatter and return a row of the table."""
    results = [simulate(factor, scatter, seed) for seed in range(SIMULATIONS)]
    said = [verdict for verdict, _ in results]
    held = sum(held for _, held in results)
    shares = (said.count(each) / len(said) for each in Verdict)
    cells = " | ".join(f"{100 * share:.1f} %" for share in (*shares, held / len(said)))
    return f"| {name} | {factor} | {cells} |"


def main() -> None:
    """Print the scatter of the recordings, and what is promised at its median and quartile."""
    paths = sorted((ROOT / "recordings").rglob("*.ipynb"))
    recordings = [read_recording(path.read_bytes()) for path in paths]
    found = [
        scatter
        for recording in recordings
        for measurement in measurements_of(recording)
        for scatter in scatters(measurement)
    ]
    sys.stdout.write(f"{len(found)} comparisons of {len(paths)} recordings\n\n")
    within, between = (
        statistics.quantiles(values, method="inclusive")
        for values in ([each.within for each in found], [each.between for each in found])
    )
    for name, values in (("within a process", within), ("between processes", between)):
        spelled = ", ".join(f"{100 * value:.1f} %" for value in values)
        sys.stdout.write(f"{name}: quartiles {spelled}\n")
    sys.stdout.write(
        f"\n| scatter | true factor | {' | '.join(Verdict)} | interval holds it |\n"
        f"|{'---|' * (len(Verdict) + 3)}\n"
    )
    machines = {
        "lower quartile": Scatter(within[1], between[0]),
        "median": Scatter(within[1], between[1]),
        "upper quartile": Scatter(within[1], between[2]),
    }
    work = [(name, scatter, factor) for name, scatter in machines.items() for factor in FACTORS]
    with ProcessPoolExecutor() as pool:
        for line in pool.map(row, *zip(*work, strict=True)):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
