"""Recorded outputs -> nodes, through MyST-NB's renderer, with what is unsafe taken out.

Markup in outputs is cleaned by nh3; a type that is not in SHOWN is never rendered. Every node is
marked as not translatable: an output is what the code printed, in every language.
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

_MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
SHOWN = ("text/html", "image/png", "image/jpeg", "text/plain")
"""The types that are rendered, the richest first; the first that an output has is shown."""

_UNSEEN = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_RENDERER = "polytab_output_renderer"


@dataclass(frozen=True)
class Place:
    """Where in the sources an output is shown."""

    source: str
    line: int


def output_nodes(
    env: BuildEnvironment,
    document: nodes.document,
    outputs: Iterable[Mapping[str, Any]],
    place: Place,
) -> list[nodes.Node]:
    """Render the outputs of one cell."""
    renderer = _renderer(env, document)
    made: list[nodes.Node] = []
    for output in outputs:
        made.extend(_nodes(renderer, document, NotebookNode(output), place))
    for node in made:
        for each in node.findall(nodes.Element):
            each["translatable"] = False
        for block in node.findall(nodes.literal_block):
            block["language"] = "text"  # an output is no program, a traceback neither
    return made


def clean(markup: str) -> str:
    """Leave only markup that runs nothing and fetches nothing."""
    return nh3.clean(_plain(markup), tags=nh3.ALLOWED_TAGS - {"img"})


def _plain(text: str) -> str:
    """Leave out commands to a terminal and other characters that nobody can see.

    The recorder does so too, but what lies in `recordings/` may come from anybody.
    """
    return _UNSEEN.sub("", text)


def _nodes(
    renderer: NbElementRenderer, document: nodes.document, output: NotebookNode, place: Place
) -> list[nodes.Node]:
    kind = output["output_type"]
    if kind == "stream":
        output["text"] = _plain(output["text"])
        render = renderer.render_stdout if output["name"] == "stdout" else renderer.render_stderr
        return list(render(output, {}, 0, place.line))
    if kind == "error":
        output["traceback"] = [_plain(line) for line in output["traceback"]]
        return list(renderer.render_error(output, {}, 0, place.line))
    mime = next((each for each in SHOWN if _shows(output["data"], each)), None)
    if mime is None:
        return []
    make = {"text/html": clean, "text/plain": _plain}.get(mime, str)
    shown = VariableOutput({mime: make(output["data"][mime])}, {}, renderer, "output")
    return list(render_variable_outputs([shown], document, place.line, place.source))


def _shows(data: Mapping[str, str], mime: str) -> bool:
    """Tell whether an output has this type, and is what it says where it is a picture."""
    if mime not in data or mime not in _MAGIC:
        return mime in data
    try:
        return base64.b64decode(data[mime]).startswith(_MAGIC[mime])
    except ValueError:
        return False


def _renderer(env: BuildEnvironment, document: nodes.document) -> NbElementRenderer:
    """Return MyST-NB's renderer for this document, made once."""
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


def _keep_files_apart(app: Sphinx) -> None:
    """Write images where each language keeps its own files, not into the published site."""
    env: Any = app.env
    env.mystnb_config = env.mystnb_config.copy(output_folder=str(app.doctreedir / "outputs"))


def setup_outputs(app: Sphinx) -> None:
    """Correct MyST-NB's settings once it has made them."""
    app.connect("builder-inited", _keep_files_apart, priority=600)
