"""How often `polytab verify` fails by chance, and how often it sees that a factor was lost.

Simulated with the scatter of the committed recordings and all their comparisons; run it with
`python bench/verify.py [times]`, times being the simulations of each measurement. It prints a table
and the names of the comparisons that scatter too much, and writes no file.

A simulated process gets a vector of effects, one a case, whose covariance is that of the recorded
processes; its samples are the recorded ones about the median of their process, drawn with
replacement. An honest run takes a recording, a run that verifies it, and two runs, pooled, that
measure again what has moved. All that is judged is judged by the package itself.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.recordings.factors import Factor, factors, move, move_again
from polytab.recordings.files import load_recording
from polytab.recordings.measurements import measurements_of
from polytab.recordings.pooling import pool
from polytab.recordings.verdicts import Ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.model import Case, Measurement

LOST = 1.5
"""The factor that becomes 1."""

NEAR = 18
"""How many comparisons on each side of a quartile stand for it."""


@dataclass(frozen=True)
class Run:
    """One simulation of a comparison: recorded, verified, and measured again."""

    recorded: Ratio
    verified: Ratio
    again: Ratio


@dataclass(frozen=True)
class Simulated:
    """One comparison with its scatter between processes, and its simulations."""

    name: str
    factor: Factor
    scatter: float
    runs: tuple[Run, ...]


def scatter(measurement: Measurement, factor: Factor) -> float:
    """Return the standard deviation, over processes, of the logarithm of a factor."""
    by_name = {case.full_name: case.samples for case in measurement.cases}
    pairs = zip(by_name[factor.new], by_name[factor.old], strict=True)
    medians = (statistics.median(old) / statistics.median(new) for new, old in pairs)
    return statistics.stdev(math.log(each) for each in medians)


def simulated(measurement: Measurement, source: random.Random) -> Measurement:
    """Return a measurement that the same machine might have given."""
    number = len(measurement.cases[0].samples)
    weights = [[source.gauss() for _ in range(number)] for _ in range(number)]
    cases = (_simulated(case, weights, source) for case in measurement.cases)
    return replace(measurement, cases=tuple(cases))


def _simulated(case: Case, weights: list[list[float]], source: random.Random) -> Case:
    logs = [math.log(statistics.median(row)) for row in case.samples]
    mean = statistics.fmean(logs)
    rows = zip(case.samples, logs, strict=True)
    about = [each / math.exp(at) for row, at in rows for each in row]
    samples: list[tuple[float, ...]] = []
    for row, shares in zip(case.samples, weights, strict=True):
        effect = sum(w * (at - mean) for w, at in zip(shares, logs, strict=True))
        middle = math.exp(mean + effect / math.sqrt(len(logs) - 1))
        samples.append(tuple(middle * each for each in source.choices(about, k=len(row))))
    return replace(case, samples=tuple(samples))


def simulate(folder: Path, times: int) -> Iterator[list[Simulated]]:
    """Yield the comparisons of each measurement that was made in several processes."""
    source = random.Random(17)  # noqa: S311  # must repeat, need not be secret
    for path in sorted(folder.glob("*/*.ipynb")):
        recording = load_recording(path)
        for measurement in measurements_of(recording) if recording else ():
            found = list(factors(measurement))
            if not found or len(measurement.cases[0].samples) == 1:
                continue
            columns = zip(*(_runs(measurement, source) for _ in range(times)), strict=True)
            yield [
                Simulated(
                    path.parent.name + "/" + path.stem, each, scatter(measurement, each), runs
                )
                for each, runs in zip(found, columns, strict=True)
            ]


def _runs(measurement: Measurement, source: random.Random) -> list[Run]:
    old, first, *second = (simulated(measurement, source) for _ in range(4))
    three = (old, first, pool(second))
    ratios = ([each.measured for each in factors(of)] for of in three)
    return [Run(*each) for each in zip(*ratios, strict=True)]


def fails(measurement: list[Simulated]) -> tuple[float, float]:
    """Return how often an honest measurement is measured again, and how often it fails."""
    again = failed = 0
    times = range(len(measurement[0].runs))
    for old, new in product(times, times):
        moved = [
            (each.runs[old].recorded, each.runs[new])
            for each in measurement
            if move(each.runs[old].recorded, each.runs[new].verified)
        ]
        again += bool(moved)
        failed += any(move_again(was, run.verified, run.again) for was, run in moved)
    return again / len(times) ** 2, failed / len(times) ** 2


def seen(one: Simulated) -> float:
    """Return how often it is seen, and seen again, that a factor of LOST became 1."""
    truth = statistics.geometric_mean(each.recorded.value for each in one.runs)
    found = 0
    for old, new in product(one.runs, one.runs):
        before = _times(old.recorded, LOST / truth)
        first, second = (_times(each, 1 / truth) for each in (new.verified, new.again))
        if move(before, first):
            found += move_again(before, first, second) is not None
    return found / len(one.runs) ** 2


def _times(of: Ratio, by: float) -> Ratio:
    return Ratio(of.value * by, of.low * by, of.high * by)


def main() -> None:
    """Simulate, and print the table and the names."""
    times = int(sys.argv[1]) if sys.argv[1:] else 48
    measured = list(simulate(Path("recordings"), times))
    every = sorted((each for group in measured for each in group), key=lambda each: each.scatter)
    print(f"{len(measured)} measurements, {len(every)} comparisons, {times} simulations of each")
    chances = [fails(group) for group in measured]
    honest = 1 - math.prod(1 - failed for _, failed in chances)
    print(f"measured again in an honest run: {sum(again for again, _ in chances):.2f} measurements")
    print(f"an honest run fails: {honest:.1%}")
    for share in (0.25, 0.5, 0.75):
        middle = int(len(every) * share)
        part = every[middle - NEAR : middle + NEAR]
        caught = statistics.fmean(map(seen, part))
        print(f"scatter {every[middle].scatter:.1%}: a lost {LOST} is caught in {caught:.0%}")
    wide = [each for each in every if not each.factor.is_held]
    print(f"{len(wide)} comparisons cannot be held:")
    for each in sorted(wide, key=lambda each: (each.name, each.factor.name)):
        print(f"  {each.name} {each.factor.name}")


if __name__ == "__main__":
    main()
