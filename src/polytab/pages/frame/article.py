"""The breadcrumbs above an article; below it the links to its sources, and its last change.

The links lead to the repository and are absent where the settings name none. The last change is
that of the page's source or, in a translation, of its catalog.

Invariant, guarded by tests/pages/frame/test_article.py: a page is written again, but not read
again, when the day of its last change is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.pages.inputs import inputs_of
from polytab.translations.catalogs import catalog_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_CHANGED = "polytab_changed"


@dataclass(frozen=True)
class Link:
    """A link with its words, which may be HTML already; `kind` is for the script and the look."""

    to: str
    title: str
    kind: str = ""


def breadcrumbs(context: dict[str, Any], title: str) -> list[Link]:
    """List the pages above this one, the start page first; the start page itself has none."""
    if context["pagename"] == context["master_doc"]:
        return []
    start = Link(context["pathto"](context["master_doc"]), escape(title))  # the others are HTML
    return [start, *(Link(each["link"], each["title"]) for each in context["parents"])]


def source_of(app: Sphinx, page: str) -> Path:
    """Return the file in which this page, in this language, is written."""
    settings, language = inputs_of(app).settings, inputs_of(app).language(app)
    if language == settings.source_language:
        return Path(app.env.doc2path(page))
    return catalog_path(settings, language, page)


def page_links(app: Sphinx, page: str) -> Iterator[Link]:
    """Lead to the sources of a page, and to a new issue that names the page and the language."""
    settings, language = inputs_of(app).settings, inputs_of(app).language(app)
    if settings.repository is None:
        return
    edit = settings.in_repository("edit", Path(app.env.doc2path(page)))
    yield Link(f"{edit}", _("Edit this page"))
    source = source_of(app, page)
    if language != settings.source_language and source.is_file():
        improve = settings.in_repository("edit", source)
        yield Link(f"{improve}", _("Improve this translation"))
    if page in settings.pages_with_scripts():
        snippets = settings.in_repository("tree", settings.snippets / page)
        yield Link(f"{snippets}", _("View the snippets"))
    body = f"Page: {page}\nLanguage: {language.tag}\n"  # the script adds the framework
    form = urlencode({"title": f"{page} ({language.tag}): ", "body": body})
    yield Link(f"{settings.repository}/issues/new?{form}", _("Report a problem"), "report")


def _add_context(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    if page not in app.env.found_docs:
        return
    day = inputs_of(app).last_commit_days().get(source_of(app, page))
    formats = Formats(app.config.language)
    context["polytab_frame"] = {
        "breadcrumbs": breadcrumbs(context, inputs_of(app).language(app).title),
        "links": list(page_links(app, page)),
        "updated": _("Last updated") + formats.colon,
        "day": day,
        "day_in_words": day and formats.date(day),
    }


def _open_history(app: Sphinx) -> None:
    """Ask git before pages are read and written in processes of their own."""
    if app.builder.format == "html":
        inputs_of(app).last_commit_days()


def _changed(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Name the pages whose last change is no longer what was written on them."""
    if app.builder.format != "html":
        return []
    days = {
        page: inputs_of(app).last_commit_days().get(source_of(app, page), "")
        for page in sorted(env.found_docs)
    }
    found = [page for page, day in days.items() if env.metadata[page].get(_CHANGED) != day]
    for page in found:
        env.metadata[page][_CHANGED] = days[page]
    return found


def setup_frame(app: Sphinx) -> None:
    """Add what the theme's `breadcrumbs.html` and `footer.html` show."""
    app.add_js_file("place.js", priority=200)  # before the scripts that ask it
    app.add_js_file("language-links.js", loading_method="defer")
    app.connect("builder-inited", _open_history)
    app.connect("env-updated", _changed)
    app.connect("html-page-context", _add_context)
