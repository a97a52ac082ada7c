"""The SVG elements of charts, placed in per cent from the left and in ems from the top.

Without a viewBox a chart is as wide as the page, while its text keeps the reader's font size.

A *look* is the number of a colour, stroke and marker, which charts.css knows as `look-0` and so on.
"""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from typing import Literal

    Anchor = Literal["start", "middle", "end"]
    Marker = Literal["disc", "square", "diamond", "triangle", "wedge"]

CASE_LOOKS = 4
"""How many looks there are for cases; a fifth case has that of the first."""

_MARKERS: tuple[Marker, ...] = (
    *("disc", "disc", "square", "diamond"),  # cases
    *("disc", "square", "triangle", "diamond", "wedge", "square"),  # frameworks
)

_LINE, _LINE_HEIGHT = 44, 1.4
"""How many letters of a note a phone of 320 px has room for, and how high a line is, in em."""


_WIDE = 39.0
"""How wide a line may be, in em, where charts.css shows titles whole: above 34rem, 41.8em here."""


def case_look(number: int) -> int:
    """Return the look of the case with this number."""
    return number % CASE_LOOKS


def framework_look(number: int) -> int:
    """Return the look of the framework with this number, which is none of a case."""
    return CASE_LOOKS + number % (len(_MARKERS) - CASE_LOOKS)


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


def finish(svg: ET.Element, height: float) -> str:
    """Return a drawing as text; its parts are not read out beside its alternative text."""
    svg.set("height", em(height))
    for part in svg:
        if part.tag not in {"title", "desc"}:
            part.set("aria-hidden", "true")
    return ET.tostring(svg, encoding="unicode")


def text(parent: ET.Element, kind: str, x: str, y: float, content: str) -> ET.Element:
    """Add text; `x` is a length of SVG."""
    element = ET.SubElement(parent, "text", {"class": kind}, x=x, y=em(y))
    element.text = content
    return element


def text_width(content: str) -> float:
    """Return about how wide a text is, in em."""
    return sum(1.0 if unicodedata.east_asian_width(each) in "WF" else 0.58 for each in content)


def axis_title(parent: ET.Element, x: str, y: float, content: str, *, above: bool = False) -> float:
    """Add the title of an axis, as a note.

    Where that has several lines and a large screen has room for one, it is added whole too, and
    charts.css shows the one or the other. `above`: the axis is drawn below its title, so the one
    line stands where the last of several would. Returns how far below `y` that is, in em.
    """
    height = note(parent, "axis", x, y, content)
    if height and text_width(content) <= _WIDE:
        parent[-1].set("class", "axis lines")
        whole = text(parent, "axis whole", x, y + height if above else y, content)
        whole.set("display", "none")  # where nothing tells how wide the chart is
    return height


def note(parent: ET.Element, kind: str, x: str, y: float, content: str) -> float:
    """Add a sentence about a chart, in lines that a phone has room for.

    Returns how far below `y` its last line stands, in em.
    """
    lines = textwrap.wrap(content, _LINE, break_long_words=False)
    # The spaces at their ends make them one sentence where they are read out or copied.
    first, *others = [*(f"{each} " for each in lines[:-1]), *lines[-1:]]
    element = text(parent, kind, x, y, first)
    for each in others:
        ET.SubElement(element, "tspan", x=x, dy=em(_LINE_HEIGHT)).text = each
    return _LINE_HEIGHT * len(others)


def reading(mark: ET.Element, *lines: str) -> None:
    """Say of a mark what can be read from it: what it is of, its value, its spread.

    It is the mark's `<title>`, which browsers show on hover; charts.js shows it to fingers and keys
    as well. It repeats what stands in the table of the chart.
    """
    title = ET.Element("title")
    title.text = "\n".join(lines)
    mark.insert(0, title)


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


def marker(parent: ET.Element, look: int, x: str, y: float) -> None:
    """Add the marker of a look; CSS tells those of one shape apart."""
    shape = _MARKERS[look]
    place = ET.SubElement(parent, "svg", x=x, y=em(y), overflow="visible")
    if shape == "disc":
        ET.SubElement(place, "circle", {"class": "mark"}, r="0.36em")
    elif shape in {"triangle", "wedge"}:
        # A polygon has no ems: the inner drawing is one em wide and high.
        box = {"x": "-0.5em", "y": "-0.5em", "width": "1em", "height": "1em"}
        inner = ET.SubElement(place, "svg", box, viewBox="-50 -50 100 100", overflow="visible")
        points = "0,-42 42,34 -42,34" if shape == "triangle" else "0,42 42,-34 -42,-34"
        ET.SubElement(inner, "polygon", {"class": "mark"}, points=points)
    else:
        square = ET.SubElement(place, "rect", {"class": "mark"}, x="-0.32em", y="-0.32em")
        square.set("width", "0.64em")
        square.set("height", "0.64em")
        if shape == "diamond":
            square.set("transform", "rotate(45)")


def percent(value: float) -> str:
    """Write a distance from the left."""
    return f"{round(value, 2):g}%"


def em(value: float) -> str:
    """Write a distance from the top, or from the left where it is the same at any width."""
    return f"{round(value, 2):g}em"
