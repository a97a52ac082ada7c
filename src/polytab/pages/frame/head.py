"""The `<head>` of a page: description, OpenGraph, icon, colours, feed.

The description is the page's first paragraph, in the page's language. OpenGraph wants a territory
in a locale, so a language without one names none and is taken for the default, English.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from docutils import nodes

from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from polytab.model import Language
    from polytab.settings import Settings

ICON = "favicon.svg"
"""Among the static files; a book's own of this name wins."""

GROUNDS = (("light", "#ffffff"), ("dark", "#131416"))
"""The grounds of colours.css, for the browser's own frame around the page."""

FEED = "feed.xml"
"""In each language's folder, where the address and the history are known."""

_LONGEST = 200
"""What search engines and previews show at most."""

_COLON = re.compile(r"\s*[:：]$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


def description(doctree: nodes.document) -> str:
    """Return the first paragraph of a page, as many of its sentences as will be shown."""
    first = first_paragraph(doctree)
    return "" if first is None else shorten(first.astext())


def first_paragraph(doctree: nodes.document) -> nodes.paragraph | None:
    """Return the first paragraph of a page that stands in its text."""
    found = (
        node
        for node in doctree.findall(nodes.paragraph)
        if type(node) is nodes.paragraph and isinstance(node.parent, nodes.section)
    )
    return next(found, None)


def shorten(text: str, longest: int = _LONGEST) -> str:
    """Keep whole sentences, or else, of a first one that is too long, whole words.

    `longest` counts letters; a character as wide as two, as in Chinese, says and counts as much. A
    last sentence that only leads to what follows it, with a colon, is left out or left open.
    """
    sentences = _SENTENCE.split(" ".join(text.split()))
    if _COLON.search(sentences[-1]):
        opened = _COLON.sub("…", sentences.pop())
        sentences = sentences or [opened]
    said = sentences.pop(0)
    if _width(said) > longest:
        widths = accumulate(map(_width, said))
        cut = said[: sum(width <= longest for width in widths)]
        return f"{cut.rpartition(' ')[0] or cut[:-1]}…"
    for sentence in sentences:
        space = " " if said[-1:].isascii() else ""
        if _width(said + space + sentence) > longest:
            break
        said += space + sentence
    return said


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def open_graph(settings: Settings, language: Language, page: str, title: str) -> Iterator[str]:
    """Write what a preview of a link to this page needs beside the description."""
    kind = "website" if title == language.title else "article"
    yield _meta("og:title", title)
    yield _meta("og:type", kind)
    yield _meta("og:site_name", language.title)
    address = settings.page_address(language, page)
    if address is not None:
        yield _meta("og:url", address)
    others = (each for each in settings.languages if each != language)
    for key, each in (("locale", language), *(("locale:alternate", each) for each in others)):
        if "_" in each.locale:
            yield _meta(f"og:{key}", each.locale)


def icon_and_colours(icon: str | None) -> str:
    """Write what a browser needs to dress its own window, for any page of the site."""
    lines = [
        f'<meta name="theme-color" media="(prefers-color-scheme: {scheme})" content="{colour}">'
        for scheme, colour in GROUNDS
    ]
    if icon is not None:
        lines.append(f'<link rel="icon" type="image/svg+xml" href="{escape(icon)}">')
    return "\n".join(lines)


def _meta(key: str, value: str) -> str:
    return f'<meta property="{key}" content="{escape(value)}">'


def _add_context(
    app: Sphinx,
    page: str,
    _template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    icon = None
    if not app.config.html_favicon:
        icon = context["pathto"](f"_static/{ICON}", 1)
    lines = [icon_and_colours(icon)]
    settings, language = inputs_of(app).settings, inputs_of(app).language(app)
    if settings.address is not None and inputs_of(app).last_commit_days():
        lines.append(
            f'<link rel="alternate" type="application/atom+xml" '
            f'title="{escape(language.title)}" href="{context["pathto"](FEED, 1)}">'
        )
    if doctree is not None:
        said = description(doctree)
        if said:
            lines.append(f'<meta name="description" content="{escape(said)}">')
            lines.append(_meta("og:description", said))
        is_start = page == app.config.root_doc
        title = language.title if is_start else app.env.titles[page].astext()
        lines.extend(open_graph(settings, language, page, title))
    context["polytab_policy"] = app.config.polytab_policy
    ours = "\n".join(["", *lines, ""])
    context["metatags"] = context.get("metatags", "") + ours


def setup_head(app: Sphinx) -> None:
    """Fill the head of each page; a policy, if Sphinx is told one, is the first thing in it."""
    app.add_config_value("polytab_policy", default="", rebuild="html", types=str)
    app.connect("html-page-context", _add_context)
