"""Traces over a range of values -> an SVG with two logarithmic axes.

All panels of a plot share their axes. The labels of the vertical axis stand on the lines of the
grid, so that they need no margin, however long they are in a language.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.pages.charts import shapes
from polytab.pages.charts.axis import logarithmic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from polytab.pages.charts.axis import Axis

# Heights in em, and the free space at the ends of the axes in per cent.
_TITLE, _ROW, _PLANE, _BETWEEN, _SCALE, _FOOT, _LABEL = 1.8, 1.5, 13.0, 1.2, 1.8, 1.9, 1.1
_LEFT, _RIGHT, _BELOW, _ABOVE = 15.0, 5.0, 5.0, 9.0
_MOST_TICKS = 6


@dataclass(frozen=True)
class Point:
    """A value of the range, and what was measured there: the median and the quartiles."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Trace:
    """The points of one case."""

    name: str
    style: int
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Roof:
    """A roof of a roofline plot: the slope of a bandwidth, up to the peak."""

    name: str
    style: int
    bandwidth: float
    peak: float

    def height(self, x: float) -> float:
        """Return the height of the roof at a value."""
        return min(self.bandwidth * x, self.peak)


@dataclass(frozen=True)
class Panel:
    """The traces of one framework; it has no title where the plot is of one framework."""

    title: str | None
    traces: tuple[Trace, ...]
    roofs: tuple[Roof, ...] = ()


@dataclass(frozen=True)
class Plot:
    """What to draw; `ident` is an id that is unique on the page."""

    ident: str
    title: str
    description: str
    panels: tuple[Panel, ...]
    axis_notes: tuple[str, ...]
    """Sentences below the plot that say what its axes are."""

    format_x: Callable[[float], str]
    format_y: Callable[[float], str]
    joined: bool = True
    """Whether the points of a trace are joined; the axis below then shows their values."""


def draw(plot: Plot) -> str:
    """Return a plot as an `<svg>` element."""
    return ET.tostring(_Drawing(plot).svg(), encoding="unicode")


def axes_of(plot: Plot) -> tuple[Axis, Axis]:
    """Return the horizontal and vertical axis; they hold every point and ridge of a plot."""
    points = [each for panel in plot.panels for trace in panel.traces for each in trace.points]
    roofs = [roof for panel in plot.panels for roof in panel.roofs]
    xs = [each.x for each in points] + [roof.peak / roof.bandwidth for roof in roofs]
    ys = [each for point in points for each in (point.low, point.high)]
    ys += [roof.peak for roof in roofs]
    return (
        logarithmic(*_span(xs), before=_LEFT, after=_RIGHT),
        logarithmic(*_span(ys), before=_BELOW, after=_ABOVE),
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and highest value, moved apart where they are almost equal."""
    low, high = min(values), max(values)
    return (low, high) if high > low * 1.05 else (low / 2, high * 2)


@dataclass
class _Drawing:
    plot: Plot
    top: float = 0.0
    across: Axis = field(init=False)
    up: Axis = field(init=False)

    def __post_init__(self) -> None:
        self.across, self.up = axes_of(self.plot)

    def svg(self) -> ET.Element:
        svg = shapes.image("chart plot", self.plot.ident, self.plot.title, self.plot.description)
        self._legend(svg)
        for number, panel in enumerate(self.plot.panels):
            self.top += _BETWEEN if number else 0.0
            self._panel(svg, panel)
        for note in self.plot.axis_notes:
            self.top += _FOOT
            self.top += shapes.note(svg, self.top - 0.5, note)
        svg.set("height", shapes.em(self.top + 0.2))
        return svg

    def _legend(self, svg: ET.Element) -> None:
        """Draw the legend that all panels share."""
        panels = self.plot.panels
        traces = {each.name: each.style for panel in panels for each in panel.traces}
        roofs = {each.name: each.style for panel in panels for each in panel.roofs}
        named = [("trace", *each) for each in traces.items()]
        for kind, name, style in named + [("roof", *each) for each in roofs.items()]:
            row = ET.SubElement(svg, "g", {"class": f"{kind} look-{style % shapes.STYLES}"})
            middle = self.top + 0.75
            if kind == "roof" or self.plot.joined:
                sample = ET.SubElement(row, "line", {"class": "stroke"}, x1="0", x2="1.8em")
                sample.set("y1", shapes.em(middle))
                sample.set("y2", shapes.em(middle))
            if kind == "trace":
                shapes.point(row, style, "0.9em", middle)
            shapes.text(row, "name", 0, middle + 0.35, name).set("dx", "2.4em")
            self.top += _ROW
        self.top += 0.4

    def _panel(self, svg: ET.Element, panel: Panel) -> None:
        box = ET.SubElement(svg, "g", {"class": "group"})
        if panel.title is not None:
            shapes.text(box, "title", 0, self.top + 1.0, panel.title)
            self.top += _TITLE
        highest = min((self._down(tick) for tick in self.up.ticks), default=math.inf)
        self.top += max(0.0, _LABEL - (highest - self.top))  # room for the label of that line
        self._grid(box)
        plane = ET.SubElement(box, "svg", {"class": "plane"}, x="0", y=shapes.em(self.top))
        plane.set("width", "100%")
        plane.set("height", shapes.em(_PLANE))
        plane.set("viewBox", "0 0 100 100")
        plane.set("preserveAspectRatio", "none")
        for roof in panel.roofs:
            self._roof(plane, roof)
        for trace in panel.traces:
            self._trace(plane, trace)
        for trace in panel.traces:
            marks = ET.SubElement(box, "g", {"class": f"trace look-{trace.style % shapes.STYLES}"})
            for each in trace.points:
                place = shapes.percent(self.across.at(each.x))
                shapes.point(marks, trace.style, place, self._down(each.y))
        self.top += _PLANE
        self._values(box)
        self.top += _SCALE

    def _grid(self, box: ET.Element) -> None:
        for tick in self.up.ticks:
            down = self._down(tick)
            shapes.line(box, "grid", (0, 100), (down, down))
            shapes.text(box, "tick", 0, down - 0.3, self.plot.format_y(tick))

    def _values(self, box: ET.Element) -> None:
        """Label the horizontal axis with the measured values, or with round ones for a roofline."""
        points = {
            each.x for panel in self.plot.panels for trace in panel.traces for each in trace.points
        }
        values = sorted(points) if self.plot.joined else list(self.across.ticks)
        row = []
        for value in _thinned(values, self.across):
            at = self.across.at(value)
            shapes.line(box, "grid", (at, at), (self.top, self.top + 0.3))
            anchor: shapes.Anchor = "middle" if at < 100 - 2 * _RIGHT else "end"
            row.append(shapes.Label(at, self.plot.format_x(value), anchor))
        shapes.labels(box, self.top + 1.4, row)

    def _trace(self, plane: ET.Element, trace: Trace) -> None:
        group = ET.SubElement(plane, "g", {"class": f"trace look-{trace.style % shapes.STYLES}"})
        if self.plot.joined:
            above = [(each.x, each.high) for each in trace.points]
            below = [(each.x, each.low) for each in reversed(trace.points)]
            band = self._path([*above, *below])
            ET.SubElement(group, "polygon", {"class": "band", "points": band})
            self._stroke(group, [(each.x, each.y) for each in trace.points])
            return
        for each in trace.points:
            self._stroke(group, [(each.x, each.low), (each.x, each.high)])

    def _roof(self, plane: ET.Element, roof: Roof) -> None:
        ridge = roof.peak / roof.bandwidth
        labels = self.across.low * (self.across.high / self.across.low) ** (_LEFT * 0.8 / 100)
        start = max(labels, self.up.low / roof.bandwidth)  # to the right of the labels of the grid
        group = ET.SubElement(plane, "g", {"class": f"roof look-{roof.style % shapes.STYLES}"})
        places = [start, ridge, self.across.high]
        self._stroke(group, [(x, roof.height(x)) for x in places if x >= start])

    def _stroke(self, group: ET.Element, places: Iterable[tuple[float, float]]) -> None:
        path = self._path(places)
        ET.SubElement(group, "polyline", {"class": "stroke", "points": path})

    def _path(self, places: Iterable[tuple[float, float]]) -> str:
        points = ((self.across.at(x), 100 - self.up.at(y)) for x, y in places)
        return " ".join(f"{round(x, 2):g},{round(y, 2):g}" for x, y in points)

    def _down(self, y: float) -> float:
        return self.top + _PLANE * (1 - self.up.at(y) / 100)


def _thinned(values: Sequence[float], axis: Axis) -> list[float]:
    """Leave out values whose labels would overlap; the last one is kept."""
    room = 100 / _MOST_TICKS
    kept: list[float] = []
    for value in reversed(values):
        if not kept or axis.at(kept[-1]) - axis.at(value) >= room * 0.7:
            kept.append(value)
    return kept[::-1]
