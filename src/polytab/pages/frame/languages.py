"""Links from a page to the same page in every other language.

The head names the alternatives for search engines, the sidebar offers them to the reader; the tab,
the place on the page and the open folds go along (`static/language-links.js`, `static/place.js`).
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from babel.messages.mofile import read_mo
from sphinx import package_dir

from polytab.interface.messages import set_language
from polytab.interface.messages import translate as _
from polytab.pages.inputs import inputs_of
from polytab.settings import link_to_page

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from polytab.model import Language
    from polytab.settings import Settings


_WORDS_OF_SPHINX = ("Note", "Tip", "Warning", "Important", "Fig. %s", "Table %s", "Index")


@dataclass(frozen=True)
class Alternative:
    """The same page in a language, as a link from here."""

    language: Language
    link: str
    current: bool


def alternatives(settings: Settings, locale: str, page: str, to_root: str) -> list[Alternative]:
    """List the languages in the order of the settings; `to_root` leads out of this one."""
    return [
        Alternative(each, link_to_page(each, page, to_root), each.locale == locale)
        for each in settings.languages
    ]


def head_links(settings: Settings, found: list[Alternative], page: str) -> str:
    """Name the alternatives for search engines, which want whole addresses."""
    if settings.address is None or len(found) == 1:
        return ""
    told = [(each.language.tag, each.language) for each in found]
    told.append(("x-default", settings.source_language))
    links = (
        f'<link rel="alternate" hreflang="{escape(tag)}" '
        f'href="{escape(settings.page_address(language, page) or "")}">'
        for tag, language in told
    )
    return "\n".join(links)


def _add_context(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    del template, doctree
    settings = inputs_of(app).settings
    to_root = "../" * (page.count("/") + 1)
    found = alternatives(settings, app.config.language, page, to_root)
    context["polytab_languages"] = found if len(found) > 1 else []
    context["metatags"] = context.get("metatags", "") + head_links(settings, found, page)


def _configure(app: Sphinx, config: Config) -> None:
    """Point Sphinx at compiled catalogs only, and let figures be called as our words say."""
    config.locale_dirs = [str(inputs_of(app).settings.locale)]
    config.gettext_compact = False
    config.numfig_format = {"figure": _("Fig. %s"), **config.numfig_format}
    settings = inputs_of(app).settings
    current = inputs_of(app).language(app)
    config.html_title = current.title
    if settings.address is not None:
        config.html_baseurl = f"{settings.address}/{current.code}/"


def _set_language(app: Sphinx, config: Config) -> None:
    """Choose the language of our words, and of the book's own."""
    set_language(config.language, inputs_of(app).settings.words_file(config.language))


def missing_words_of_sphinx(locale: str) -> list[str]:
    """List the words that pages have from Sphinx, and that Sphinx has not in this locale."""
    if locale.split("_", maxsplit=1)[0] == "en":
        return []
    return [word for word in _WORDS_OF_SPHINX if word_of_sphinx(locale, word) is None]


def word_of_sphinx(locale: str, word: str) -> str | None:
    """Return what Sphinx itself calls a thing in this locale, or None."""
    file = Path(package_dir, "locale", locale, "LC_MESSAGES", "sphinx.mo")
    if not file.is_file():
        return None
    with file.open("rb") as compiled:
        found = read_mo(compiled).get(word)
    return None if found is None else str(found.string)


def setup_language(app: Sphinx) -> None:
    """Add the links, and what each language asks of typography."""
    app.add_css_file("languages.css")
    app.connect("config-inited", _set_language)
    app.connect("config-inited", _configure)
    app.connect("html-page-context", _add_context)
