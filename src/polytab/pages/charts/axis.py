"""Axes: where a value lies between the ends, and the round values that label it."""

from __future__ import annotations

import math
from dataclasses import dataclass

FEWEST, MOST = 3, 5
"""How many round values an axis has, about."""


@dataclass(frozen=True)
class Axis:
    """An axis, which places values in per cent of its length; `ticks` are its round values."""

    logarithmic: bool
    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return the place of a value, in per cent from the low end."""
        if not self.logarithmic:
            return 100 * (value - self.low) / (self.high - self.low)
        return 100 * math.log(value / self.low) / math.log(self.high / self.low)


def from_zero(high: float) -> Axis:
    """Return a linear axis from zero to `high`."""
    return Axis(logarithmic=False, low=0.0, high=high, ticks=_steps(0.0, high))


def logarithmic(low: float, high: float, before: float, after: float) -> Axis:
    """Return a logarithmic axis with `low` and `high` so many per cent from its ends."""
    per_cent = math.log(high / low) / (100 - before - after)
    low, high = low / math.exp(before * per_cent), high * math.exp(after * per_cent)
    return Axis(logarithmic=True, low=low, high=high, ticks=_decades(low, high))


def _steps(low: float, high: float) -> tuple[float, ...]:
    """Return the multiples of a round step between two values."""
    power = 10 ** math.floor(math.log10(high - low))
    for scale in (2.0, 1.0, 0.5, 0.2):
        step = power * scale
        numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
        if len(numbers) >= FEWEST:
            return tuple(step * number for number in numbers)
    return ()


def _decades(low: float, high: float) -> tuple[float, ...]:
    """Return the powers of ten between two values, with values between where they are too few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = 1 + len(decades) // (MOST + 3)
    ticks: tuple[float, ...] = ()
    for scales in ((1,), (1, 5), (1, 2, 5)):
        candidates = (scale * 10.0**power for power in decades[::every] for scale in scales)
        ticks = tuple(tick for tick in candidates if low <= tick <= high)
        if len(ticks) >= FEWEST:
            return ticks
    return _steps(low, high)
