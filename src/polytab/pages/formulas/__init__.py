"""Formulas become MathML while the page is built: no JavaScript, no font, nothing fetched.

latex2mathml reads almost anything without complaint, so what it makes is looked at: a command it
does not know, a brace without its other half, and what would not be shown alike everywhere are
faults. A fault is a warning with its place, and the formula is shown as it was written.

Invariant, guarded by tests/pages/test_formulas.py: no page loads MathJax, and a formula holds
nothing but MathML of the kinds below.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from polytab.interface.messages import translate as _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_log = logging.getLogger(__name__)
_MATHML = "{http://www.w3.org/1998/Math/MathML}"
_KINDS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "mphantom"),
    *("mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover"),
    *("mtable", "mtr", "mtd"),
}
_REFUSED = {"href", "style", "class", "id", "linebreak"}
"""Attributes that lead elsewhere, that our content policy forbids, or that no browser honours."""

_READ_AS = {
    "align": "align*",  # Sphinx numbers an equation, by its label; latex2mathml would, by itself
    "aligned": "split",
    "equation": "",
    "equation*": "",
}
_ENVIRONMENTS = {
    *("align*", "split", "cases", "array", "substack", "smallmatrix", ""),
    *(f"{kind}matrix{star}" for kind in ("", "p", "b", "B", "v", "V") for star in ("", "*")),
}
_ENVIRONMENT = re.compile(r"\\(?P<edge>begin|end)\{(?P<name>[^{}]*)\}")
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class FormulaError(ValueError):
    """A formula cannot be shown as it was meant."""


def mathml(latex: str, *, block: bool) -> str:
    """Write a formula as MathML."""
    text = _ENVIRONMENT.sub(_environment, latex.strip())
    if block and r"\\" in _without_environments(text):
        text = rf"\begin{{split}}{text}\end{{split}}"  # as Sphinx has it for every renderer
    _check_braces(text)
    try:
        made = convert(text, display="block" if block else "inline")
    except Exception as error:  # its errors share no base, and some are an IndexError
        name = type(error).__name__.removesuffix("Error")
        raise FormulaError(str(error) or _CAPITAL.sub(" ", name).lower()) from error
    return _checked(made)


def _environment(match: re.Match[str]) -> str:
    """Call an environment by the name that latex2mathml knows."""
    name = _READ_AS.get(match["name"], match["name"])
    if name not in _ENVIRONMENTS:
        raise FormulaError(f"the environment `{name}` is not known")
    return f"\\{match['edge']}{{{name}}}" if name else ""


def _without_environments(text: str) -> str:
    """Cut out what stands in an environment, which ends its own lines."""
    kept, depth, last = "", 0, 0
    for match in _ENVIRONMENT.finditer(text):
        if depth == 0:
            kept += text[last : match.start()]
        depth += 1 if match["edge"] == "begin" else -1
        last = match.end()
    return kept + text[last:]


def _check_braces(text: str) -> None:
    depth = 0
    for character in _ESCAPED.sub("", text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            raise FormulaError("a `}` closes nothing")
    if depth:
        raise FormulaError("a `{` is not closed")


def _checked(made: str) -> str:
    """Refuse what is no MathML of ours; write the rest without needless entities."""
    try:
        root = ET.fromstring(made)  # noqa: S314  # our own formula, and expat bounds expansion
    except ET.ParseError:
        fault = "an `&` stands outside of a table or an alignment, or a `<` or `&` in a text"
        raise FormulaError(fault) from None
    for element in root.iter():
        kind = str(element.tag).removeprefix(_MATHML)
        said = (element.text or "").strip()
        if said.startswith("\\"):
            raise FormulaError(f"the command `{said}` is not known")
        refused = _REFUSED & element.attrib.keys()
        if kind not in _KINDS or refused:
            raise FormulaError(f"`{', '.join(sorted(refused)) or kind}` is not shown everywhere")
        if element.get("width") == "negativethinmathspace":
            element.set("width", "-0.167em")  # browsers know no names of spaces any more
        element.tag = kind
    return ET.tostring(root, encoding="unicode")


class KeepFormulas(SphinxTransform):
    """Take block formulas out of translation, which would break them; they say the same in all."""

    default_priority = 15  # Sphinx translates at 20

    def apply(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Mark them."""
        for node in self.document.findall(nodes.math_block):
            node["translatable"] = False


def _formula(node: nodes.Element, *, block: bool) -> str | None:
    try:
        return mathml(node.astext(), block=block)
    except FormulaError as error:
        message = "cannot read the formula: %s; see decision record 0010 for what is read"
        _log.warning(message, error, location=node, type="polytab", subtype="math")
        return None


def _visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    made = _formula(node, block=False)
    translator.body.append(made or f"<code>{translator.encode(node.astext())}</code>")
    raise nodes.SkipNode


def _visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    made = _formula(node, block=True)
    body = made or f"<pre>{translator.encode(node.astext())}</pre>"
    translator.body.append(translator.starttag(node, "div", CLASS="equation"))
    translator.body.append(f'<div class="equation-body">{body}</div>')
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, str(_("Link to this equation")))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup_formulas(app: Sphinx) -> None:
    """Write formulas ourselves; Sphinx then asks for no MathJax."""
    app.add_html_math_renderer("polytab", (_visit_inline, None), (_visit_block, None))
    app.add_transform(KeepFormulas)
    app.add_css_file("formulas.css")
