"""Factors: how many times as fast one case of a recording is as another, and what holds of them.

Two recordings of one script never give the same factor. It has *moved* where a reader would notice:
the two intervals do not meet, and what lies between the two factors is more than NOTICED; of large
factors it must be more than a root of the factor itself, for 400 times and 200 times tell a reader
the same. On another machine a factor is another one by right, so there it has moved only where its
verdict is another too, and by more than ELSEWHERE. What has moved is measured again.

Law, guarded by tests/recordings/test_factors.py: what has moved one way has, seen from the other
recording, moved the other way, where both are small. How often honest factors move, and how often a
lost one is seen: docs/contributing/decisions/0032-verify.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import TYPE_CHECKING

from polytab.recordings.measurements import measurements_of
from polytab.recordings.verdicts import Ratio, ratio, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.model import Measurement, Recording

NOTICED = 1.3
"""How many times as large or small a factor must have become before it has moved."""

ELSEWHERE = 1.5
"""The same on another machine, where the verdict must have changed as well."""

ROOT = 4
"""Of a large factor, its root of this degree takes the place of NOTICED."""

APART = 1.6
"""How many times the half width of their difference two factors must be apart, the second time."""

WIDEST = 1.3
"""How many times its low end the high end of an interval may be where a lost 1.5 is to be seen."""


class Move(Enum):
    """Which way a factor has moved from one recording to another."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True)
class Factor:
    """One comparison of a recording, `new vs old`, with what was measured."""

    benchmark: str
    new: str
    old: str
    measured: Ratio

    @property
    def name(self) -> str:
        """Its name as pages write it."""
        return f"{self.benchmark}: {self.new} vs {self.old}"

    @property
    def is_held(self) -> bool:
        """Tell whether its interval is so narrow that `verify` would see a lost factor of 1.5."""
        return self.measured.high < self.measured.low * WIDEST

    def __str__(self) -> str:
        """Spell the factor with its interval."""
        of = self.measured
        interval = f" ({of.low:.3g} to {of.high:.3g})" if math.isfinite(of.high) else ""
        return f"{self.new} vs {self.old}: {of.value:.3g}{interval}, {verdict(of)}"


def factors_of(recording: Recording) -> Iterator[Factor]:
    """Yield all comparisons of a recording; raises MeasurementError where it holds no numbers."""
    for measurement in measurements_of(recording):
        yield from factors(measurement)


def factors(measurement: Measurement) -> Iterator[Factor]:
    """Yield each pair of cases, the later against the earlier; on a curve, those at one value."""
    for a, b in combinations(measurement.cases, 2):
        if a.at == b.at:
            measured = ratio(measurement, b.full_name, a.full_name)
            yield Factor(measurement.name, b.full_name, a.full_name, measured)


def move(before: Ratio, after: Ratio, *, elsewhere: bool = False) -> Move | None:
    """Return which way a factor has moved, None where a reader would not notice.

    `elsewhere`: the two were, or may have been, measured on machines of different kinds.
    """
    if after.low <= before.high and before.low <= after.high:
        return None
    return _noticed(before, after, elsewhere=elsewhere)


def move_again(
    before: Ratio, first: Ratio, second: Ratio, *, elsewhere: bool = False
) -> Move | None:
    """Return which way a factor that had moved has moved where it was measured once more.

    The second measurement is of twice as many processes. An interval of three processes may be far
    too narrow by chance, so all three are given the scatter that they have together.
    """
    wide = (_half_width(before) ** 2 + _half_width(first) ** 2 + 2 * _half_width(second) ** 2) / 3
    if abs(math.log(second.value / before.value)) <= APART * math.sqrt(wide * (1 + 1 / 2)):
        return None
    way = _noticed(before, second, elsewhere=elsewhere)
    return way if way is move(before, first, elsewhere=elsewhere) else None


def _half_width(of: Ratio) -> float:
    """Return half the width of an interval, in logarithms; endless where one process is known."""
    return math.log(of.high / of.low) / 2 if of.low > 0 else math.inf


def _noticed(before: Ratio, after: Ratio, *, elsewhere: bool) -> Move | None:
    """Return which way a factor has become another one, None where it is much the same."""
    if elsewhere and verdict(before) == verdict(after):
        return None
    least = max(math.log(ELSEWHERE if elsewhere else NOTICED), abs(math.log(before.value)) / ROOT)
    if abs(math.log(after.value / before.value)) <= least:
        return None
    return Move.UP if after.value > before.value else Move.DOWN
