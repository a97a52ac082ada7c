"""A line for each section that has left a page, which leads who asks for it to where it went.

A fragment never reaches a server, so no redirect can do this. The line bears the anchor of the
section and is seen only by who came for that; `static/moved-sections.js`, which no other page
loads, follows its link at once.

Laws, guarded by tests/pages/frame/test_moved_sections.py: a section that is on the page has not
moved; a page from which nothing moved has neither lines nor script.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util import logging

from polytab.interface.messages import translate as _
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)
_EARLY = 400
"""Before the scripts of a page are joined."""


@dataclass(frozen=True)
class MovedSection:
    """An anchor that a page had, a link to where it went, and the words around that."""

    anchor: str
    link: str
    said: str
    words: str


def moved_sections(app: Sphinx, page: str) -> Iterator[MovedSection]:
    """List the sections that have left a page."""
    for old, new in inputs_of(app).settings.moved_sections.items():
        left, _sign, anchor = old.partition("#")
        if left == page:
            target, sign, place = new.partition("#")
            link = app.builder.get_relative_uri(page, target) + sign + place
            yield MovedSection(anchor, link, _("This section has moved."), _("To its new address"))


def _add_context(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if doctree is None or not (found := list(moved_sections(app, page))):
        return
    context["polytab_moved"] = found
    there: set[str] = set()
    for element in doctree.findall(nodes.Element):
        there.update(element["ids"])
    for each in found:
        if each.anchor in there:
            _log.warning(
                "`%s#%s` has moved, but the page has it: take it out of [tool.polytab.moved]",
                page,
                each.anchor,
                location=page,
                type="polytab",
                subtype="moved",
            )
    app.add_js_file("moved-sections.js", loading_method="defer")


def setup_moved_sections(app: Sphinx) -> None:
    """Add what the theme's `moved.html` shows."""
    app.connect("html-page-context", _add_context, priority=_EARLY)
