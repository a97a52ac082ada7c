"""The strokes of our drawings: SVG elements placed in per cent across and in ems down.

Without a viewBox a drawing follows the width of the page while its words keep the reader's size.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

STYLES = 4
"""How many looks of a mark charts.css knows; a fifth case looks like the first."""


def image(kind: str, ident: str, title: str, description: str) -> ET.Element:
    """Start a drawing that says what it shows to those who do not see it."""
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


def text(parent: ET.Element, kind: str, x: float, y: float, words: str) -> ET.Element:
    """Write words."""
    made = ET.SubElement(parent, "text", {"class": kind}, x=percent(x), y=em(y))
    made.text = words
    return made


def line(
    parent: ET.Element, kind: str, across: tuple[float, float], down: tuple[float, float]
) -> None:
    """Draw a straight line."""
    ET.SubElement(
        parent,
        "line",
        {"class": kind},
        x1=percent(across[0]),
        x2=percent(across[1]),
        y1=em(down[0]),
        y2=em(down[1]),
    )


def point(parent: ET.Element, look: int, x: str, y: float) -> None:
    """Draw a disc, a disc, a square or a diamond: what charts.css cannot tell apart."""
    place = ET.SubElement(parent, "svg", x=x, y=em(y), overflow="visible")
    if look % STYLES < STYLES - 2:
        ET.SubElement(place, "circle", {"class": "mark"}, r="0.36em")
        return
    square = ET.SubElement(place, "rect", {"class": "mark"}, x="-0.32em", y="-0.32em")
    square.set("width", "0.64em")
    square.set("height", "0.64em")
    if look % STYLES == STYLES - 1:
        square.set("transform", "rotate(45)")


def percent(value: float) -> str:
    """Spell a place across."""
    return f"{round(value, 2):g}%"


def em(value: float) -> str:
    """Spell a place down."""
    return f"{round(value, 2):g}em"
