"""Recorded outputs -> nodes, through MyST-NB's renderer, with what is unsafe taken out.

Markup in outputs is cleaned by nh3, and a MIME type that is not in RENDERED_TYPES is never
rendered. Every node is marked as not translatable: outputs are the same in every language.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import nh3
from docutils import nodes
from myst_nb.core.loggers import SphinxDocLogger
from myst_nb.core.render import NbElementRenderer, load_renderer
from myst_nb.core.variables import VariableOutput, render_variable_outputs
from myst_nb.sphinx_ import SphinxNbRenderer
from myst_parser.parsers.mdit import create_md_parser
from nbformat import NotebookNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_SIGNATURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
RENDERED_TYPES = ("text/html", "image/png", "image/jpeg", "text/plain")
"""The MIME types that are rendered. Of each output, the first that it has is shown."""

_INVISIBLE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_RENDERER = "polytab_output_renderer"


@dataclass(frozen=True)
class SourceLocation:
    """The file and line of the directive that shows an output."""

    source: str
    line: int


def output_nodes(
    env: BuildEnvironment,
    document: nodes.document,
    outputs: Iterable[Mapping[str, Any]],
    location: SourceLocation,
) -> list[nodes.Node]:
    """Return the nodes of the outputs of one cell."""
    renderer = _renderer(env, document)
    made: list[nodes.Node] = []
    for output in outputs:
        made.extend(_nodes(renderer, document, NotebookNode(output), location))
    for node in made:
        for each in node.findall(nodes.Element):
            each["translatable"] = False
        for block in node.findall(nodes.literal_block):
            block["language"] = "text"  # neither outputs nor tracebacks are highlighted
    return made


def clean(markup: str) -> str:
    """Return HTML without anything that could run code or fetch a file."""
    return nh3.clean(_printable(markup), tags=nh3.ALLOWED_TAGS - {"img"})


def _printable(text: str) -> str:
    """Remove terminal escapes and other invisible characters.

    The recorder removes them too, but a file in `recordings/` may come from anybody.
    """
    return _INVISIBLE.sub("", text)


def _nodes(
    renderer: NbElementRenderer,
    document: nodes.document,
    output: NotebookNode,
    location: SourceLocation,
) -> list[nodes.Node]:
    kind = output["output_type"]
    if kind == "stream":
        output["text"] = _printable(output["text"])
        render = renderer.render_stdout if output["name"] == "stdout" else renderer.render_stderr
        return list(render(output, {}, 0, location.line))
    if kind == "error":
        output["traceback"] = [_printable(line) for line in output["traceback"]]
        return list(renderer.render_error(output, {}, 0, location.line))
    mime = next((each for each in RENDERED_TYPES if _has_type(output["data"], each)), None)
    if mime is None:
        return []
    make = {"text/html": clean, "text/plain": _printable}.get(mime, str)
    shown = VariableOutput({mime: make(output["data"][mime])}, {}, renderer, "output")
    return list(render_variable_outputs([shown], document, location.line, location.source))


def _has_type(data: Mapping[str, str], mime: str) -> bool:
    """Tell whether an output has data of this MIME type, and real image data for an image type."""
    if mime not in data or mime not in _SIGNATURES:
        return mime in data
    try:
        return base64.b64decode(data[mime]).startswith(_SIGNATURES[mime])
    except ValueError:
        return False


def _renderer(env: BuildEnvironment, document: nodes.document) -> NbElementRenderer:
    """Return MyST-NB's renderer for this document, which is made once."""
    if _RENDERER not in env.temp_data:
        config: Any = env
        parser = create_md_parser(config.myst_config, SphinxNbRenderer)
        parser.options["document"] = document
        parser.options["nb_config"] = config.mystnb_config
        markdown: Any = parser.renderer
        markdown.setup_render(parser.options, {})
        make = load_renderer(config.mystnb_config.render_plugin)
        env.temp_data[_RENDERER] = make(markdown, SphinxDocLogger(document))
    renderer: NbElementRenderer = env.temp_data[_RENDERER]
    return renderer


def _set_image_folder(app: Sphinx) -> None:
    """Have MyST-NB write images beside the doctrees of each language, not into the site."""
    env: Any = app.env
    env.mystnb_config = env.mystnb_config.copy(output_folder=str(app.doctreedir / "outputs"))


def setup_outputs(app: Sphinx) -> None:
    """Change MyST-NB's settings after it has read them."""
    app.connect("builder-inited", _set_image_folder, priority=600)
