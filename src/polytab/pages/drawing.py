"""Figures drawn as SVG stand inside the HTML, so that they follow the theme and the language.

An `<img>` cannot see the page's light or dark switch; inline, a drawing uses the same CSS
variables as the text. Its labels are messages, except those of class `code`; the alternative text
becomes the drawing's name. A drawing is markup from outside: only shapes and text come through.

`flow.narrow.svg` beside `flow.svg` is the same drawing, laid out for a phone. Without one, the text
of a drawing stays readable there, and the drawing scrolls in its box.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import tinycss2
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from polytab.model import Finding
from polytab.pages.unique_ids import free_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES = {
    *("svg", "g", "defs", "marker", "title", "desc", "text", "tspan"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
}
_PROPERTIES = {
    *("color", "fill", "fill-opacity", "fill-rule", "opacity", "paint-order", "visibility"),
    *("stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"),
    *("stroke-miterlimit", "stroke-opacity", "stroke-width", "vector-effect"),
    *("marker", "marker-start", "marker-mid", "marker-end"),
    *("font", "font-family", "font-size", "font-style", "font-variant", "font-weight"),
    *("dominant-baseline", "letter-spacing", "text-anchor", "text-decoration", "word-spacing"),
}
"""What the `style` of a shape may set: how it looks, and not where it stands."""

NARROW = ".narrow.svg"
"""How the name of a drawing for narrow screens ends."""

SMALLEST = 11.0
"""How high text is at least, in px; article.css has a drawing scroll rather than shrink further."""

_USUAL = 16.0
"""How high text is where a drawing says nothing of it."""

_LARGEST = 1_000_000
"""Bytes of a file; ours have a hundredth of it."""

_DEEPEST = 40
_SHOWN = 40
_OUTSIDE = re.compile(r"javascript:|url\((?!#)|//", re.IGNORECASE)
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_SIZE = re.compile(r"[1-9]\d{0,3}(\.\d{1,6})?")
_VIEW_BOX = re.compile(r"\s*(-?\d{1,6}(\.\d{1,6})?(\s*,\s*|\s+|\s*$)){4}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_log = logging.getLogger(__name__)


class drawing(nodes.General, nodes.Element, addnodes.translatable):  # noqa: N801  # docutils' case
    """An SVG that stands in the page itself; `labels` maps English to the page's language.

    `narrow` is the same drawing for a narrow screen, or "".
    """

    def preserve_original_messages(self) -> None:
        """Nothing to do: the labels stay as they are until they are written."""

    def apply_translated_message(self, original: str, translated: str) -> None:
        """Remember what a label is called in the page's language."""
        self["labels"][original] = translated

    def extract_original_messages(self) -> Sequence[str]:
        """Return the alternative text and every label that has words."""
        # The last one decides for Sphinx whether all is translated, and a label may stay as it is.
        return sorted(self["labels"], key=lambda each: each == self["alt"])


class DrawingError(ValueError):
    """A drawing holds what a page must not."""


class InlineDrawings(SphinxTransform):
    """Replace the images of a page that are SVG files by the drawings themselves."""

    default_priority = 5  # before Sphinx collects messages and images

    def apply(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Read each file; a figure keeps its number, caption and target."""
        taken: set[str] = set()
        for image in list(self.document.findall(nodes.image)):
            if not image["uri"].endswith(".svg") or not image.get("translatable", True):
                continue  # a picture that a script made is shown as it made it
            relative, path = self.env.relfn2path(image["uri"], self.env.docname)
            self.env.note_dependency(relative)
            try:
                root = read_drawing(Path(path), free_prefix(Path(path).stem, [""], taken))
                narrow = self._narrow(Path(path), relative, taken, root)
            except (OSError, DrawingError) as error:
                _log.warning("%s: %s", relative, error, location=image, type="polytab")
                continue
            alt = image.get("alt", "")
            messages = dict.fromkeys([alt, *(label.text or "" for label in _labels(root))])
            labels = {message: message for message in messages if message}
            svg = ET.tostring(root, encoding="unicode")
            _keep_link(image)
            image.replace_self(drawing("", svg=svg, narrow=narrow, alt=alt, labels=labels))

    def _narrow(self, path: Path, relative: str, taken: set[str], wide: ET.Element) -> str:
        """Return the narrow drawing beside one, or "". It says nothing that the wide one does not.

        So nothing more has to be translated.
        """
        file = path.with_suffix(NARROW)
        if not file.is_file():
            return ""
        self.env.note_dependency(str(Path(relative).with_suffix(NARROW)))
        root = read_drawing(file, free_prefix(file.stem.replace(".", "-"), [""], taken))
        known = {label.text for label in _labels(wide)}
        for label in _labels(root):
            if label.text not in known:
                raise DrawingError(f"`{label.text}` stands in {file.name} alone")
        return ET.tostring(root, encoding="unicode")


def _keep_link(image: nodes.image) -> None:
    """Put the link around a picture into a line: elsewhere Sphinx takes only pictures in links."""
    link = image.parent
    if isinstance(link, nodes.reference) and not isinstance(link.parent, nodes.TextElement):
        line = nodes.inline()
        link.replace_self(line)
        line += link


def read_drawing(path: Path, name: str) -> ET.Element:
    """Read an SVG; its ids are made unique by this name, and all must be harmless."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise DrawingError(f"is larger than {_LARGEST // 1000:,} kB")
        root = ET.fromstring(content)  # noqa: S314  # expat bounds entity expansion
    except ET.ParseError as error:
        raise DrawingError(f"is not XML: {error}") from None
    except LookupError as error:  # an encoding that Python does not know
        raise DrawingError(f"is not XML: {error}") from None
    if root.tag != f"{_SVG}svg" or not _VIEW_BOX.fullmatch(root.get("viewBox", "")):
        raise DrawingError("must be an <svg> with a viewBox")
    _check_depth(root)
    for element in root.iter():
        kind = str(element.tag).removeprefix(_SVG)
        if kind not in _SHAPES or (kind == "svg" and element is not root):
            raise DrawingError(f"<{kind[:_SHOWN]}> is not a shape or text")
        for key, value in element.attrib.items():
            _check_attribute(key, value)
            element.set(key, _REFERENCE.sub(rf"url(#{name}-\1)", value))
        if "id" in element.attrib:
            element.set("id", f"{name}-{element.attrib['id']}")
    return root


def _check_depth(root: ET.Element) -> None:
    """Raise DrawingError where elements stand in each other so deep that no writer follows."""
    layer = [root]
    for _ in range(_DEEPEST):
        layer = [child for element in layer for child in element]
    if layer:
        raise DrawingError(f"has elements nested deeper than {_DEEPEST}")


def _check_attribute(key: str, value: str) -> None:
    """Raise DrawingError where an attribute runs, fetches, or leaves the place of the drawing.

    A backslash hides a word from whoever reads the value, and no drawing needs one.
    """
    refused = key.startswith("on") or key == "overflow" or "href" in key
    if refused or _OUTSIDE.search(value) or "\\" in value:
        raise DrawingError(f"`{key[:_SHOWN]}` is not allowed")
    if key == "style":
        for declared in tinycss2.parse_blocks_contents(value, skip_comments=True):
            named = getattr(declared, "lower_name", "") if declared.type == "declaration" else ""
            if named not in _PROPERTIES and declared.type != "whitespace":
                raise DrawingError(f"`style` may not set `{named[:_SHOWN] or '?'}`")


def _labels(root: ET.Element) -> Iterator[ET.Element]:
    """Find the texts that are words, not code."""
    for element in root.iter():
        is_text = element.tag in {f"{_SVG}text", f"{_SVG}tspan"}
        is_code = "code" in element.get("class", "").split()
        if is_text and not is_code and _WORD.search(element.text or ""):
            yield element


def readable_width(root: ET.Element) -> int:
    """Return how wide a drawing must be, in px, for its smallest text to have SMALLEST."""
    width = float(root.attrib["viewBox"].replace(",", " ").split()[2])
    return math.ceil(width * SMALLEST / min(_text_sizes(root, _USUAL), default=_USUAL))


def _text_sizes(element: ET.Element, inherited: float) -> Iterator[float]:
    """Give the sizes of the texts of a drawing; sizes in other units than its own are not read."""
    said = element.get("font-size", "").removesuffix("px")
    size = float(said) if _SIZE.fullmatch(said) else inherited
    if element.tag in {f"{_SVG}text", f"{_SVG}tspan"} and (element.text or "").strip():
        yield size
    for child in element:
        yield from _text_sizes(child, size)


def _visit(translator: HTML5Translator, node: drawing) -> None:
    kind = "drawing wide" if node["narrow"] else "drawing"
    translator.body.append('<span class="drawing-box">')
    translator.body.append(_written(node, node["svg"], kind))
    if node["narrow"]:
        translator.body.append(_written(node, node["narrow"], "drawing narrow"))
    translator.body.append("</span>\n")
    raise nodes.SkipNode


def standalone(node: drawing, style: str) -> str:
    """Return a drawing in the language of the page, for a place without the page's stylesheets."""
    root = ET.fromstring(_written(node, node["svg"], "drawing"))  # noqa: S314  # ours
    root.set("style", style)
    return ET.tostring(root, encoding="unicode")


def _written(node: drawing, svg: str, kind: str) -> str:
    """Write a drawing in the language of the page."""
    root = ET.fromstring(svg)  # noqa: S314  # read_drawing has checked it
    for label in _labels(root):
        label.text = node["labels"].get(label.text, label.text)
    for unwanted in ("height", "style"):
        root.attrib.pop(unwanted, None)
    root.set("width", str(readable_width(root)))
    root.set("class", kind)
    root.set("role", "img")
    root.set("aria-label", node["labels"].get(node["alt"], node["alt"]))
    return ET.tostring(root, encoding="unicode")


def _skip(_translator: nodes.NodeVisitor, _node: drawing) -> None:
    raise nodes.SkipNode


def check_drawings(docs: Path) -> Iterator[Finding]:
    """Find the drawings below a folder that cannot be read or hold what a page must not."""
    for path in sorted(each for each in docs.rglob("*.svg") if each.is_file()):
        try:
            read_drawing(path, "checked")
        except (OSError, DrawingError) as error:
            yield Finding(path, None, "drawing", str(error))


def setup_drawing(app: Sphinx) -> None:
    """Add the transform and its node."""
    ET.register_namespace("", _SVG.strip("{}"))
    app.add_node(drawing, html=(_visit, None), text=(_skip, None), latex=(_skip, None))
    app.add_transform(InlineDrawings)
