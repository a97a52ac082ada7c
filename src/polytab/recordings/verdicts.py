"""What a measurement says: medians and quartiles, ratios with their interval, verdicts.

The interval of a ratio is a bootstrap over two levels. One resample draws processes, with
replacement and the same ones for all cases, because what a process does to all its cases cancels
out in a ratio; then it draws samples from the pool of those processes. The interval holds the
middle 95 % of the resampled ratios, seen from the measured one and widened by sqrt(p / (p - 1))
for p processes: drawing p from p finds a variance that is too small by that much.

With three processes this is still an approximation. Where samples and processes scatter alike
the interval holds the true ratio in 95 % of all measurements or more; where nearly all scatter
lies between the processes, in about 85 %, and with five processes in 90 %. A t interval over
three processes would hold it in 95 %, but is so wide that at 3 % noise between processes it
misses a quarter and more of all true factors of 1.2. The margin of the verdict covers the
difference: with that noise a null difference is called in less than 1 %. One process says nothing
of how processes differ, so its interval is unbounded and nothing is decided
(docs/contributing/decisions/0008-ratios.md).

Laws, guarded by tests/recordings/test_verdicts.py: `a vs b` is the inverse of `b vs a`; equal
samples give equal numbers, on every run.
"""

from __future__ import annotations

import functools
import math
import random
import statistics
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from polytab.errors import MeasurementError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.model import Case, Measurement

MARGIN = 0.05
"""How far beyond 1 the whole interval must lie before a difference is called one."""

RESAMPLES = 1000
_TAIL = 0.025


class Verdict(StrEnum):
    """What a measurement says of a comparison `a vs b`."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    """The whole interval lies within the margin."""
    SMALL = "small"
    """The whole interval lies on one side of 1, but not beyond the margin."""
    UNDECIDED = "undecided"
    """The interval holds 1, and more than the margin beside it."""


@dataclass(frozen=True)
class Summary:
    """The numbers of one case; times in seconds per call, memory in bytes."""

    median: float
    low_quartile: float
    high_quartile: float
    first_call: float | None
    calls: int
    samples: int
    processes: int
    memory: int | None


@dataclass(frozen=True)
class Ratio:
    """How many times as fast `a` is as `b`: b's median time over a's, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there is an interval: one process alone gives none."""
        return math.isfinite(self.high)

    def within(self, bound: float) -> bool:
        """Tell whether the whole interval lies between 1 / (1 + bound) and 1 + bound."""
        return 1 / (1 + bound) <= self.low and self.high <= 1 + bound


def summary(case: Case) -> Summary:
    """Return the numbers of a case over all its processes."""
    times = [each for process in case.samples for each in process]
    low, median, high = (
        statistics.quantiles(times, method="inclusive") if len(times) > 1 else times * 3
    )
    return Summary(
        median=median,
        low_quartile=low,
        high_quartile=high,
        first_call=statistics.median(case.first_calls) if case.first_calls else None,
        calls=case.calls,
        samples=len(times),
        processes=len(case.samples),
        memory=case.memory,
    )


def rate(case: Case) -> float | None:
    """Return the operations a second that the median call reached, where they were counted."""
    return case.operations / summary(case).median if case.operations else None


def bandwidth(case: Case) -> float | None:
    """Return the bytes a second that the median call moved, where they were counted."""
    return case.traffic / summary(case).median if case.traffic else None


def ratio(measurement: Measurement, a: str, b: str) -> Ratio:
    """Return how many times as fast `a` is as `b`; MeasurementError for an unknown case."""
    case_a, case_b = find_case(measurement, a), find_case(measurement, b)
    value = summary(case_b).median / summary(case_a).median
    processes = len(case_a.samples)
    if processes == 1:
        return Ratio(value, 0.0, math.inf)
    medians = resampled_medians(measurement)
    least, most = interval_of(
        [of_b / of_a for of_a, of_b in zip(medians[a], medians[b], strict=True)]
    )
    widening = math.sqrt(processes / (processes - 1))
    low = min(1.0, least / value) ** widening
    high = max(1.0, most / value) ** widening
    return Ratio(value, value * low, value * high)


def verdict(measured: Ratio, margin: float = MARGIN) -> Verdict:
    """Call a difference, or sameness, only where the whole interval agrees."""
    if measured.low > 1 + margin:
        return Verdict.FASTER
    if measured.high < 1 / (1 + margin):
        return Verdict.SLOWER
    if measured.within(margin):
        return Verdict.SAME
    one_sided = measured.low > 1 or measured.high < 1
    return Verdict.SMALL if one_sided else Verdict.UNDECIDED


def find_case(measurement: Measurement, name: str) -> Case:
    """Return the case of this name; raises MeasurementError, which says what cases there are."""
    for case in measurement.cases:
        if case.full_name == name:
            return case
    known = ", ".join(f"`{case.full_name}`" for case in measurement.cases)
    raise MeasurementError(f"`{measurement.name}` has no case `{name}`", hint=f"it has {known}")


def interval_of(resampled: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the middle 95 % of resampled values."""
    ordered = sorted(resampled)
    cut = int(RESAMPLES * _TAIL)
    return ordered[cut], ordered[-1 - cut]


def _draw_processes(measurement: Measurement) -> tuple[list[tuple[int, ...]], random.Random]:
    """Draw the processes of every resample; the seed is the times themselves."""
    times = [(case.full_name, case.samples) for case in measurement.cases]
    source = random.Random(repr(times))  # noqa: S311  # must repeat, need not be secret
    processes = range(len(measurement.cases[0].samples))
    drawn = [source.choices(processes, k=RESAMPLES) for _ in processes]
    return [tuple(sorted(draw)) for draw in zip(*drawn, strict=True)], source


def resampled_first_calls(measurement: Measurement) -> Mapping[str, list[float]]:
    """Return the median first call of each case that has any, in the resamples of the medians."""
    draws, _ = _draw_processes(measurement)
    return {
        case.full_name: [statistics.median(case.first_calls[at] for at in draw) for draw in draws]
        for case in measurement.cases
        if case.first_calls
    }


@functools.lru_cache(maxsize=256)
def resampled_medians(measurement: Measurement) -> Mapping[str, list[float]]:
    """Return the median of each case in every resample."""
    draws, source = _draw_processes(measurement)
    return {case.full_name: _medians(case, draws, source) for case in measurement.cases}


def _medians(case: Case, draws: Sequence[tuple[int, ...]], source: random.Random) -> list[float]:
    """Draw a median for each draw of processes.

    The samples need not be drawn one by one: the middle one of n draws stands in the sorted
    pool at a rank with mean (n - 1) / 2 and standard deviation n / (2 √(n + 2)), nearly normal.
    """
    pools = {draw: sorted(each for at in draw for each in case.samples[at]) for draw in set(draws)}
    medians: list[float] = []
    for draw in draws:
        pool = pools[draw]
        last = len(pool) - 1
        rank = round(source.gauss(last / 2, len(pool) / 2 / math.sqrt(len(pool) + 2)))
        medians.append(pool[min(max(rank, 0), last)])
    return medians
