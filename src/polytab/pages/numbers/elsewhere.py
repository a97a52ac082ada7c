"""Whose measurements a number, a verdict or a chart shows: its own page's, or another's.

A `{result}` shows those of another page, and of one framework where it names one, as if what it
holds stood in that framework's tab there. A directive asks while it is parsed, when its node has no
parents yet; a role asks in the finished page, because translated messages are parsed elsewhere.

Law, guarded by tests/pages/forms/test_result.py: a page is read again when a measurement of another
page that it shows has changed.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from polytab.pages.code.tabs import current_tab, set_framework
from polytab.pages.inputs import note_shown_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    from polytab.model import Framework

_PAGE = "measured_page"
_PARSED_NOW = "polytab_measured_elsewhere"


@contextmanager
def measured_elsewhere(
    directive: SphinxDirective, node: nodes.Element, page: str, framework: Framework | None
) -> Iterator[None]:
    """Have what is parsed into a node show the measurements of a page, and of one framework."""
    node[_PAGE] = page
    if framework is not None:
        set_framework(node, framework.name, framework.title)
    note_shown_page(directive.env, page)
    data = directive.env.temp_data
    before = data.get(_PARSED_NOW)
    data[_PARSED_NOW] = page, framework.title if framework else None
    try:
        yield
    finally:
        data[_PARSED_NOW] = before


def page_at(directive: SphinxDirective) -> str:
    """Return the page whose measurements a directive shows."""
    found = directive.env.temp_data.get(_PARSED_NOW)
    return str(found[0]) if found else directive.env.docname


def tab_at(directive: SphinxDirective) -> str | None:
    """Return the label of the tab that a directive stands in, or is shown as if it stood there."""
    found = directive.env.temp_data.get(_PARSED_NOW)
    return found[1] if found else current_tab(directive)


def is_elsewhere(directive: SphinxDirective) -> bool:
    """Tell whether a directive shows the measurements of another page."""
    return directive.env.temp_data.get(_PARSED_NOW) is not None


def page_of(node: nodes.Element) -> str:
    """Return the page whose measurements a number or a verdict of a finished page shows."""
    box: nodes.Element | None = node
    while box is not None and _PAGE not in box:
        box = box.parent
    return str(node["page"] if box is None else box[_PAGE])
