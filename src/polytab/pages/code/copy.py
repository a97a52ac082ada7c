"""The button that copies a block of code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polytab.interface.messages import translate as _

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def _add_words(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], doctree: object
) -> None:
    """Give an article the words that the script says."""
    if doctree is not None:
        context.setdefault("polytab_article", {}).update(
            {
                "data-copy": _("Copy the code"),
                "data-copied": _("Copied"),
                "data-refused": _(
                    "The browser does not allow copying. The code is selected instead."
                ),
            }
        )


def setup_copy(app: Sphinx) -> None:
    """Add the button's script and look."""
    app.add_css_file("copy.css")
    app.add_js_file("copy.js", loading_method="defer")
    app.connect("html-page-context", _add_words)
