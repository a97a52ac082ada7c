"""Quantities that are computed from two cases of a measurement, each with its 95 % interval.

    break-even   after how many calls `a`, whose first call takes longer, is ahead of `b`
    excess       how many seconds a call of `a` takes more than one of `b`
    share        how much of the time of `b` the time of `a` is

All are computed from the samples of each process, never from numbers that were rounded or printed.
The resamples are those of `verdicts`, and are widened like them. A break-even may be at no number
of calls, which is `math.inf`; where its interval holds such numbers and others, it is not decided.

A break-even has *moved* where a reader would plan otherwise: the intervals of two recordings do not
meet, and it is NOTICED times as many calls or as few, or "never" where it was a number. First calls
and times both follow the machine, so on another kind of machine only "never" against a number
counts.

Laws, guarded by tests/recordings/test_derived.py: without scatter the formulas hold exactly; a
value lies in its interval; equal samples give equal numbers. By test_break_evens.py, beside it:
break-evens whose intervals meet have not moved; what moved one way has, seen from the other
recording, moved the other way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from polytab.errors import MeasurementError
from polytab.recordings.factors import Move
from polytab.recordings.measurements import measurements_of
from polytab.recordings.verdicts import (
    find_case,
    interval_of,
    resampled_first_calls,
    resampled_medians,
    summary,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.model import Measurement, Recording

KINDS = ("break-even", "excess", "share")

NOTICED = 2.0
"""How many times as many calls, or as few, it must take before a break-even has moved."""


@dataclass(frozen=True)
class Derived:
    """A computed quantity with its interval, which is infinite where one process was measured."""

    value: float
    low: float
    high: float

    @property
    def never(self) -> bool:
        """Whether there is no such number of calls."""
        return math.isinf(self.low)

    @property
    def decided(self) -> bool:
        """Whether the interval holds numbers alone, or none."""
        return self.never or math.isfinite(self.high)


@dataclass(frozen=True)
class BreakEven:
    """After how many calls the case `new` is ahead of `old`, with its interval."""

    benchmark: str
    new: str
    old: str
    calls: Derived

    @property
    def name(self) -> str:
        """Its name as pages write it."""
        return f"{self.benchmark}: {self.new} vs {self.old} break-even"

    def __str__(self) -> str:
        """Spell the number of calls with its interval."""
        pair = f"{self.new} vs {self.old} break-even"
        of = self.calls
        if of.never:
            return f"{pair}: never"
        if not of.decided:
            return f"{pair}: not decided"
        return f"{pair}: {of.value:.3g} calls ({of.low:.3g} to {of.high:.3g})"


def derive(measurement: Measurement, kind: str, a: str, b: str) -> Derived:
    """Return a quantity of this kind; raises MeasurementError for cases that do not have it."""
    if kind == "break-even":
        return _break_even(measurement, a, b)
    medians = resampled_medians(measurement)
    of_a, of_b = (summary(find_case(measurement, name)).median for name in (a, b))
    pairs = list(zip(medians[a], medians[b], strict=True))
    processes = len(measurement.cases[0].samples)
    if kind == "share":
        return _within(of_a / of_b, [x / y for x, y in pairs], processes)
    return _within(of_a - of_b, [x - y for x, y in pairs], processes)


def _break_even(measurement: Measurement, a: str, b: str) -> Derived:
    """Reckon with first calls made in fresh processes; others are no price to pay back."""
    cases = [find_case(measurement, name) for name in (a, b)]
    for case in cases:
        if not case.fresh:
            raise MeasurementError(
                f"`{measurement.name}`: no first call of `{case.full_name}` was timed",
                hint="let `compare` or `sweep` time it: `first=True`",
            )
    summaries = [summary(case) for case in cases]
    first_a, first_b = (of.first_call or 0.0 for of in summaries)
    more, saved = first_a - first_b, summaries[1].median - summaries[0].median
    value = _calls(more, saved)
    processes = len(cases[0].samples)
    if processes == 1:
        return Derived(value, 1.0, math.inf)
    medians, firsts = resampled_medians(measurement), resampled_first_calls(measurement)
    wider = math.sqrt(processes / (processes - 1))
    resampled = [
        _calls(
            more + wider * (of_a - of_b - more),
            saved + wider * (of_old - of_new - saved),
        )
        for of_a, of_b, of_new, of_old in zip(
            firsts[a], firsts[b], medians[a], medians[b], strict=True
        )
    ]
    low, high = interval_of(resampled)
    return Derived(value, min(low, value), max(high, value))


def _calls(more: float, saved: float) -> float:
    """Return after how many calls so much more for the first is paid back by what each saves."""
    if saved <= 0:
        return math.inf
    return max(1.0, 1 + more / saved)


def _within(value: float, resampled: list[float], processes: int) -> Derived:
    """Widen the middle of the resampled values, seen from the measured one."""
    if processes == 1:
        return Derived(value, -math.inf, math.inf)
    wider = math.sqrt(processes / (processes - 1))
    low, high = interval_of([value + wider * (each - value) for each in resampled])
    return Derived(value, min(low, value), max(high, value))


def break_evens_of(recording: Recording) -> Iterator[BreakEven]:
    """Yield the break-evens of a recording; raises MeasurementError where it holds no numbers."""
    for measurement in measurements_of(recording):
        yield from break_evens(measurement)


def break_evens(measurement: Measurement) -> Iterator[BreakEven]:
    """Yield that of each two cases whose first calls were timed; on a curve, at one value."""
    for new, old in permutations((case for case in measurement.cases if case.fresh), 2):
        if new.at == old.at:
            calls = derive(measurement, "break-even", new.full_name, old.full_name)
            yield BreakEven(measurement.name, new.full_name, old.full_name, calls)


def break_even_move(before: Derived, after: Derived, *, elsewhere: bool = False) -> Move | None:
    """Return which way a break-even has moved, None where a reader would not notice.

    `elsewhere`: the two were, or may have been, measured on machines of different kinds.
    """
    if after.low <= before.high and before.low <= after.high:
        return None
    if before.never or after.never:
        return Move.UP if after.never else Move.DOWN
    if elsewhere or abs(math.log(after.value / before.value)) <= math.log(NOTICED):
        return None
    return Move.UP if after.value > before.value else Move.DOWN
