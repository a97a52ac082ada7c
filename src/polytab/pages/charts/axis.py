"""Where a value lies between the ends of an axis, and the round values that are written on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

FEWEST, MOST = 3, 5
"""How many round values an axis shows, about."""


@dataclass(frozen=True)
class Axis:
    """Where a value lies, in per cent of the length, and what is written on the axis."""

    logarithmic: bool
    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return the place of a value."""
        if not self.logarithmic:
            return 100 * (value - self.low) / (self.high - self.low)
        return 100 * math.log(value / self.low) / math.log(self.high / self.low)


def from_zero(high: float) -> Axis:
    """Return a linear axis from zero."""
    return Axis(logarithmic=False, low=0.0, high=high, ticks=_steps(0.0, high))


def logarithmic(low: float, high: float, before: float, after: float) -> Axis:
    """Return an axis that holds two values, with so many per cent left free at its ends."""
    per_cent = math.log(high / low) / (100 - before - after)
    low, high = low / math.exp(before * per_cent), high * math.exp(after * per_cent)
    return Axis(logarithmic=True, low=low, high=high, ticks=_decades(low, high))


def _steps(low: float, high: float) -> tuple[float, ...]:
    """Return multiples of one round step."""
    power = 10 ** math.floor(math.log10(high - low))
    for scale in (2.0, 1.0, 0.5, 0.2):
        step = power * scale
        numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
        if len(numbers) >= FEWEST:
            return tuple(step * number for number in numbers)
    return ()


def _decades(low: float, high: float) -> tuple[float, ...]:
    """Return powers of ten, and what stands between them where they are too few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = 1 + len(decades) // (MOST + 3)
    ticks: tuple[float, ...] = ()
    for scales in ((1,), (1, 5), (1, 2, 5)):
        all_of_them = (scale * 10.0**power for power in decades[::every] for scale in scales)
        ticks = tuple(tick for tick in all_of_them if low <= tick <= high)
        if len(ticks) >= FEWEST:
            return ticks
    return _steps(low, high)
