"""The SVG elements of charts, placed in per cent from the left and in ems from the top.

Without a viewBox a chart is as wide as the page, while its text keeps the reader's font size.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

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
