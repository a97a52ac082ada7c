"""From each page a reader, and a search engine, finds the same page in the other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook
from tests.support.languages_site import (
    ADDRESS,
    build_language,
    whole,
    write_catalogs,
    write_pages,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.built import Built

TAGS = {"en": "en", "zh": "zh-CN", "pt": "pt-BR"}
HEAD = "link[hreflang], link[rel=canonical]"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Built]:
    settings = write_pages(tmp_path_factory.mktemp("language") / "site", address=f"{ADDRESS}/")
    write_catalogs(settings)
    return {code: build_language(settings, code) for code in TAGS}


@pytest.mark.parametrize("code", TAGS)
def test_a_page_names_its_language(built: Mapping[str, Built], code: str) -> None:
    [html] = whole(built[code], "tour").select("html")
    assert html["lang"] == TAGS[code]


@pytest.mark.parametrize("code", TAGS)
@pytest.mark.parametrize(("page", "up"), [("tour", "../"), ("more/deep", "../../")])
def test_the_switch_leads_to_the_same_page(
    built: Mapping[str, Built], code: str, page: str, up: str
) -> None:
    links = whole(built[code], page).select("nav.languages a")
    assert [(each["href"], each["lang"], each["hreflang"]) for each in links] == [
        (f"{up}{other}/{page}.html", tag, tag) for other, tag in TAGS.items()
    ]
    assert [each.get_text() for each in links] == ["English", "简体中文", "Português do Brasil"]
    assert [each["lang"] for each in links if "aria-current" in each.attrs] == [TAGS[code]]


@pytest.mark.parametrize("code", TAGS)
@pytest.mark.parametrize("page", ["tour", "more/deep", "bare"])
def test_search_engines_are_told_every_language_and_the_default(
    built: Mapping[str, Built], code: str, page: str
) -> None:
    head = whole(built[code], page)
    told = [(each["hreflang"], each["href"]) for each in head.select("link[hreflang]")]
    assert told == [
        *((tag, f"{ADDRESS}/{other}/{page}.html") for other, tag in TAGS.items()),
        ("x-default", f"{ADDRESS}/en/{page}.html"),
    ]
    [canonical] = head.select("link[rel=canonical]")
    assert canonical["href"] == f"{ADDRESS}/{code}/{page}.html"


def test_a_handbook_has_a_title_in_each_language(built: Mapping[str, Built]) -> None:
    titles = [whole(built[code], "tour").select("head > title")[0].get_text() for code in TAGS]
    assert titles == ["Tour - A Tiny Handbook", "导览 - 小手册", "Passeio - A Tiny Handbook"]


def test_without_an_address_nothing_is_told(tmp_path: Path) -> None:
    settings = write_pages(tmp_path / "site")
    page = whole(build_language(settings, "zh"), "tour")
    assert page.select(HEAD) == []
    assert len(page.select("nav.languages a")) == 3


def test_one_language_needs_no_switch(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    table = "[tool.polytab]\n"
    text = FILES["pyproject.toml"].replace(table, f'{table}address = "{ADDRESS}"\n')
    write(tmp_path, {"pyproject.toml": text})
    page = BeautifulSoup(build(tmp_path).text("tour.html"), "html.parser")
    assert page.select("nav.languages, link[hreflang]") == []
    assert len(page.select("link[rel=canonical]")) == 1
