"""A Sphinx theme that any book can choose: templates and page furniture.

`layout.html` is the page, `static/` its look and behaviour. A feature of a page brings its own:
attributes of the article (`polytab_article`), templates of the sidebar, stylesheets and JavaScript.
A book changes colours by a stylesheet of its own that sets the variables of `static/colours.css`
and `static/code.css`; `pygments_style` is for other builders, as it knows one scheme only.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab import __version__
from polytab.interface.messages import translate as _
from polytab.theme.tables import setup_tables

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

NAME = "polytab"
FOLDER = Path(__file__).parent
_PYGMENTS = frozenset({"_static/pygments.css", "_static/pygments_dark.css"})
_AFTER_ADDITIONS = 800
"""Sphinx adds a page's files to the list that is in its context: nobody replaces it before."""


def has_theme(app: Sphinx) -> bool:
    """Tell whether this builder writes pages with this theme; EPUB has a theme of its own."""
    return getattr(getattr(app.builder, "theme", None), "name", None) == NAME


def _drop_pygments(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Leave out Sphinx's own colours of code: `static/code.css` has those of both schemes."""
    if has_theme(app):
        context["css_files"] = [
            each for each in context["css_files"] if each.filename not in _PYGMENTS
        ]


def _add_words(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Give the templates their words in the language of the build."""
    context["polytab_words"] = {
        "skip": _("Skip to content"),
        "navigation": _("Site navigation"),
        "contents": _("Contents of the page"),
        "pages": _("All pages"),
        "here": _("On this page"),
        "top": _("Back to top"),
        "breadcrumbs": _("You are here"),
        "about": _("About this page"),
        "around": _("Neighbouring pages"),
        "previous": _("Previous"),
        "next": _("Next"),
        "languages": _("Languages"),
        "auto": _("Colour scheme: automatic"),
        "light": _("Colour scheme: light"),
        "dark": _("Colour scheme: dark"),
    }


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the theme, its words and what it does with tables."""
    app.add_html_theme(NAME, str(FOLDER))
    setup_tables(app)
    app.add_js_file("scheme.js", priority=100)
    app.add_js_file("frame.js", priority=100, loading_method="defer")
    app.connect("html-page-context", _add_words)
    app.connect("html-page-context", _drop_pygments, priority=_AFTER_ADDITIONS)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
