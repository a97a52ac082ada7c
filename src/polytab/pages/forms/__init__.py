"""Forms of a chapter, from `{opening}` to `{solution}`, and of a start page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.forms.chapters import setup_chapters
from polytab.pages.forms.exercise import setup_exercise
from polytab.pages.forms.fold import setup_fold
from polytab.pages.forms.glance import setup_glance
from polytab.pages.forms.opening import setup_opening
from polytab.pages.forms.result import setup_result
from polytab.pages.forms.title import setup_title

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_forms(app: Sphinx) -> None:
    """Add the directives of all forms, with their nodes, styles and scripts."""
    setup_title(app)
    setup_fold(app)
    setup_exercise(app)
    setup_glance(app)
    setup_opening(app)
    setup_result(app)
    setup_chapters(app)
