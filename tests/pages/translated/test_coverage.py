"""The table of coverage: a row for each page, a column for each language, in words of the page."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

import pytest
from sphinx.locale import translators

from polytab.site.build import compile_translations
from polytab.translations.catalogs import Entry
from tests.support.built import Built, build
from tests.support.commits import commit
from tests.support.handbook import record, write, write_handbook
from tests.support.languages_site import build_language
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bs4 import Tag

    from polytab.settings import Settings

TABLE = "# How far\n\n```{coverage}\n```\n"
INDEX = "# A Tiny Handbook\n\n```{toctree}\n:glob:\n\n*\n```\n"
MANY = tuple(f"{one}{other}." for one in ascii_lowercase for other in ascii_lowercase)


def translate(settings: Settings, code: str, name: str, *entries: Entry) -> None:
    write_catalog(settings, settings.language(code), name, *entries)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Write a handbook whose pages are far in one language and less far in the other."""
    translators.clear()  # a test that built another language in this process may have left its own
    root = tmp_path_factory.mktemp("coverage") / "book"
    settings = with_languages(write_handbook(root))
    write(root, {"docs/far.md": TABLE, "docs/index.md": INDEX})
    record(settings)
    translate(settings, "zh", "tour", Entry("Tour", "导览"))
    translate(settings, "zh", "snippets/tour", Entry("Said once.", "说一次。"))
    commit(root, "2026-01-02")
    translate(settings, "pt", "tour", Entry("Tour", "Passeio"))
    commit(root, "2026-03-04")
    changed = Entry("It is slow.", "É rápido.", fuzzy=True, previous="It is fast.")
    translate(settings, "pt", "index", changed, *(Entry(each, each) for each in MANY))
    return settings


@pytest.fixture(scope="module")
def built(settings: Settings) -> Built:
    return made(settings)


def made(settings: Settings) -> Built:
    compile_translations(settings, settings.languages)
    return build(settings.root)


def rows(built: Built) -> list[Tag]:
    return built.page("far").select("table.coverage tbody tr")


def cells(row: Tag) -> list[list[str]]:
    return [[said.get_text() for said in cell.select("p")] for cell in row.select("td")]


def test_each_page_has_a_row_that_leads_to_it_the_first_page_first(built: Built) -> None:
    assert built.warnings == ""
    links = [row.select("th.stub a") for row in rows(built)]
    assert [(link.get_text(), link["href"]) for [link] in links] == [
        ("A Tiny Handbook", "index.html"),
        ("End", "end.html"),
        ("How far", "#"),
        ("Tour", "tour.html"),
    ]


def test_each_translated_language_has_a_column_named_in_that_language(built: Built) -> None:
    head = built.page("far").select("table.coverage thead th")
    assert [cell.get_text(strip=True) for cell in head] == [
        "Page",
        "简体中文",
        "Português do Brasil",
    ]
    named = [cell.select("[lang]") for cell in head[1:]]
    assert [name["lang"] for [name] in named] == ["zh-CN", "pt-BR"]


def test_a_page_counts_with_its_comments_and_has_the_day_of_its_last_change(built: Built) -> None:
    assert cells(rows(built)[3]) == [
        ["100%", "2 January 2026"],
        ["50% · missing: 1", "4 March 2026"],
    ]


def test_a_message_of_another_language_is_missing_and_an_outdated_one_not_translated(
    built: Built,
) -> None:
    assert cells(rows(built)[0]) == [[f"0% · missing: {len(MANY) + 1}"], ["99% · outdated: 1"]]


def test_a_page_that_is_in_no_catalog_is_not_begun(built: Built) -> None:
    assert cells(rows(built)[1]) == [["not begun"], ["not begun"]]


def test_the_table_speaks_the_language_of_the_page(settings: Settings) -> None:
    portuguese = build_language(settings, "pt")
    tour = rows(portuguese)[3]
    assert [link.get_text() for link in tour.select("th a")] == ["Passeio"]
    assert cells(tour)[1] == ["50% · sem tradução: 1", "4 de março de 2026"]
    assert cells(rows(portuguese)[0])[1] == ["99% · desatualizados: 1"]
    assert cells(rows(portuguese)[1])[0] == ["não iniciada"]


def test_the_table_is_nothing_to_translate(settings: Settings) -> None:
    template = build(settings.root, "gettext").text("far.pot")
    assert "How far" in template
    assert "Português" not in template
    assert "missing" not in template


def test_other_formats_show_the_same(settings: Settings) -> None:
    page = build(settings.root, "text").text("far.txt")
    for said in ("Tour", "简体中文", "50% · missing: 1", "not begun"):
        assert said in page


def _translate(code: str, name: str, *entries: Entry) -> Callable[[Settings], None]:
    return lambda settings: translate(settings, code, name, *entries)


CHANGES: dict[str, tuple[Callable[[Settings], None], set[str]]] = {
    "nothing": (lambda _: None, set()),
    "a translation more": (_translate("zh", "end", Entry("End", "结尾")), {"far"}),
    "a better translation": (_translate("zh", "end", Entry("End", "末尾")), set()),
    "a translation less": (_translate("zh", "end", Entry("End")), {"far"}),
    "a comment": (_translate("pt", "snippets/tour", Entry("Said once.", "Dito.")), {"far"}),
    "a commit": (lambda settings: commit(settings.root, "2026-05-06"), {"far"}),
    "a new page": (
        lambda settings: write(settings.root, {"docs/new.md": "# New\n"}),
        {"far", "index", "new"},  # the first page lists all there are
    ),
}


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Write the handbook once more, for changes that follow each other, and build it once."""
    root = tmp_path_factory.mktemp("growing")
    settings = with_languages(write_handbook(root))
    write(root, {"docs/far.md": TABLE, "docs/index.md": INDEX})
    record(settings)
    assert "far" in read(settings)
    return settings


def read(settings: Settings) -> set[str]:
    compile_translations(settings, settings.languages)
    return set(build(settings.root, "dummy").read)


@pytest.mark.parametrize("change", CHANGES)
def test_the_page_is_read_again_when_the_table_would_differ(growing: Settings, change: str) -> None:
    make, expected = CHANGES[change]
    make(growing)
    assert read(growing) == expected
    assert read(growing) == set()


def test_without_translations_it_is_a_list_of_pages(tmp_path: Path) -> None:
    settings = write_handbook(tmp_path)
    write(tmp_path, {"docs/far.md": TABLE, "docs/index.md": INDEX})
    record(settings)
    made_in_english = made(settings)
    assert made_in_english.warnings == ""
    assert [row.get_text(strip=True) for row in rows(made_in_english)] == [
        "A Tiny Handbook",
        "End",
        "How far",
        "Tour",
    ]
