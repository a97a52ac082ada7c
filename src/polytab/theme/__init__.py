"""A Sphinx theme that any book can choose: templates and page furniture.

`layout.html` is the page, `static/` its look and behaviour. A feature of a page brings its own:
attributes of the article (`polytab_article`), templates of the sidebar, stylesheets and scripts.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from polytab import __version__
from polytab.interface.words import translate as _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

NAME = "polytab"
FOLDER = Path(__file__).parent


class WideTables(SphinxPostTransform):
    """Put each table into a box of its own, which scrolls where the table is too wide."""

    default_priority = 500
    formats = ("html",)

    def run(self, **_kwargs: object) -> None:
        """Wrap the tables of the document."""
        for table in list(self.document.findall(nodes.table)):
            box = nodes.container(classes=["table-wrapper"])
            table.replace_self(box)
            box += table


def has_theme(app: Sphinx) -> bool:
    """Tell whether this builder writes pages with this theme; EPUB has a theme of its own."""
    return getattr(getattr(app.builder, "theme", None), "name", None) == NAME


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
        "trail": _("You are here"),
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
    """Register the theme, its words and the boxes of its tables."""
    app.add_html_theme(NAME, str(FOLDER))
    app.add_post_transform(WideTables)
    app.add_js_file("scheme.js", priority=100)
    app.add_js_file("frame.js", priority=100, loading_method="defer")
    app.connect("html-page-context", _add_words)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
