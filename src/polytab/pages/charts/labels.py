"""Labels of a chart, placed so that none touches another or a mark, on a phone or a large screen.

A place is in per cent from the left and a label's width in em, so whether two touch depends on the
width of the chart. It is known for a few widths from the narrowest phone to the widest page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.pages.charts.shapes import em, percent, text, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence
    from xml.etree import ElementTree as ET

    from polytab.pages.charts.shapes import Anchor

_PHONE = 23.0
"""How wide a chart is on a phone, in em; charts.css hides there what has no room (`spare`)."""

_SCREEN = 46.0
"""How wide it is on a large screen, in em: a label that has no room there is not written."""

_NARROW = (13.0, 15.0, 17.0, 20.0, 23.0, 26.0, 30.0, 34.0, 38.0)
"""Widths of a plane, in em, at which labels that are `spare` are hidden, up to the last."""

_WIDE = (35.0, 38.0, 41.0, 46.0, 52.0)
"""Widths of a plane, in em, at which all are shown."""

_GAP = 0.7
"""The least room between two labels of an axis, in em."""

_UP, _DOWN = 0.85, 0.3
"""How far a line of text reaches above and below its baseline, in em."""


@dataclass(frozen=True)
class Label:
    """A label below a horizontal axis: its place in per cent, and which end of it stands there."""

    at: float
    text: str
    anchor: Anchor = "middle"

    def span(self, width: float) -> tuple[float, float]:
        """Return where its ends are, about, in em, in a chart of this width."""
        return _span(self.at * width / 100, self.text, self.anchor)


@dataclass(frozen=True)
class Spot:
    """A point to be labelled: its place in per cent from the left and in em from the top."""

    at: float
    down: float
    texts: tuple[str, ...]
    """What it may be labelled with; a shorter text is taken where the one before has no room."""

    kind: str = "size"
    """The CSS class of the label."""


@dataclass(frozen=True)
class Obstacle:
    """What no label may cover: a stroke or a mark, straight between two places, so thick in em."""

    start: tuple[float, float]
    end: tuple[float, float]
    thick: float = 0.2


_Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in em."""

_OFFSETS: tuple[tuple[Anchor, float, float], ...] = (
    ("start", 0.75, 0.32),  # to the right of its point
    ("middle", 0.0, -0.85),  # above
    ("end", -0.75, 0.32),  # to the left
    ("middle", 0.0, 1.45),  # below
    *(("start", 0.5, -0.7), ("end", -0.5, -0.7), ("start", 0.5, 1.3), ("end", -0.5, 1.3)),
    *(("start", -0.4, -0.85), ("end", 0.4, -0.85)),  # above, and to one side
)


def labels(parent: ET.Element, y: float, row: Sequence[Label], margin: float = 0.0) -> None:
    """Add a row of labels, those that would touch on a phone as `spare`.

    Of two that would touch on any screen, the left one is not written. `margin`: what of the
    chart's width lies beside the axis, in em.
    """
    row = _with_room(row, _SCREEN - margin)
    on_a_phone = _with_room(row, _PHONE - margin)
    for each in row:
        kind = "tick" if each in on_a_phone else "tick spare"
        text(parent, kind, percent(each.at), y, each.text).set("text-anchor", each.anchor)


def spot_labels(
    parent: ET.Element,
    spots: Sequence[Spot],
    obstacles: Sequence[Obstacle],
    plane: tuple[float, float],
) -> None:
    """Label points, the first ones first, each where it covers nothing at any width.

    One that has such a place on wide screens only is `spare`; one that has none is left out.
    `plane` is where the labels may stand, in em from the top.
    """
    taken: list[_Placed] = []
    for spot in spots:
        for widths, spare in ((_NARROW + _WIDE, ""), (_WIDE, " spare")):
            tried = (_Placed(spot, text, *offset) for text in spot.texts for offset in _OFFSETS)
            found = next(
                (each for each in tried if each.is_free(taken, obstacles, plane, widths)), None
            )
            if found is not None:
                taken.append(found)
                found.write(parent, spot.kind + spare)
                break


@dataclass(frozen=True)
class _Placed:
    """A label at one of the places around its point."""

    spot: Spot
    said: str
    anchor: Anchor
    right: float
    below: float

    def box(self, width: float) -> _Box:
        """Return what it covers in a chart of this width."""
        left, right = _span(self.spot.at * width / 100 + self.right, self.said, self.anchor)
        baseline = self.spot.down + self.below
        return left, baseline - _UP, right, baseline + _DOWN

    def is_free(
        self,
        taken: Sequence[_Placed],
        obstacles: Sequence[Obstacle],
        plane: tuple[float, float],
        widths: Sequence[float],
    ) -> bool:
        """Tell whether it covers nothing in a chart of any of these widths."""
        for width in widths:
            left, top, right, bottom = box = self.box(width)
            if left < 0 or right > width or top < plane[0] or bottom > plane[1]:
                return False
            if any(_touch(box, each.box(width)) for each in taken):
                return False
            if any(_crosses(box, each, width) for each in obstacles):
                return False
        return True

    def write(self, parent: ET.Element, kind: str) -> None:
        """Add it to a drawing."""
        down = self.spot.down + self.below
        element = text(parent, kind, percent(self.spot.at), down, self.said)
        element.set("text-anchor", self.anchor)
        if self.right:
            element.set("dx", em(self.right))


def _touch(one: _Box, other: _Box) -> bool:
    beside = one[0] > other[2] or other[0] > one[2]
    return not (beside or one[1] > other[3] or other[1] > one[3])


def _crosses(box: _Box, obstacle: Obstacle, width: float) -> bool:
    """Tell whether a straight obstacle meets a box, by clipping the one with the other."""
    half = obstacle.thick / 2
    left, top, right, bottom = box[0] - half, box[1] - half, box[2] + half, box[3] + half
    (x, y), (end_x, end_y) = ((at * width / 100, down) for at, down in
                              (obstacle.start, obstacle.end))  # fmt: skip
    enter, leave = 0.0, 1.0
    for start, way, low, high in ((x, end_x - x, left, right), (y, end_y - y, top, bottom)):
        if not way:
            if not low <= start <= high:
                return False
            continue
        first, last = sorted(((low - start) / way, (high - start) / way))
        enter, leave = max(enter, first), min(leave, last)
    return enter <= leave


def _span(x: float, content: str, anchor: Anchor) -> tuple[float, float]:
    wide = text_width(content)
    before = {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return x - before, x - before + wide


def _with_room(row: Sequence[Label], width: float) -> list[Label]:
    """Return the labels that touch none on their right in a chart of this width, in order."""
    found: list[Label] = []
    edge = float("inf")
    for each in reversed(row):
        left, right = each.span(width)
        if right + _GAP <= edge:
            found.insert(0, each)
            edge = left
    return found
