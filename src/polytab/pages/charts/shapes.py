"""The SVG elements of charts, placed in per cent from the left and in ems from the top.

Without a viewBox a chart is as wide as the page, while its text keeps the reader's font size.
"""

from __future__ import annotations

import textwrap
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence

    Anchor = Literal["start", "middle", "end"]

_PHONE = 23.0
"""How wide a chart is on a phone, in em; charts.css hides there what has no room (`spare`)."""

_SCREEN = 46.0
"""How wide it is on a large screen, in em: a label that has no room there is not written."""

_GAP = 0.7
"""The least room between two labels, in em."""

_LINE, _LINE_HEIGHT = 44, 1.4
"""How many letters of a note a phone of 320 px has room for, and how high a line is, in em."""

STYLES = 4
"""How many styles of a case charts.css knows; a fifth case has the style of the first."""


def image(kind: str, ident: str, title: str, description: str) -> ET.Element:
    """Return an empty `<svg>` with its title and alternative text."""
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",  # an e-book's pages are XML
            "class": kind,
            "role": "img",
            "aria-labelledby": f"{ident}-title {ident}-desc",
            "width": "100%",
        },
    )
    ET.SubElement(svg, "title", id=f"{ident}-title").text = title
    ET.SubElement(svg, "desc", id=f"{ident}-desc").text = description
    return svg


def text(parent: ET.Element, kind: str, x: float, y: float, content: str) -> ET.Element:
    """Add text."""
    element = ET.SubElement(parent, "text", {"class": kind}, x=percent(x), y=em(y))
    element.text = content
    return element


def note(parent: ET.Element, y: float, content: str) -> float:
    """Add a sentence about a chart, in lines that a phone has room for.

    Returns how far below `y` its last line stands, in em.
    """
    lines = textwrap.wrap(content, _LINE, break_long_words=False)
    # The spaces at their ends make them one sentence where they are read out or copied.
    first, *others = [*(f"{each} " for each in lines[:-1]), *lines[-1:]]
    element = text(parent, "said", 0, y, first)
    for each in others:
        ET.SubElement(element, "tspan", x="0", dy=em(_LINE_HEIGHT)).text = each
    return _LINE_HEIGHT * len(others)


def line(
    parent: ET.Element, kind: str, across: tuple[float, float], down: tuple[float, float]
) -> None:
    """Add a straight line."""
    ET.SubElement(
        parent,
        "line",
        {"class": kind},
        x1=percent(across[0]),
        x2=percent(across[1]),
        y1=em(down[0]),
        y2=em(down[1]),
    )


@dataclass(frozen=True)
class Label:
    """A label below a horizontal axis: its place in per cent, and which end of it stands there."""

    at: float
    text: str
    anchor: Anchor = "middle"

    def span(self, width: float) -> tuple[float, float]:
        """Return where its ends are, about, in em, in a chart of this width."""
        wide = sum(
            1.0 if unicodedata.east_asian_width(each) in "WF" else 0.56 for each in self.text
        )
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        left = self.at * width / 100 - before
        return left, left + wide


def labels(parent: ET.Element, y: float, row: Sequence[Label]) -> None:
    """Add a row of labels, those that would touch on a phone as `spare`.

    Of two that would touch on any screen, the left one is not written.
    """
    row = _with_room(row, _SCREEN)
    on_a_phone = _with_room(row, _PHONE)
    for each in row:
        kind = "tick" if each in on_a_phone else "tick spare"
        text(parent, kind, each.at, y, each.text).set("text-anchor", each.anchor)


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


def point(parent: ET.Element, style: int, x: str, y: float) -> None:
    """Add the mark of a style: a disc for the first two (CSS tells them apart), square, diamond."""
    place = ET.SubElement(parent, "svg", x=x, y=em(y), overflow="visible")
    if style % STYLES < STYLES - 2:
        ET.SubElement(place, "circle", {"class": "mark"}, r="0.36em")
        return
    square = ET.SubElement(place, "rect", {"class": "mark"}, x="-0.32em", y="-0.32em")
    square.set("width", "0.64em")
    square.set("height", "0.64em")
    if style % STYLES == STYLES - 1:
        square.set("transform", "rotate(45)")


def percent(value: float) -> str:
    """Write a distance from the left."""
    return f"{round(value, 2):g}%"


def em(value: float) -> str:
    """Write a distance from the top."""
    return f"{round(value, 2):g}em"
