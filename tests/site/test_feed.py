"""Readers are told which pages are new or changed, in their language, from the history."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from bs4 import BeautifulSoup

from polytab.settings import load_settings
from polytab.site.build import build
from polytab.site.feed import feeds
from polytab.site.page import read_page
from polytab.translations.catalogs import Entry
from tests.support.commits import commit
from tests.support.handbook import write
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.settings import Settings

ADDRESS = "https://tiny.example/book"
ATOM = "{http://www.w3.org/2005/Atom}"
META = '<meta property="og:{}" content="{}">'
FEED_NEEDS = {"id": 1, "title": 1, "updated": 1, "author": 1, "link": 2}
ENTRY_NEEDS = {"id": 1, "title": 1, "updated": 1, "link": 1}


@pytest.fixture
def settings(handbook: Settings) -> Settings:
    """A handbook with a history, of two pages in English and one in Chinese."""
    settings = replace(with_languages(handbook), address=ADDRESS)
    catalog = "translations/zh_CN/LC_MESSAGES/tour.po"
    write(settings.root, {"docs/more/a & b.md": "# Deep\n", "docs/draft.md": "# Never built\n"})
    commit(settings.root, "2026-01-02")
    write(settings.root, {"docs/tour.md": "# Tour\n", catalog: "1"})
    commit(settings.root, "2026-03-04")
    for text in ("2", "3"):
        write(settings.root, {catalog: text})
        commit(settings.root, "2026-03-05")
    return settings


def written(settings: Settings) -> dict[str, bytes]:
    tour = META.format("title", "Tour &amp; <b>") + META.format("description", "All of it.")
    pages = {"en/tour.html": tour, "en/more/a & b.html": "", "zh/tour.html": ""}
    read = {path: read_page(path, text.encode()) for path, text in pages.items()}
    return feeds(settings, settings.languages[:2], read)


def feed(settings: Settings, code: str = "en") -> ET.Element:
    return ET.fromstring(written(settings)[f"{code}/feed.xml"])  # noqa: S314  # ours


def texts(root: ET.Element, name: str) -> Sequence[str | None]:
    return [each.text for each in root.findall(f"{ATOM}entry/{ATOM}{name}")]


def expect_atom(root: ET.Element) -> None:
    """Expect what RFC 4287 demands of a feed and of each entry."""
    assert root.tag == f"{ATOM}feed"
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    entries = root.findall(f"{ATOM}entry")
    for node, needs in [(root, FEED_NEEDS), *((each, ENTRY_NEEDS) for each in entries)]:
        for name, times in needs.items():
            assert len(node.findall(f"{ATOM}{name}")) == times, name
        assert node.findtext(f"{ATOM}title")
        assert re.fullmatch(r"[a-z]+:[!-~]+", node.findtext(f"{ATOM}id") or "")
        moment = node.findtext(f"{ATOM}updated") or ""
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment)  # RFC 3339
        assert datetime.fromisoformat(moment).tzinfo is not None
        for link in node.findall(f"{ATOM}link"):
            assert link.attrib["href"].startswith(ADDRESS)
    assert len(set(texts(root, "id"))) == len(entries)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_feed_has_what_the_standard_demands(settings: Settings, code: str) -> None:
    root = feed(settings, code)
    expect_atom(root)
    links = {each.get("rel"): each.get("href") for each in root.findall(f"{ATOM}link")}
    assert links["self"] == f"{ADDRESS}/{code}/feed.xml"
    assert (
        root.get("{http://www.w3.org/XML/1998/namespace}lang") == {"en": "en", "zh": "zh-CN"}[code]
    )


def test_a_page_is_new_once_and_then_changed_by_day_the_last_first(settings: Settings) -> None:
    root = feed(settings)
    assert list(zip(texts(root, "title"), texts(root, "updated"), strict=True)) == [
        ("Changed: Tour & <b>", "2026-03-04T00:00:00Z"),
        ("New: Tour & <b>", "2026-01-02T00:00:00Z"),
        ("New: more/a & b", "2026-01-02T00:00:00Z"),
    ]
    assert texts(root, "summary") == ["All of it.", "All of it."]
    assert root.findtext(f"{ATOM}updated") == "2026-03-04T00:00:00Z"


def test_a_translation_has_the_history_of_its_catalog(settings: Settings) -> None:
    assert texts(feed(settings, "zh"), "updated") == [
        "2026-03-05T00:00:00Z",  # of two commits
        "2026-03-04T00:00:00Z",
    ]


def test_an_entry_keeps_its_id_and_the_same_history_gives_the_same_bytes(
    settings: Settings,
) -> None:
    before = texts(feed(settings), "id")
    assert written(settings) == written(settings)
    assert before[-1] == "tag:tiny.example,2026-01-02:/book/en/more/a%20%26%20b"
    write(settings.root, {"docs/tour.md": "# Another tour\n"})
    commit(settings.root, "2026-06-07")
    assert texts(feed(settings), "id") == [
        "tag:tiny.example,2026-06-07:/book/en/tour",
        *before,
    ]


def test_a_feed_ends_somewhere(settings: Settings) -> None:
    for day in range(1, 32):
        for month in ("07", "08"):
            write(settings.root, {"docs/tour.md": f"# {month} {day}\n"})
            commit(settings.root, f"2026-{month}-{day:02}")
    root = feed(settings)
    assert len(texts(root, "id")) == 50
    assert texts(root, "updated")[0] == "2026-08-31T00:00:00Z"


def test_without_an_address_or_a_history_there_is_none(settings: Settings) -> None:
    assert set(written(settings)) == {"en/feed.xml", "zh/feed.xml"}
    assert written(replace(settings, address=None)) == {}
    (settings.root / ".git").rename(settings.root / "git")
    assert written(settings) == {}


def test_pages_lead_to_the_feed_of_their_language_with_its_words(handbook: Settings) -> None:
    with_languages(handbook)
    text = (handbook.root / "pyproject.toml").read_text(encoding="utf-8")
    text = text.replace("[tool.polytab]\n", f'[tool.polytab]\naddress = "{ADDRESS}"\n')
    write(handbook.root, {"pyproject.toml": text})
    settings = load_settings(handbook.root)
    write_catalog(settings, settings.language("zh"), "tour", Entry("Tour", "导览"))
    commit(settings.root, "2026-01-02")
    said: list[str] = []
    assert build(settings, settings.languages[:2], strict=False, report=said.append) == 0, said
    for code, title in (("en", "New: Tour"), ("zh", "新页面：导览")):
        page = (settings.site / code / "tour.html").read_text(encoding="utf-8")
        [link] = BeautifulSoup(page, "html.parser").select("link[type='application/atom+xml']")
        assert link["href"] == "feed.xml"
        root = ET.parse(settings.site / code / "feed.xml").getroot()  # noqa: S314  # ours
        expect_atom(root)
        assert title in texts(root, "title")
