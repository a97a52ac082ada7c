"""Medians with their spread -> an SVG that stands in the page: no script, the theme's own colours.

Widths are percentages and heights are ems, without a viewBox: the drawing follows the width of
the page while its words keep the reader's size, on a phone as in print. A name stands above its
mark, so it may be as long as a translation makes it. Every case has a name and a shape of its
own; colour only repeats them.

Bars start at zero. Where the cases differ by more than APART, the small ones would vanish on such
an axis: it becomes logarithmic, says so, and points take the place of bars, because a length
from an axis without a zero would mean nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.pages.words import translate as _

if TYPE_CHECKING:
    from polytab.pages.wording import Wording

APART = 20.0
"""The ratio of the longest to the shortest median above which the axis is logarithmic."""

STYLES = 4
"""How many looks of a mark numbers.css knows; a fifth case looks like the first."""

_REACH = 78.0  # per cent: what the longest mark takes, so that its value fits behind it
_INSET = 4.0  # per cent: where the shortest point of a logarithmic axis stands
_TICKS = range(3, 7)

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


@dataclass(frozen=True)
class Axis:
    """Where a time lies, in per cent of the width, and the round times that are written on it."""

    logarithmic: bool
    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, seconds: float) -> float:
        """Return the place of a time."""
        if not self.logarithmic:
            return 100 * seconds / self.high
        return 100 * math.log(seconds / self.low) / math.log(self.high / self.low)


def axis_of(chart: Chart) -> Axis:
    """Choose the axis that holds every mark of a chart, and room for the longest one's value."""
    marks = [mark for group in chart.groups for mark in group.marks]
    medians = [mark.median for mark in marks]
    longest = max(mark.high for mark in marks)
    if max(medians) <= APART * min(medians):
        high = longest * 100 / _REACH
        return Axis(logarithmic=False, low=0.0, high=high, ticks=_linear_ticks(high))
    shortest = min(mark.low for mark in marks)
    per_cent = math.log(longest / shortest) / (_REACH - _INSET)
    low = shortest / math.exp(_INSET * per_cent)
    high = longest * math.exp((100 - _REACH) * per_cent)
    return Axis(logarithmic=True, low=low, high=high, ticks=_log_ticks(low, high))


def _linear_ticks(high: float) -> tuple[float, ...]:
    power = 10 ** math.floor(math.log10(high))
    steps = (power * scale for scale in (2.0, 1.0, 0.5))
    step = next(step for step in steps if int(high / step) + 1 in _TICKS)
    return tuple(step * number for number in range(int(high / step) + 1))


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = 1 + len(decades) // (_TICKS.stop + 1)
    ticks: tuple[float, ...] = ()
    for scales in ((1,), (1, 5), (1, 2, 5)):
        all_of_them = (scale * 10.0**power for power in decades[::every] for scale in scales)
        ticks = tuple(tick for tick in all_of_them if low <= tick <= high)
        if len(ticks) >= _TICKS.start:
            break
    return ticks


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
        ident = self.chart.ident
        svg = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",  # an e-book's pages are XML
                "class": "chart logarithmic" if self.axis.logarithmic else "chart",
                "role": "img",
                "aria-labelledby": f"{ident}-title {ident}-desc",
                "width": "100%",
            },
        )
        ET.SubElement(svg, "title", id=f"{ident}-title").text = self.chart.title
        ET.SubElement(svg, "desc", id=f"{ident}-desc").text = self.chart.description
        if not self.axis.logarithmic:
            self._hatch(svg)
        scale = ET.SubElement(svg, "g", {"class": "scale"})
        for number, group in enumerate(self.chart.groups):
            self.top += _BETWEEN if number else 0.0
            self._group(svg, group)
        self._scale(scale)
        svg.set("height", _em(self.top + _FOOT))
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
            self._text(box, "title", self.top + 1.0, "0").text = group.title
            self.top += _TITLE
        for mark in group.marks:
            self._mark(box, mark)

    def _mark(self, box: ET.Element, mark: Mark) -> None:
        row = ET.SubElement(box, "g", {"class": f"case look-{mark.style % STYLES}"})
        self._text(row, "name", self.top + 0.95, "0").text = mark.name
        self.top += _NAME
        middle = self.top + _MARK / 2
        low, at, high = (self.axis.at(each) for each in (mark.low, mark.median, mark.high))
        if self.axis.logarithmic:
            _line(row, "trail", (0, 100), (middle, middle))
        else:
            bar = ET.SubElement(row, "rect", {"class": "mark"}, x="0", width=_percent(at))
            bar.set("y", _em(self.top))
            bar.set("height", _em(_MARK))
            if mark.style % STYLES == STYLES - 2:
                row.set("fill", f"url(#{self.chart.ident}-hatch)")
        _line(row, "spread", (low, high), (middle, middle))
        if self.axis.logarithmic:
            self._point(row, mark.style % STYLES, at, middle)
        value = self._text(row, "value", middle + 0.35, _percent(high))
        value.set("dx", "0.6em")
        value.text = self.wording.time(mark.median)
        self.top += _MARK + _GAP

    def _point(self, row: ET.Element, look: int, at: float, middle: float) -> None:
        """Draw a disc, a disc, a square or a diamond: what numbers.css cannot tell apart."""
        place = ET.SubElement(row, "svg", x=_percent(at), y=_em(middle), overflow="visible")
        if look < STYLES - 2:
            ET.SubElement(place, "circle", {"class": "mark"}, r="0.36em")
            return
        square = ET.SubElement(place, "rect", {"class": "mark"}, x="-0.32em", y="-0.32em")
        square.set("width", "0.64em")
        square.set("height", "0.64em")
        if look == STYLES - 1:
            square.set("transform", "rotate(45)")

    def _scale(self, scale: ET.Element) -> None:
        """Draw the grid behind the marks, write its times below, and say what the axis is."""
        bottom = self.top
        for tick in self.axis.ticks:
            at = self.axis.at(tick)
            if tick:  # the bars' own edge is the line at zero
                _line(scale, "grid", (at, at), (0, bottom))
            text = self._text(scale, "tick", bottom + 1.1, _percent(at))
            text.text = self.wording.tick(tick) if tick else "0"
            text.set("text-anchor", "start" if at < 3 else "end" if at > 95 else "middle")  # noqa: PLR2004  # per cent: the edges
        said = (
            _("Time per call, logarithmic axis; further left is faster")
            if self.axis.logarithmic
            else _("Time per call; shorter is faster")
        )
        self._text(scale, "said", bottom + 2.6, "0").text = str(said)

    def _text(self, parent: ET.Element, kind: str, y: float, x: str) -> ET.Element:
        return ET.SubElement(parent, "text", {"class": kind}, x=x, y=_em(y))


def _line(
    parent: ET.Element, kind: str, across: tuple[float, float], down: tuple[float, float]
) -> None:
    ET.SubElement(
        parent,
        "line",
        {"class": kind},
        x1=_percent(across[0]),
        x2=_percent(across[1]),
        y1=_em(down[0]),
        y2=_em(down[1]),
    )


def _percent(value: float) -> str:
    return f"{round(value, 2):g}%"


def _em(value: float) -> str:
    return f"{round(value, 2):g}em"
