"""The place where a reader searches: a button, a dialog, and no trace of Sphinx's own search.

`polytab.search.index` makes what is searched, from the articles that are marked here. The dialog
knows whether it was made: nothing indexes while a preview runs.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab.interface.messages import translate as _
from polytab.search.index import MARK

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config

_FOLDER = Path(__file__).parent
_RUNTIME = {"runtime": "hits.js", "finder": "finding.js"}
"""What is loaded when the dialog is first opened, by the names of the dialog's attributes."""

_SPHINX_SCRIPTS = frozenset(
    f"_static/{name}.js"
    for name in ("documentation_options", "doctools", "sphinx_highlight", "translations")
)
_SPHINX_FILES = (
    *sorted(_SPHINX_SCRIPTS),
    *("_static/searchtools.js", "_static/language_data.js", "_static/*-stemmer.js"),
    *("search.html", "searchindex.js"),
)
"""What serves Sphinx's own search alone, from this build or an earlier one."""


def _add_templates(_app: Sphinx, config: Config) -> None:
    config.templates_path = [*config.templates_path, str(_FOLDER / "templates")]


def _turn_off(app: Sphinx) -> None:
    """Keep Sphinx from making an index and a page of its own."""
    if app.builder.format == "html":
        app.builder.search = False  # type: ignore[attr-defined]  # of Sphinx's HTML builders


def _tidy(app: Sphinx, _error: Exception | None) -> None:
    """Take away what Sphinx copies whether it searches or not."""
    if app.builder.format == "html":
        for pattern in _SPHINX_FILES:
            for path in app.outdir.glob(pattern):
                path.unlink()


def _offer(
    app: Sphinx,
    _page: str,
    _template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Fill the dialog, and mark the article that is to be found: a page people wrote."""
    scripts = context["script_files"]
    context["script_files"] = [each for each in scripts if each.filename not in _SPHINX_SCRIPTS]
    found = doctree is not None and "nosearch" not in (context.get("meta") or {})
    if found:
        context.setdefault("polytab_article", {})[MARK] = ""
    context["polytab_search"] = {
        "loaded": {
            name: f"{context['pathto'](f'_static/{file}', resource=True)}?v={_version(file)}"
            for name, file in _RUNTIME.items()
        },
        "label": _("Search"),
        "close": _("Close"),
        "more": _("More results"),
        "said": {
            "count": _("Results: {number}"),
            "meant": _("Results for “{query}”: {number}"),
            "missing": _("On no page: {words}"),
            "near": _("Perhaps you meant:"),
            "chapters": _("All chapters"),
            "none": _("Nothing was found for “{query}”. Try fewer or other words."),
            "tab": _("in the {framework} tab"),
            "lost": _("The search index could not be loaded. Type again to try once more."),
            "disk": _("Search works on the website only, not in pages opened from the disk."),
        }
        | ({} if app.config.polytab_published else {"live": _("This preview has no search.")}),
    }


@cache
def _version(file: str) -> str:
    return hashlib.sha256((_FOLDER / "static" / file).read_bytes()).hexdigest()[:8]


def setup_search(app: Sphinx) -> None:
    """Offer our search instead of Sphinx's."""
    app.add_js_file("search.js", loading_method="defer")
    app.add_css_file("search.css")
    app.connect("config-inited", _add_templates)
    app.connect("builder-inited", _turn_off)
    app.connect("html-page-context", _offer)
    app.connect("build-finished", _tidy)
