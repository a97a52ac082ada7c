"""The title of a form: no heading, so that it is in no table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from polytab.pages.unique_ids import free_prefix

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.docutils import SphinxDirective
    from sphinx.writers.html5 import HTML5Translator


class form_title(nodes.rubric):  # noqa: N801  # docutils names nodes in lower case
    """A title, written as the HTML `element`; `prefix` are our own words before the author's."""


def author_title(directive: SphinxDirective, element: str, prefix: str = "") -> form_title:
    """Return the argument of a directive as a title, which Sphinx translates."""
    text = directive.arguments[0]
    inline, messages = directive.state.inline_text(text, directive.lineno)
    title = form_title(text, "", *inline, *messages, element=element, prefix=prefix)
    directive.set_source_info(title)
    return title


def own_title(text: str, element: str) -> form_title:
    """Return a title that says nothing but our own words."""
    return form_title("", text, element=element, prefix="", translatable=False)


def parse_content(directive: SphinxDirective, node: nodes.Element) -> None:
    """Parse the content of a form into its node.

    The node is told its document first: docutils gives a cell of a table its source from there, and
    Sphinx extracts no message without a source.
    """
    directive.set_source_info(node)
    node.document = directive.state.document
    directive.state.nested_parse(directive.content, directive.content_offset, node)


def set_id(directive: SphinxDirective, node: nodes.Element, kind: str, text: str) -> None:
    """Give a form the id of its option `:name:`, or one made from its kind and text."""
    document = directive.state.document
    if "name" in directive.options:
        directive.add_name(node)
    else:
        name = nodes.make_id(f"{kind}-{text}")
        node["ids"].append(free_prefix(name, [""], set(document.ids)))
        document.set_id(node)


def _visit(translator: HTML5Translator, node: form_title) -> None:
    translator.body.append(translator.starttag(node, node["element"], "", CLASS="form-title"))
    if node["prefix"]:
        prefix = translator.encode(node["prefix"])
        translator.body.append(f'<span class="form-kind">{prefix}</span>')


def _depart(translator: HTML5Translator, node: form_title) -> None:
    translator.body.append(f"</{node['element']}>\n")


def setup_title(app: Sphinx) -> None:
    """Add the node."""
    app.add_node(form_title, html=(_visit, _depart))
