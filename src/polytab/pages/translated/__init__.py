"""How far a paragraph, and a page, is translated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.translated.coverage import setup_coverage
from polytab.pages.translated.names import setup_names
from polytab.pages.translated.states import setup_states

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_translated(app: Sphinx) -> None:
    """Add `{coverage}`, keep names, and mark paragraphs that are not translated or out of date."""
    setup_names(app)
    setup_states(app)
    setup_coverage(app)
