"""Traces over a range of values -> an SVG with two logarithmic axes.

All panels of a plot share their axes. The labels of the vertical axis stand in a margin that is the
padding of the SVG in charts.css: places across are in per cent of what is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.pages.charts import shapes
from polytab.pages.charts.axis import logarithmic
from polytab.pages.charts.labels import Label, Obstacle, Spot, labels, spot_labels
from polytab.pages.charts.plane import Plane
from polytab.pages.charts.readings import Reading
from polytab.pages.charts.roofs import Roof, draw_roof, ridge_spot, roof_obstacles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.interface.formats import Formats
    from polytab.pages.charts.axis import Axis

# Heights in em, and the free space at the ends of the axes in per cent.
_TITLE, _ROW, _BETWEEN, _SCALE, _AXIS = 1.8, 1.5, 1.4, 1.8, 1.8
_CURVES, _ROOFLINE = 14.0, 21.0
_SIDE, _BELOW, _ABOVE, _BESIDE_ROOF, _OVER_ROOF = 5.0, 5.0, 6.0, 10.0, 14.0
_MOST_TICKS = 6
_POINT = 0.42
"""The radius of a mark that no label may touch, in em."""

_MARGINS = ((4.5, ""), (7.0, " wide-margin"))
"""The margins that charts.css knows, in em, with the class of each."""


@dataclass(frozen=True)
class Point:
    """A value of the range, and what was measured there: the median and the quartiles."""

    x: float
    y: float
    low: float
    high: float
    size: str = ""
    """What the point is labelled with: where it was measured, if the axis below does not say it."""


@dataclass(frozen=True)
class Trace:
    """The points of one case in one framework.

    `name` is that of the legend, `of` is all that it is of.
    """

    name: str
    look: int
    points: tuple[Point, ...]
    of: tuple[str | None, ...] = ()
    over: str = ""
    """What the sizes of its points are of; "" where they are those of the axis."""


@dataclass(frozen=True)
class Panel:
    """Traces in one plane; it has no title where the plot has no other."""

    title: str | None
    traces: tuple[Trace, ...]
    roofs: tuple[Roof, ...] = ()


@dataclass(frozen=True)
class Scale:
    """What is on an axis: its title, and how its round values and its measured ones are written."""

    title: str
    tick: Callable[[float], str]
    value: Callable[[float], str]


@dataclass(frozen=True)
class Plot:
    """What to draw; `ident` is an id that is unique on the page."""

    ident: str
    title: str
    description: str
    panels: tuple[Panel, ...]
    over: Scale
    """The horizontal axis."""

    shown: Scale
    """The vertical one."""

    joined: bool = True
    """Whether the points of a trace are joined; the axis below then shows their values."""


def draw(plot: Plot, formats: Formats) -> str:
    """Return a plot as an `<svg>` element."""
    return _Drawing(plot, formats).svg()


def axes_of(plot: Plot) -> tuple[Axis, Axis]:
    """Return the horizontal and vertical axis; they hold every point and ridge of a plot."""
    points = [each for panel in plot.panels for trace in panel.traces for each in trace.points]
    roofs = [roof for panel in plot.panels for roof in panel.roofs]
    xs = [each.x for each in points] + [roof.ridge_at for roof in roofs]
    ys = [each for point in points for each in (point.low, point.high)]
    ys += [roof.peak for roof in roofs]
    return (
        logarithmic(*_span(xs), before=_SIDE, after=_BESIDE_ROOF if roofs else _SIDE),
        logarithmic(*_span(ys), before=_BELOW, after=_OVER_ROOF if roofs else _ABOVE),
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and highest value, moved apart where they are almost equal."""
    low, high = min(values), max(values)
    return (low, high) if high > low * 1.05 else (low / 2, high * 2)


@dataclass
class _Drawing:
    plot: Plot
    formats: Formats
    top: float = 0.0
    across: Axis = field(init=False)
    up: Axis = field(init=False)
    margin: float = field(init=False)
    kind: str = field(init=False)

    def __post_init__(self) -> None:
        self.across, self.up = axes_of(self.plot)
        longest = max(
            (shapes.text_width(self.plot.shown.tick(each)) for each in self.up.ticks), default=0
        )
        self.margin, self.kind = next(
            (each for each in _MARGINS if longest + 0.6 <= each[0]), _MARGINS[-1]
        )

    @property
    def edge(self) -> str:
        """The left edge of the plot, where the margin begins."""
        return shapes.em(-self.margin)

    def svg(self) -> str:
        plot = self.plot
        svg = shapes.image(f"chart plot{self.kind}", plot.ident, plot.title, plot.description)
        self._legend(svg)
        for number, panel in enumerate(plot.panels):
            self.top += _BETWEEN if number else 0.0
            self._panel(svg, panel)
        return shapes.finish(svg, self.top)

    def _legend(self, svg: ET.Element) -> None:
        """Draw the legend that all panels share."""
        panels = self.plot.panels
        traces = {each.name: each.look for panel in panels for each in panel.traces}
        roofs = {each.name: each.style for panel in panels for each in panel.roofs}
        named = [("trace", *each) for each in traces.items()]
        for kind, name, look in named + [("roof", *each) for each in roofs.items()]:
            row = ET.SubElement(svg, "g", {"class": f"{kind} look-{look}"})
            middle = self.top + 0.75
            if kind == "roof" or self.plot.joined:
                sample = ET.SubElement(row, "line", {"class": "stroke"}, x1=self.edge)
                sample.set("x2", shapes.em(1.8 - self.margin))
                sample.set("y1", shapes.em(middle))
                sample.set("y2", shapes.em(middle))
            if kind == "trace":
                shapes.marker(row, look, shapes.em(0.9 - self.margin), middle)
            beside = shapes.em(2.4 - self.margin)
            lines = shapes.note(row, "name", beside, middle + 0.35, name)
            self.top += _ROW + lines
        self.top += 0.4

    def _panel(self, svg: ET.Element, panel: Panel) -> None:
        box = ET.SubElement(svg, "g", {"class": "group"})
        if panel.title is not None:
            shapes.text(box, "title", self.edge, self.top + 1.0, panel.title)
            self.top += _TITLE
        shown = self.plot.shown.title
        self.top += shapes.axis_title(box, self.edge, self.top + 1.0, shown, above=True)
        self.top += _AXIS
        scale = ET.SubElement(box, "g", {"class": "scale"})
        height = _ROOFLINE if panel.roofs else _CURVES
        plane = Plane(box, self.across, self.up, self.top, height)
        self._grid(plane, scale)
        for roof in panel.roofs:
            draw_roof(plane, roof)
        for trace in panel.traces:
            self._trace(plane, trace)
        for trace in panel.traces:
            self._marks(plane, box, trace)
        self._spots(plane, box, panel)
        self.top += plane.height
        self._values(box)
        self.top += _SCALE
        title = shapes.axis_title(box, "100%", self.top + 1.0, self.plot.over.title)
        self.top += _AXIS - 0.4 + title

    def _grid(self, plane: Plane, scale: ET.Element) -> None:
        for tick in self.up.ticks:
            _, down = plane.place((self.across.low, tick))
            shapes.line(scale, "grid", (0, 100), (down, down))
            said = self.plot.shown.tick(tick)
            shapes.text(scale, "tick", "-0.6em", down + 0.35, said).set("text-anchor", "end")

    def _values(self, box: ET.Element) -> None:
        """Label the horizontal axis with the measured values, or with round ones for a roofline."""
        points = {
            each.x for panel in self.plot.panels for trace in panel.traces for each in trace.points
        }
        values = sorted(points) if self.plot.joined else list(self.across.ticks)
        shapes.line(box, "grid", (0, 100), (self.top, self.top))
        row = []
        for value in _thinned(values, self.across):
            at = self.across.at(value)
            shapes.line(box, "grid", (at, at), (self.top, self.top + 0.3))
            anchor: shapes.Anchor = "middle" if at < 100 - 2 * _SIDE else "end"
            row.append(Label(at, self.plot.over.tick(value), anchor))
        labels(box, self.top + 1.4, row, self.margin)

    def _trace(self, plane: Plane, trace: Trace) -> None:
        group = plane.group(f"trace look-{trace.look}")
        if self.plot.joined:
            above = [(each.x, each.high) for each in trace.points]
            below = [(each.x, each.low) for each in trace.points]
            plane.band(group, above, below)
            plane.stroke(group, [(each.x, each.y) for each in trace.points])
            return
        for each in trace.points:
            plane.stroke(group, [(each.x, each.low), (each.x, each.high)])

    def _marks(self, plane: Plane, box: ET.Element, trace: Trace) -> None:
        """Add the marks of a trace, each with what can be read from it."""
        marks = ET.SubElement(box, "g", {"class": f"trace look-{trace.look}"})
        for each in trace.points:
            at, down = plane.place((each.x, each.y))
            mark = ET.SubElement(marks, "g")
            shapes.marker(mark, trace.look, shapes.percent(at), down)
            size = each.size or self.plot.over.value(each.x)
            where = f"{trace.over or self.plot.over.title} = {size}"
            read = Reading(trace.of or (trace.name,), each.y, (each.low, each.high), where)
            shapes.reading(mark, *read.lines(self.formats, self.plot.shown.value))

    def _spots(self, plane: Plane, box: ET.Element, panel: Panel) -> None:
        """Label the ridges, and the points that have a size: the ends of each trace first."""
        obstacles = [each for roof in panel.roofs for each in roof_obstacles(plane, roof)]
        ends: list[Spot] = []
        between: list[Spot] = []
        for trace in panel.traces:
            for number, each in enumerate(trace.points):
                at, down = plane.place((each.x, each.y))
                obstacles.append(Obstacle((at, down), (at, down), 2 * _POINT))
                is_end = number in {0, len(trace.points) - 1}
                (ends if is_end else between).append(Spot(at, down, (each.size,)))
        ridges = [ridge_spot(plane, roof) for roof in panel.roofs]
        wanted = [each for each in (*ridges, *ends, *between) if any(each.texts)]
        spot_labels(box, wanted, obstacles, (plane.top, plane.top + plane.height))


def _thinned(values: Sequence[float], axis: Axis) -> list[float]:
    """Leave out values whose labels would overlap; the last one is kept."""
    room = 100 / _MOST_TICKS
    kept: list[float] = []
    for value in reversed(values):
        if not kept or axis.at(kept[-1]) - axis.at(value) >= room * 0.7:
            kept.append(value)
    return kept[::-1]
