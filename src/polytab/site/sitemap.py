"""The pages of all languages for search engines: `sitemap.xml`, and `robots.txt` that names it.

Both need whole addresses, so without `address` in the settings there is neither. A `robots.txt` is
read only where the address is the root of its host; elsewhere it does no harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.git import last_commit_days
from polytab.settings import page_path
from polytab.site.language_files import page_sources
from polytab.translations.catalogs import catalog_path

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from polytab.model import Language
    from polytab.settings import Settings

_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


def sitemap(
    settings: Settings, languages: Sequence[Language], pages: Container[str]
) -> dict[str, bytes]:
    """Return both files for the languages that are built, whose `pages` are given by their paths.

    Without an address there is none.
    """
    if settings.address is None:
        return {}
    ET.register_namespace("", _SITEMAP)
    ET.register_namespace("xhtml", _XHTML)
    root = _entries(settings, languages, pages)
    ET.indent(root, " ")
    text = ET.tostring(root, encoding="unicode", xml_declaration=False)
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {settings.address}/sitemap.xml\n"
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return {"sitemap.xml": f"{head}\n{text}\n".encode(), "robots.txt": robots.encode()}


def _entries(
    settings: Settings, languages: Sequence[Language], pages: Container[str]
) -> ET.Element:
    """Name each page in each language, with its alternatives and the day it last changed.

    What Sphinx makes beside the pages that people wrote is for no search engine.
    """
    days = last_commit_days(settings)
    root = ET.Element(f"{{{_SITEMAP}}}urlset")
    for page, source in page_sources(settings).items():
        have = [each for each in languages if page_path(each, page) in pages]
        for language in have:
            entry = ET.SubElement(root, f"{{{_SITEMAP}}}url")
            _address(settings, ET.SubElement(entry, f"{{{_SITEMAP}}}loc"), language, page)
            translated = language != settings.source_language
            day = days.get(catalog_path(settings, language, page) if translated else source)
            if day:
                ET.SubElement(entry, f"{{{_SITEMAP}}}lastmod").text = day
            for tag, other in [*((each.tag, each) for each in have), ("x-default", have[0])]:
                if len(have) > 1:
                    _alternate(settings, entry, tag, (other, page))
    return root


def _alternate(
    settings: Settings, entry: ET.Element, tag: str, where: tuple[Language, str]
) -> None:
    link = ET.SubElement(entry, f"{{{_XHTML}}}link", rel="alternate", hreflang=tag)
    link.set("href", settings.page_address(*where) or "")


def _address(settings: Settings, element: ET.Element, language: Language, page: str) -> None:
    element.text = settings.page_address(language, page)
