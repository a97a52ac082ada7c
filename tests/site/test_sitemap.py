"""Search engines are told every page in every language, where the site's address is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest

from polytab.site.sitemap import sitemap
from tests.support.commits import commit
from tests.support.handbook import write
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from polytab.settings import Settings

ADDRESS = "https://tiny.example/book"
SPACES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


@pytest.fixture
def settings(handbook: Settings) -> Settings:
    """A handbook with two of three languages built, one page in one of them only."""
    catalog = "translations/zh_CN/LC_MESSAGES/tour.po"
    write(handbook.root, {"docs/more/a & b.md": "# Deep\n", catalog: "1"})
    commit(handbook.root, "2026-01-02")
    write(handbook.root, {catalog: "2"})
    commit(handbook.root, "2026-03-04")
    return replace(with_languages(handbook), address=ADDRESS)


PAGES = {f"{page}.html" for page in ("en/tour", "zh/tour", "en/more/a & b", "en/genindex")}


def written(settings: Settings) -> dict[str, bytes]:
    return sitemap(settings, settings.languages[:2], PAGES)


def entries(settings: Settings) -> dict[str, ET.Element]:
    root = ET.fromstring(written(settings)["sitemap.xml"])  # noqa: S314  # ours
    found = root.findall("s:url", SPACES)
    return {str(each.findtext("s:loc", namespaces=SPACES)): each for each in found}


def test_every_built_page_is_named_and_nothing_else(settings: Settings) -> None:
    assert list(entries(settings)) == [
        f"{ADDRESS}/en/more/a%20%26%20b.html",
        f"{ADDRESS}/en/tour.html",
        f"{ADDRESS}/zh/tour.html",
    ]


def test_a_page_names_itself_in_every_language_and_the_default(settings: Settings) -> None:
    for page in ("en/tour", "zh/tour"):
        links = entries(settings)[f"{ADDRESS}/{page}.html"].findall("x:link", SPACES)
        assert [(each.get("hreflang"), each.get("href")) for each in links] == [
            ("en", f"{ADDRESS}/en/tour.html"),
            ("zh-CN", f"{ADDRESS}/zh/tour.html"),
            ("x-default", f"{ADDRESS}/en/tour.html"),
        ]


def test_a_page_in_one_language_has_no_alternative(settings: Settings) -> None:
    assert entries(settings)[f"{ADDRESS}/en/more/a%20%26%20b.html"].findall("x:link", SPACES) == []


def test_a_page_changed_when_what_it_is_written_in_changed(settings: Settings) -> None:
    days = {each: entry.findtext("s:lastmod", None, SPACES) for each, entry in entries(settings).items()}  # fmt: skip  # noqa: E501
    assert days[f"{ADDRESS}/en/tour.html"] == "2026-01-02"
    assert days[f"{ADDRESS}/zh/tour.html"] == "2026-03-04"


def test_robots_find_the_sitemap_and_may_read_all(settings: Settings) -> None:
    robots = RobotFileParser()
    robots.parse(written(settings)["robots.txt"].decode().splitlines())
    assert robots.site_maps() == [f"{ADDRESS}/sitemap.xml"]
    assert robots.can_fetch("anyone", f"{ADDRESS}/en/tour.html")


def test_without_an_address_there_is_none(settings: Settings) -> None:
    assert written(replace(settings, address=None)) == {}
