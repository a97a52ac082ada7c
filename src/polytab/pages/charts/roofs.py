"""The roofs of a roofline plot: a slope, the flat peak, and the ridge where they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.pages.charts.labels import Obstacle, Spot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.pages.charts.plane import Plane

ROOF_STYLES = 2
"""How many strokes of a roof charts.css knows."""


@dataclass(frozen=True)
class Roof:
    """The slope of a bandwidth, up to the peak; `ridge` says where they meet, at length or not."""

    name: str
    style: int
    bandwidth: float
    peak: float
    ridge: tuple[str, ...] = ()

    @property
    def ridge_at(self) -> float:
        """The value at which the slope reaches the peak."""
        return self.peak / self.bandwidth

    def height(self, x: float) -> float:
        """Return the height of the roof at a value."""
        return min(self.bandwidth * x, self.peak)


def draw_roof(plane: Plane, roof: Roof) -> None:
    """Draw a roof, and a line from its ridge to the horizontal axis."""
    group = plane.group(f"roof look-{roof.style % ROOF_STYLES}")
    plane.stroke(group, _corners(plane, roof))
    foot = (roof.ridge_at, plane.up.low)
    plane.stroke(group, [(roof.ridge_at, roof.peak), foot], "ridge")


def roof_obstacles(plane: Plane, roof: Roof) -> Iterator[Obstacle]:
    """Yield what no label may cover: the slope, the peak, and the line below the ridge."""
    start, ridge, end = (plane.place(each) for each in _corners(plane, roof))
    yield Obstacle(start, ridge)
    yield Obstacle(ridge, end)
    yield Obstacle(ridge, plane.place((roof.ridge_at, plane.up.low)))


def ridge_spot(plane: Plane, roof: Roof) -> Spot:
    """Return the ridge as a point to be labelled."""
    at, down = plane.place((roof.ridge_at, roof.peak))
    return Spot(at, down, roof.ridge, "name")


def _corners(plane: Plane, roof: Roof) -> list[tuple[float, float]]:
    start = min(max(plane.across.low, plane.up.low / roof.bandwidth), roof.ridge_at)
    return [(x, roof.height(x)) for x in (start, roof.ridge_at, plane.across.high)]
