"""Figures drawn as SVG stand inside the HTML, so that they follow the theme's colours.

An `<img>` cannot see the page's light or dark switch; inline, a drawing uses the same CSS
variables as the text. The alternative text becomes the drawing's name.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from typing import Any

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_OPEN = re.compile(r"<svg\b[^>]*>")
_VIEW_BOX = re.compile(r'viewBox="[^"]*"')


class drawing(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """An SVG that stands in the page itself."""


class InlineDrawings(SphinxPostTransform):
    """Replace the images of a page that are SVG files by the drawings themselves."""

    default_priority = 300  # once Sphinx has found and checked the files
    formats = ("html",)

    def run(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Read each file; a figure keeps its number, caption and target."""
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir) / image["uri"]
            if path.suffix == ".svg" and path.is_file():
                self.env.note_dependency(path)
                text = path.read_text(encoding="utf-8")
                image.replace_self(drawing("", svg=text, alt=image.get("alt", "")))


def _visit(translator: HTML5Translator, node: drawing) -> None:
    match = _OPEN.search(node["svg"])
    view_box = _VIEW_BOX.search(match[0]) if match else None
    if match is None or view_box is None:
        msg = "a drawing must be an <svg> with a viewBox"
        raise nodes.NodeFound(msg)
    name = escape(node["alt"], quote=True)
    start = f'<svg class="drawing" role="img" aria-label="{name}" {view_box[0]}>'
    translator.body.append(start + node["svg"][match.end() :].strip())
    raise nodes.SkipNode


def setup_drawing(app: Sphinx) -> None:
    """Add the transform and its node."""
    app.add_node(drawing, html=(_visit, lambda *_: None))
    app.add_post_transform(InlineDrawings)
