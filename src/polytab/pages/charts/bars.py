"""Medians with their spread -> an SVG of bars, or of points on a logarithmic axis.

A name stands above its mark, so that it may be long. Cases differ in name and shape; colour only
repeats that.

Bars start at zero. Where the longest median is more than LARGEST_RATIO times the shortest, the
short ones could not be seen. The axis is logarithmic then and says so, and points take the place of
bars, because the length of a bar means nothing on an axis without a zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.interface.messages import translate as _
from polytab.pages.charts import shapes
from polytab.pages.charts.axis import from_zero, logarithmic
from polytab.pages.charts.labels import Label, labels
from polytab.pages.charts.readings import Reading

if TYPE_CHECKING:
    from polytab.interface.formats import Formats
    from polytab.pages.charts.axis import Axis
    from polytab.pages.charts.shapes import Anchor

LARGEST_RATIO = 20.0
"""The largest ratio of the longest to the shortest median that a linear axis shows."""

_REACH = 78.0  # per cent: the length of the longest mark, so that its value fits behind it
_INSET = 4.0  # per cent: the place of the smallest point of a logarithmic axis

_HATCHED = 2
"""The look of the bars that are hatched."""

_EDGES = 3.0, 95.0  # per cent: where a label in the middle of its place would leave the chart

# Heights in em.
_TITLE, _NAME, _MARK, _GAP, _BETWEEN, _FOOT = 1.8, 1.4, 0.9, 0.6, 0.9, 3.2


@dataclass(frozen=True)
class Mark:
    """One case: its translated name, its style, and its times in seconds."""

    name: str
    style: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Group:
    """The cases of one framework; it has no title where the chart is of one framework."""

    title: str | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Chart:
    """What to draw; `ident` is an id that is unique on the page."""

    ident: str
    title: str
    description: str
    groups: tuple[Group, ...]


def axis_of(chart: Chart) -> Axis:
    """Return the axis that holds every mark of a chart, with room for the value of the longest."""
    marks = [mark for group in chart.groups for mark in group.marks]
    medians = [mark.median for mark in marks]
    longest = max(mark.high for mark in marks)
    if max(medians) <= LARGEST_RATIO * min(medians):
        return from_zero(longest * 100 / _REACH)
    return logarithmic(min(mark.low for mark in marks), longest, _INSET, 100 - _REACH)


def draw(chart: Chart, formats: Formats) -> str:
    """Return a chart as an `<svg>` element."""
    return _Drawing(chart, axis_of(chart), formats).svg()


def _anchor(at: float) -> Anchor:
    """Return which end of a label stands at its place: none leaves the chart."""
    return "start" if at < _EDGES[0] else "end" if at > _EDGES[1] else "middle"


@dataclass
class _Drawing:
    chart: Chart
    axis: Axis
    formats: Formats
    top: float = 0.0

    def svg(self) -> str:
        kind = "chart logarithmic" if self.axis.logarithmic else "chart"
        svg = shapes.image(kind, self.chart.ident, self.chart.title, self.chart.description)
        if not self.axis.logarithmic:
            self._hatch(svg)
        scale = ET.SubElement(svg, "g", {"class": "scale"})
        for number, group in enumerate(self.chart.groups):
            self.top += _BETWEEN if number else 0.0
            self._group(svg, group)
        self._scale(scale)
        return shapes.finish(svg, self.top + _FOOT)

    def _hatch(self, svg: ET.Element) -> None:
        """Define the hatched fill of the third style; its id must be unique on the page."""
        pattern = ET.SubElement(
            ET.SubElement(svg, "defs"),
            "pattern",
            id=f"{self.chart.ident}-hatch",
            width="5",
            height="5",
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        )
        ET.SubElement(pattern, "rect", width="2", height="5")

    def _group(self, svg: ET.Element, group: Group) -> None:
        box = ET.SubElement(svg, "g", {"class": "group"})
        if group.title is not None:
            shapes.text(box, "title", "0", self.top + 1.0, group.title)
            self.top += _TITLE
        for mark in group.marks:
            row = self._mark(box, mark)
            read = Reading((group.title, mark.name), mark.median, (mark.low, mark.high))
            shapes.reading(row, *read.lines(self.formats, self.formats.time))

    def _mark(self, box: ET.Element, mark: Mark) -> ET.Element:
        look = shapes.case_look(mark.style)
        row = ET.SubElement(box, "g", {"class": f"case look-{look}"})
        shapes.text(row, "name", "0", self.top + 0.95, mark.name)
        self.top += _NAME
        middle = self.top + _MARK / 2
        low, at, high = (self.axis.at(each) for each in (mark.low, mark.median, mark.high))
        if self.axis.logarithmic:
            shapes.line(row, "trail", (0, 100), (middle, middle))
        else:
            bar = ET.SubElement(row, "rect", {"class": "mark"}, x="0", width=shapes.percent(at))
            bar.set("y", shapes.em(self.top))
            bar.set("height", shapes.em(_MARK))
            if look == _HATCHED:
                row.set("fill", f"url(#{self.chart.ident}-hatch)")
        shapes.line(row, "spread", (low, high), (middle, middle))
        if self.axis.logarithmic:
            shapes.marker(row, look, shapes.percent(at), middle)
        said = self.formats.time(mark.median)
        shapes.text(row, "value", shapes.percent(high), middle + 0.35, said).set("dx", "0.6em")
        self.top += _MARK + _GAP
        return row

    def _scale(self, scale: ET.Element) -> None:
        """Draw the grid behind the marks, with its values and the title of the axis below."""
        bottom = self.top
        row = []
        for tick in self.axis.ticks:
            at = self.axis.at(tick)
            if tick:  # the bars' own edge is the line at zero
                shapes.line(scale, "grid", (at, at), (0, bottom))
            label = self.formats.tick(tick) if tick else "0"
            row.append(Label(at, label, _anchor(at)))
        labels(scale, bottom + 1.1, row)
        title = (
            _("Time per call, logarithmic; left is faster")
            if self.axis.logarithmic
            else _("Time per call; shorter is faster")
        )
        self.top += shapes.axis_title(scale, "0", bottom + 2.6, title)
