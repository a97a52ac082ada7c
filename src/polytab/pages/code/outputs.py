"""Recorded outputs -> nodes, through MyST-NB's renderer, with what is unsafe taken out.

Markup in outputs is cleaned by nh3, drawings by `clean_svg`, and a MIME type that is not in
RENDERED_TYPES is never rendered. Every node is marked as not translatable: outputs are the same in
every language.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import nh3
from docutils import nodes
from markdown_it import MarkdownIt
from myst_nb.core.loggers import SphinxDocLogger
from myst_nb.core.render import MimeData, NbElementRenderer, load_renderer
from myst_nb.sphinx_ import SphinxNbRenderer
from myst_parser.parsers.mdit import create_md_parser
from nbformat import NotebookNode
from sphinx.transforms.post_transforms import SphinxPostTransform

from polytab.interface.messages import translate as _
from polytab.pages.code.pictures import clean_svg
from polytab.pages.formulas import FormulaError, mathml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_SIGNATURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
RENDERED_TYPES = (
    *("text/html", "image/svg+xml", "image/png", "image/jpeg"),
    *("text/markdown", "text/latex", "text/plain"),
)
"""The MIME types that are rendered. Of each output, the first that it has is shown."""

_FORMULA = re.compile(
    r"\$\$(?P<block>[^$]+)\$\$|\$(?P<inline>[^$]+)\$|(?P<bare>\\begin.+)", re.DOTALL
)
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")

_INVISIBLE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)")
_VOID = frozenset({"area", "br", "col", "hr", "img", "wbr"})
_DEEPEST = 100
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
        made.extend(_nodes(renderer, NotebookNode(output), location))
    for node in made:
        for each in node.findall(nodes.Element):
            each["translatable"] = False
        for block in node.findall(nodes.literal_block):
            block["language"] = "text"  # neither outputs nor tracebacks are highlighted
    return made


def clean(markup: str) -> str:
    """Return HTML without anything that could run code or fetch a file."""
    return nh3.clean(_printable(markup), tags=nh3.ALLOWED_TAGS - {"img"})


def _html(markup: str) -> str | None:
    """Return cleaned HTML; None where it is nested so deep that what reads the page would end."""
    cleaned, depth = clean(markup), 0
    for tag in _TAG.finditer(cleaned):
        depth += -1 if tag["end"] else tag["name"] not in _VOID
        if depth > _DEEPEST:
            return None
    return cleaned


def _printable(text: str) -> str:
    """Remove terminal escapes and other invisible characters.

    The recorder removes them too, but a file in `recordings/` may come from anybody.
    """
    return _INVISIBLE.sub("", text)


def _nodes(
    renderer: NbElementRenderer,
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
    safe = safe_data(output["data"])
    if not safe:
        types = ", ".join(sorted(map(_printable, output["data"])))
        text = _("An output of type {type} cannot be shown on a page.").format(type=types)
        return [nodes.paragraph("", text, classes=["output-unknown"])]
    mime, data = next(iter(safe.items()))
    if mime in {"text/html", "text/markdown"}:
        markup = data if mime == "text/html" else clean(_MARKDOWN.render(data))
        return [nodes.raw("", markup, format="html", classes=["output", "text_html"])]
    if mime == "text/latex":
        return [nodes.math_block(data, data, nowrap=True, number=None, label=None)]
    return list(renderer.render_mime_type(MimeData(mime, data, line=location.line)))


def safe_data(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what pages may show of an output: cleaned data by MIME type, the first one first."""
    texts = {mime: data[mime] for mime in RENDERED_TYPES if isinstance(data.get(mime), str)}
    read = {mime: _READ[mime](text) for mime, text in texts.items()}
    return {mime: text for mime, text in read.items() if text is not None}


def _latex(text: str) -> str | None:
    """Return the formula in LaTeX's delimiters; None where it cannot be shown."""
    found = _FORMULA.fullmatch(_printable(text).strip())
    if found is None:
        return None
    formula = found["block"] or found["inline"] or found["bare"]
    try:
        mathml(formula, block=True)
    except FormulaError:
        return None
    return formula


def _image(mime: str, text: str) -> str | None:
    """Return the data of a picture; None where it is none of this type."""
    try:
        right = base64.b64decode(text).startswith(_SIGNATURES[mime])
    except ValueError:
        return None
    return text if right else None


_READ: Mapping[str, Callable[[str], str | None]] = {
    "text/html": _html,
    "image/svg+xml": clean_svg,
    **{mime: partial(_image, mime) for mime in _SIGNATURES},
    "text/markdown": _printable,
    "text/latex": _latex,
    "text/plain": _printable,
}


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


class SetAlternativeTexts(SphinxPostTransform):
    """Set the alternative texts that the images of outputs have noted.

    Sphinx extracts whatever an image has as its alternative text, and these are no messages.
    """

    default_priority = 100
    formats = ("html",)

    def run(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Set them on the page that is being written."""
        for image in self.document.findall(nodes.image):
            if "output_of" in image:
                image["alt"] = image["output_of"]


def setup_outputs(app: Sphinx) -> None:
    """Change MyST-NB's settings after it has read them, and describe images."""
    app.add_post_transform(SetAlternativeTexts)
    app.connect("builder-inited", _set_image_folder, priority=600)
