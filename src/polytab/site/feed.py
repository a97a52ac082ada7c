"""What is new for readers: `feed.xml` of each language, in Atom, from the history of its sources.

A page in the source language changes with its source, a translated one with its catalog. All of a
day is one entry for a page. Without `address`, or without the history, there is no feed.

Invariants, guarded by tests/site/test_feed.py: an entry keeps its id; the same history and pages
give the same bytes; what RFC 4287 demands is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree as ET

from polytab.git import all_changes
from polytab.interface.words import words_of
from polytab.pages.frame.head import FEED
from polytab.site.sitemap import is_built, sources
from polytab.translations.catalogs import catalog_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

_ATOM = "http://www.w3.org/2005/Atom"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_MOST = 50
"""Entries; a reader who was away for longer reads the pages."""


@dataclass(frozen=True, order=True)
class Change:
    """What happened to a page on a day; the last is the greatest."""

    day: str
    page: str
    new: bool


@dataclass
class _Head(HTMLParser):
    """Reads what a page says of itself: its title and its description, in its language."""

    def __post_init__(self) -> None:
        super().__init__()
        self.said: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta" and (name := given.get("property")):
            self.said[name] = given.get("content") or ""


def write_feeds(settings: Settings, languages: Sequence[Language]) -> None:
    """Write the feed of each language that is built, or take away what is no longer true."""
    days = all_changes(settings) if settings.address else {}
    for language in languages:
        path = settings.site / language.code / FEED
        if not days:
            path.unlink(missing_ok=True)
            continue
        feed = _feed(settings, language, sorted(_changes(settings, language, days))[::-1][:_MOST])
        ET.indent(feed, " ")
        text = ET.tostring(feed, encoding="unicode")
        path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8")


def _changes(
    settings: Settings, language: Language, days: Mapping[Path, Sequence[str]]
) -> Iterator[Change]:
    translated = language != settings.source_language
    for page, source in sources(settings):
        path = catalog_path(settings, language, page) if translated else source
        if not is_built(settings, language, page) or path not in days:
            continue
        first = min(days[path])
        for day in set(days[path]):
            yield Change(day, page, new=day == first)


def _feed(settings: Settings, language: Language, changes: Sequence[Change]) -> ET.Element:
    """Write the feed itself; one that has no entry yet has never changed."""
    _ = words_of(language.locale).gettext
    said = {True: _("New: {title}"), False: _("Changed: {title}")}
    ET.register_namespace("", _ATOM)
    top = f"{settings.address}/{language.code}"
    feed = ET.Element(f"{{{_ATOM}}}feed", {_LANGUAGE: language.tag})
    _add(feed, "id", f"{top}/")
    _add(feed, "title", language.title)
    _add(feed, "updated", _moment(changes[0].day if changes else "1970-01-01"))
    _add(ET.SubElement(feed, f"{{{_ATOM}}}author"), "name", settings.title)
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{top}/{FEED}")
    _add(feed, "link", rel="alternate", type="text/html", href=f"{top}/index.html")
    for change in changes:
        address = settings.page_address(language, change.page) or ""
        head = _head(settings.site / language.code / f"{change.page}.html")
        entry = ET.SubElement(feed, f"{{{_ATOM}}}entry")
        _add(entry, "id", _id(address, change))
        _add(entry, "title", said[change.new].format(title=head.get("og:title", change.page)))
        _add(entry, "updated", _moment(change.day))
        _add(entry, "link", rel="alternate", type="text/html", href=address)
        if "og:description" in head:
            _add(entry, "summary", head["og:description"])
    return feed


def _id(address: str, change: Change) -> str:
    """Name an entry as RFC 4151 does: whose, of which day, and what."""
    parts = urlsplit(address)
    path = quote(parts.path.removesuffix(".html"), safe="/%")
    return f"tag:{parts.hostname},{change.day}:{path}"


def _moment(day: str) -> str:
    return f"{day}T00:00:00Z"


def _head(page: Path) -> Mapping[str, str]:
    reader = _Head()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader.said


def _add(to: ET.Element, name: str, text: str | None = None, **attributes: str) -> None:
    ET.SubElement(to, f"{{{_ATOM}}}{name}", attributes).text = text
