"""Medians with their spread -> an SVG that stands in the page: no script, the theme's own colours.

A name stands above its mark, so it may be as long as a translation makes it. Every case has a
name and a shape of its own; colour only repeats them.

Bars start at zero. Where the cases differ by more than APART, the small ones would vanish on such
an axis: it becomes logarithmic, says so, and points take the place of bars, because a length
from an axis without a zero would mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.interface.words import translate as _
from polytab.pages.charts import strokes
from polytab.pages.charts.axis import from_zero, logarithmic

if TYPE_CHECKING:
    from polytab.interface.wording import Wording
    from polytab.pages.charts.axis import Axis

APART = 20.0
"""The ratio of the longest to the shortest median above which the axis is logarithmic."""

_REACH = 78.0  # per cent: what the longest mark takes, so that its value fits behind it
_INSET = 4.0  # per cent: where the shortest point of a logarithmic axis stands

# Heights in em.
_TITLE, _NAME, _MARK, _GAP, _BETWEEN, _FOOT = 1.8, 1.4, 0.9, 0.6, 0.9, 3.2


@dataclass(frozen=True)
class Mark:
    """One case: its name as readers see it, which look it has, and its times in seconds."""

    name: str
    style: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Group:
    """The cases of one framework; no title where the chart is of one framework."""

    title: str | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Chart:
    """What to draw; `ident` is unique on the page."""

    ident: str
    title: str
    description: str
    groups: tuple[Group, ...]


def axis_of(chart: Chart) -> Axis:
    """Choose the axis that holds every mark of a chart, and room for the longest one's value."""
    marks = [mark for group in chart.groups for mark in group.marks]
    medians = [mark.median for mark in marks]
    longest = max(mark.high for mark in marks)
    if max(medians) <= APART * min(medians):
        return from_zero(longest * 100 / _REACH)
    return logarithmic(min(mark.low for mark in marks), longest, _INSET, 100 - _REACH)


def draw(chart: Chart, wording: Wording) -> str:
    """Draw a chart as the text of an <svg>."""
    return ET.tostring(_Drawing(chart, axis_of(chart), wording).svg(), encoding="unicode")


@dataclass
class _Drawing:
    chart: Chart
    axis: Axis
    wording: Wording
    top: float = 0.0

    def svg(self) -> ET.Element:
        kind = "chart logarithmic" if self.axis.logarithmic else "chart"
        svg = strokes.image(kind, self.chart.ident, self.chart.title, self.chart.description)
        if not self.axis.logarithmic:
            self._hatch(svg)
        scale = ET.SubElement(svg, "g", {"class": "scale"})
        for number, group in enumerate(self.chart.groups):
            self.top += _BETWEEN if number else 0.0
            self._group(svg, group)
        self._scale(scale)
        svg.set("height", strokes.em(self.top + _FOOT))
        return svg

    def _hatch(self, svg: ET.Element) -> None:
        """Define the fill of the third look; a pattern's name is global, so charts differ in it."""
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
            strokes.text(box, "title", 0, self.top + 1.0, group.title)
            self.top += _TITLE
        for mark in group.marks:
            self._mark(box, mark)

    def _mark(self, box: ET.Element, mark: Mark) -> None:
        look = mark.style % strokes.STYLES
        row = ET.SubElement(box, "g", {"class": f"case look-{look}"})
        strokes.text(row, "name", 0, self.top + 0.95, mark.name)
        self.top += _NAME
        middle = self.top + _MARK / 2
        low, at, high = (self.axis.at(each) for each in (mark.low, mark.median, mark.high))
        if self.axis.logarithmic:
            strokes.line(row, "trail", (0, 100), (middle, middle))
        else:
            bar = ET.SubElement(row, "rect", {"class": "mark"}, x="0", width=strokes.percent(at))
            bar.set("y", strokes.em(self.top))
            bar.set("height", strokes.em(_MARK))
            if look == strokes.STYLES - 2:
                row.set("fill", f"url(#{self.chart.ident}-hatch)")
        strokes.line(row, "spread", (low, high), (middle, middle))
        if self.axis.logarithmic:
            strokes.point(row, look, strokes.percent(at), middle)
        value = strokes.text(row, "value", high, middle + 0.35, self.wording.time(mark.median))
        value.set("dx", "0.6em")
        self.top += _MARK + _GAP

    def _scale(self, scale: ET.Element) -> None:
        """Draw the grid behind the marks, write its times below, and say what the axis is."""
        bottom = self.top
        for tick in self.axis.ticks:
            at = self.axis.at(tick)
            if tick:  # the bars' own edge is the line at zero
                strokes.line(scale, "grid", (at, at), (0, bottom))
            words = self.wording.tick(tick) if tick else "0"
            text = strokes.text(scale, "tick", at, bottom + 1.1, words)
            text.set("text-anchor", "start" if at < 3 else "end" if at > 95 else "middle")  # noqa: PLR2004  # per cent: the edges
        said = (
            _("Time per call, logarithmic axis; further left is faster")
            if self.axis.logarithmic
            else _("Time per call; shorter is faster")
        )
        strokes.text(scale, "said", 0, bottom + 2.6, str(said))
