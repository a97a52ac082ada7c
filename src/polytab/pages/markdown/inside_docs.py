"""Links, pictures and downloads stay inside the folder of the pages.

Sphinx copies any file a page names into the site, wherever it lies. What is not in `docs/`, or only
seems to be because a link leads out, is taken out of the page with a warning before it is copied.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from polytab.pages.code.snippet import snippet_output
from polytab.pages.markdown.allowed import SCHEMES, far_picture, outside

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)
_LIVE = re.compile(r"\\(?:href|url|class|style|cssId|data|require|includegraphics|html[A-Za-z]*)\b")
"""What would let a formula link, fetch or dress up as something else."""


class StayInside(SphinxTransform):
    """Look at every address of a page before anything is read or copied because of it."""

    default_priority = 1  # before drawings are read

    def apply(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Take out what leads out."""
        outputs = list(self.document.findall(snippet_output))  # cleaned already, and our own files
        ours = {id(node) for box in outputs for node in box.findall(nodes.Node)}
        elements: list[nodes.Element] = list(self.document.findall(nodes.Element))
        for node in elements:
            if id(node) not in ours and (said := self._problem(node)):
                _log.warning(said, location=node, type="polytab", subtype="outside")
                _take_out(node)

    def _problem(self, node: nodes.Element) -> str | None:
        said: str | None = None
        match node:
            case nodes.image():
                said = self._picture(node["uri"])
            case nodes.math() | nodes.math_block():
                said = _formula(node.astext())
            case addnodes.download_reference():
                said = self._file(node["reftarget"])
            case nodes.reference() if "refuri" in node:
                said = outside(self.env.docname, node["refuri"])
            case addnodes.toctree():
                said = next(filter(None, (_entry(entry) for _, entry in node["entries"])), None)
        return said

    def _picture(self, address: str) -> str | None:
        return far_picture(address) or self._file(address)

    def _file(self, address: str) -> str | None:
        """Say why this file may not be shown."""
        if said := outside(self.env.docname, address):
            return said
        root = Path(self.env.srcdir).resolve()
        _, path = self.env.relfn2path(address, self.env.docname)
        if not Path(path).resolve().is_relative_to(root):
            return (
                f"`{address[:60]}` leads out of the folder of the pages: put the file itself there"
            )
        if Path(path).exists() and not Path(path).is_file():
            return f"`{address[:60]}` is no file: name one"  # a pipe would be read for ever
        return None


class StayInsideTranslated(StayInside):
    """The same for what came with translations."""

    default_priority = 400  # after Sphinx has put them in, at 20


def _formula(text: str) -> str | None:
    live = _LIVE.search(text)
    return f"a formula may not use `{live[0]}`: do it in the text around it" if live else None


def _entry(address: str) -> str | None:
    scheme, sign, _ = address.partition(":")
    if not sign or scheme.lower() in SCHEMES:
        return None
    return f"`{address[:60]}` is neither a page nor a web address"


def _take_out(node: nodes.Element) -> None:
    """Leave the words of a link, and nothing of a picture or a list of pages."""
    words = isinstance(node, nodes.TextElement) and not isinstance(node, nodes.math)
    kept = list(node.children) if words and not isinstance(node, nodes.math_block) else []
    link = node.parent
    if isinstance(node, nodes.image) and isinstance(link, nodes.reference) and len(link) == 1:
        node = link  # a link around nothing is none
    node.replace_self(kept)


def setup_inside(app: Sphinx) -> None:
    """Add the transforms."""
    app.add_transform(StayInside)
    app.add_transform(StayInsideTranslated)
