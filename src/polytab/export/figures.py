"""The figures of a page as addresses that hold them, for a notebook: nothing lies beside one.

A figure is named in the text, `![what it shows][name]`, and a notebook defines the name in the same
cell, as an address with the whole picture in it. JupyterLab shows no SVG that is an attachment. A
drawing takes its colours from the page around it, so here it brings those of an e-book, on white.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from polytab.pages.drawing import drawing, standalone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_COLOURS = Path(__file__).parent / "static" / "ebook.css"
_VARIABLE = re.compile(r"--color-[\w-]+: [^;]+;")
_GROUND = "background: #fff; color: #000; font-family: sans-serif; "
_TYPES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}


def figure_name(figure: nodes.figure) -> str:
    """Return the name of a figure in the text of a download: its first id."""
    return str(next(iter(figure["ids"]), "figure"))


def pictures(document: nodes.document, sources: Path) -> dict[str, str]:
    """Return the picture of each figure of a page, as an address, by the figure's name.

    `sources` is the folder of the pages.
    """
    found: dict[str, str] = {}
    for figure in document.findall(nodes.figure):
        for shape in figure.findall(drawing):
            svg = standalone(shape, _GROUND + _colours())
            found[figure_name(figure)] = _address("image/svg+xml", svg.encode())
        for image in figure.findall(nodes.image):
            path = sources / str(image["uri"])
            if path.suffix.lower() in _TYPES and path.is_file():
                found[figure_name(figure)] = _address(
                    _TYPES[path.suffix.lower()], path.read_bytes()
                )
    return found


def define_pictures(text: str, known: Mapping[str, str]) -> str:
    """Return the text of a cell with the pictures that it names."""
    named: Iterable[str] = (name for name in known if f"][{name}]" in text)
    definitions = "\n".join(f"[{name}]: {known[name]}" for name in named)
    return f"{text}\n\n{definitions}" if definitions else text


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@cache
def _colours() -> str:
    """Return the colours of an e-book as declarations."""
    return " ".join(_VARIABLE.findall(_COLOURS.read_text(encoding="utf-8")))
