"""What is new for readers: `feed.xml` of each language, in Atom, from the history of its sources.

A page in the source language changes with its source, a translated one with its catalog. All of a
day is one entry for a page. Without `address`, or without the history, there is no feed.

Invariants, guarded by tests/site/test_feed.py: an entry keeps its id; the same history and pages
give the same bytes; what RFC 4287 demands is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree as ET

from polytab.git import commit_days
from polytab.interface.messages import messages_of
from polytab.pages.frame.head import FEED
from polytab.settings import START, page_path
from polytab.site.language_files import page_sources
from polytab.translations.catalogs import catalog_path

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings
    from polytab.site.page import WrittenPage

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


def feeds(
    settings: Settings, languages: Sequence[Language], pages: Mapping[str, WrittenPage]
) -> dict[str, bytes]:
    """Return the feed of each language that is built, by its path in the site.

    `pages` are those of the site, by their paths.
    """
    days = commit_days(settings) if settings.address else {}
    found = {}
    for language in languages if days else ():
        changes = sorted(_changes(settings, language, days, pages))[::-1][:_MOST]
        feed = _feed(settings, language, changes, pages)
        ET.indent(feed, " ")
        text = ET.tostring(feed, encoding="unicode")
        head = '<?xml version="1.0" encoding="UTF-8"?>'
        found[f"{language.code}/{FEED}"] = f"{head}\n{text}\n".encode()
    return found


def _changes(
    settings: Settings,
    language: Language,
    days: Mapping[Path, Sequence[str]],
    pages: Container[str],
) -> Iterator[Change]:
    translated = language != settings.source_language
    for page, source in page_sources(settings).items():
        path = catalog_path(settings, language, page) if translated else source
        if page_path(language, page) not in pages or path not in days:
            continue
        first = min(days[path])
        for day in set(days[path]):
            yield Change(day, page, new=day == first)


def _feed(
    settings: Settings,
    language: Language,
    changes: Sequence[Change],
    pages: Mapping[str, WrittenPage],
) -> ET.Element:
    """Write the feed itself; one that has no entry yet has never changed."""
    _ = messages_of(language.locale, settings.words_file(language.locale)).gettext
    said = {True: _("New: {title}"), False: _("Changed: {title}")}
    ET.register_namespace("", _ATOM)
    home = settings.page_address(language, START) or ""
    top = home.rpartition("/")[0]
    feed = ET.Element(f"{{{_ATOM}}}feed", {_LANGUAGE: language.tag})
    _add(feed, "id", f"{top}/")
    _add(feed, "title", language.title)
    _add(feed, "updated", _moment(changes[0].day if changes else "1970-01-01"))
    _add(ET.SubElement(feed, f"{{{_ATOM}}}author"), "name", settings.title)
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{top}/{FEED}")
    _add(feed, "link", rel="alternate", type="text/html", href=home)
    for change in changes:
        address = settings.page_address(language, change.page) or ""
        head = pages[page_path(language, change.page)].previews
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


def _add(to: ET.Element, name: str, text: str | None = None, **attributes: str) -> None:
    ET.SubElement(to, f"{{{_ATOM}}}{name}", attributes).text = text
