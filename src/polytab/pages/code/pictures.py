"""Drawings that a script made: SVG with nothing in it but shapes, text and colours.

Such a drawing is a file of the site, shown as a picture. It may come from anybody's recording, so
it is held to a list: what could run, or fetch something, is left out.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = re.compile(r"(?:\{http://www\.w3\.org/1999/xlink\})?href")
_KINDS = {
    *("svg", "g", "defs", "symbol", "use", "marker", "clipPath", "title", "desc", "text", "tspan"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image"),
    *("linearGradient", "radialGradient", "stop", "pattern"),
}
_LINKED = re.compile(r"#[^\s#]+|data:image/png;base64,[A-Za-z0-9+/=\s]*")
_OUTSIDE = re.compile(r"[a-z]+script:|url\(\s*(?!#)|//|\\|@", re.IGNORECASE)
_DEEPEST = 100


def clean_svg(text: str) -> str | None:
    """Return a drawing with what may stand in one; None where the text is no drawing."""
    try:
        root = ET.fromstring(text)  # noqa: S314  # expat bounds the expansion of entities
    except (ET.ParseError, ValueError):
        return None
    if root.tag != f"{_SVG}svg":
        return None
    level = [root]
    for _ in range(_DEEPEST):
        for element in level:
            _keep_harmless(element)
        level = [child for element in level for child in element]
    if level:
        return None
    return ET.tostring(root, encoding="unicode")


def _keep_harmless(element: ET.Element) -> None:
    """Remove the attributes and the children that a drawing may not have."""
    for key, value in list(element.attrib.items()):
        link = _HREF.fullmatch(key) is not None
        allowed = _LINKED.fullmatch(value) if link else not _OUTSIDE.search(value)
        if not allowed or (not link and "}" in key) or key.lower().startswith("on"):
            del element.attrib[key]
    for child in list(element):
        kind = child.tag if isinstance(child.tag, str) else ""
        if not kind.startswith(_SVG) or kind.removeprefix(_SVG) not in _KINDS:
            element.remove(child)
