"""Around a page stand the way to it, its sources, its last change, and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.support.built import build
from tests.support.commits import commit
from tests.support.handbook import write, write_handbook
from tests.support.languages_site import (
    LOCALES,
    REPOSITORY,
    build_language,
    own_words,
    whole,
    write_catalogs,
    write_pages,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.built import Built

CODES = ("en", "zh", "pt")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Built]:
    """Build a handbook with a page below another; its catalogs are a day younger than its pages."""
    settings = write_pages(tmp_path_factory.mktemp("frame") / "site", repository=REPOSITORY)
    tour = (settings.docs / "tour.md").read_text(encoding="utf-8")
    index = "# The Handbook\n\n```{toctree}\ntour\nspeed\nstates\nbare\n```\n"
    below = f"{tour}\n```{{toctree}}\nmore/deep\n```\n"
    write(settings.root, {"docs/index.md": index, "docs/tour.md": below})
    commit(settings.root, "2026-01-02")
    write_catalogs(settings)
    commit(settings.root, "2026-01-03")
    return {code: build_language(settings, code) for code in CODES}


def links(page: BeautifulSoup) -> dict[str, str]:
    return {each.get_text(): str(each["href"]) for each in page.select(".page-links a")}


def test_a_title_of_a_book_is_text_wherever_it_stands(tmp_path: Path) -> None:
    title = "R & D <script>x()</script>"
    settings = write_handbook(tmp_path)
    file = settings.root / "pyproject.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('title = "A Tiny Handbook"', f'title = "{title}"'), "utf-8")
    site = build(settings.root)
    page = whole(site, "tour")
    assert "<script>x()" not in site.text("tour.html")
    said = [each.get_text() for each in page.select(".sidebar-brand-text, .breadcrumbs li a")]
    assert said == [title, title]


@pytest.mark.parametrize(
    ("code", "titles"),
    [
        ("en", ["A Tiny Handbook", "Tour", "Deep"]),
        ("zh", ["小手册", "导览", "深处"]),
        ("pt", ["A Tiny Handbook", "Passeio", "Fundo"]),
    ],
)
def test_the_way_to_a_page_leads_from_the_start_through_those_above(
    built: Mapping[str, Built], code: str, titles: list[str]
) -> None:
    [way] = whole(built[code], "more/deep").select("nav.breadcrumbs")
    assert [each.get_text() for each in way.select("li")] == titles
    assert [each["href"] for each in way.select("a")] == ["../index.html", "../tour.html"]
    [here] = way.select("[aria-current=page]")
    assert here.get_text() == titles[-1]
    assert way["aria-label"] == (
        "You are here" if code == "en" else own_words(code)["You are here"]
    )


def test_the_start_page_needs_no_way_and_a_made_page_has_none(built: Mapping[str, Built]) -> None:
    assert whole(built["en"], "index").select("nav.breadcrumbs") == []
    assert whole(built["en"], "genindex").select("nav.breadcrumbs, .page-end") == []


def test_the_neighbours_stand_in_the_order_of_reading(built: Mapping[str, Built]) -> None:
    [around] = whole(built["zh"], "tour").select("nav.neighbours")
    said = [(each["rel"], each["href"], each.get_text(" ").split()) for each in around.select("a")]
    assert said == [
        (["prev"], "index.html", ["上一页", "手册"]),
        (["next"], "more/deep.html", ["下一页", "深处"]),
    ]


def test_the_end_of_a_page_leads_to_its_sources(built: Mapping[str, Built]) -> None:
    found = links(whole(built["en"], "tour"))
    assert list(found) == ["Edit this page", "View the snippets", "Report a problem"]
    assert found["Edit this page"] == f"{REPOSITORY}/edit/HEAD/docs/tour.md"
    assert found["View the snippets"] == f"{REPOSITORY}/tree/HEAD/snippets/tour"


@pytest.mark.parametrize("code", LOCALES)
def test_in_a_translation_it_leads_to_its_catalog_too(
    built: Mapping[str, Built], code: str
) -> None:
    words, found = own_words(code), links(whole(built[code], "tour"))
    assert found[words["Edit this page"]] == f"{REPOSITORY}/edit/HEAD/docs/tour.md"
    catalog = f"translations/{LOCALES[code]}/LC_MESSAGES/tour.po"
    assert found[words["Improve this translation"]] == f"{REPOSITORY}/edit/HEAD/{catalog}"


def test_no_link_leads_to_what_is_not_there(built: Mapping[str, Built]) -> None:
    words, found = own_words("zh"), links(whole(built["zh"], "bare"))
    assert list(found) == [words["Edit this page"], words["Report a problem"]]


@pytest.mark.parametrize(("code", "tag"), [("en", "en"), ("zh", "zh-CN"), ("pt", "pt-BR")])
def test_a_report_names_the_page_and_the_language(
    built: Mapping[str, Built], code: str, tag: str
) -> None:
    [link] = whole(built[code], "more/deep").select("a.report")
    address = urlsplit(str(link["href"]))
    assert address._replace(query="").geturl() == f"{REPOSITORY}/issues/new"
    assert parse_qs(address.query) == {
        "title": [f"more/deep ({tag}): "],
        "body": [f"Page: more/deep\nLanguage: {tag}\n"],
    }


@pytest.mark.parametrize(
    ("code", "day", "said"),
    [
        ("en", "2026-01-02", "Last updated: 2 January 2026"),
        ("zh", "2026-01-03", "最近更新：2026年1月3日"),
        ("pt", "2026-01-03", "Última atualização: 3 de janeiro de 2026"),
    ],
)
def test_a_page_says_when_it_changed_and_a_translation_when_it_was_translated(
    built: Mapping[str, Built], code: str, day: str, said: str
) -> None:
    [line] = whole(built[code], "tour").select(".changed")
    assert line.get_text() == said
    assert line.time is not None
    assert line.time["datetime"] == day


def test_a_translation_that_no_commit_has_says_nothing(built: Mapping[str, Built]) -> None:
    assert whole(built["en"], "bare").select(".changed") != []
    assert whole(built["zh"], "bare").select(".changed") == []


def test_without_a_repository_and_without_git_nothing_stands_at_the_end(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    page = BeautifulSoup(build(tmp_path).text("tour.html"), "html.parser")
    assert page.select(".page-end") == []
    assert page.select("nav.neighbours a")


def test_a_page_is_written_again_but_not_read_when_its_last_change_is_another(
    tmp_path: Path,
) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {".gitignore": "_build/\n"})
    commit(tmp_path, "2026-01-02")
    assert "2 January 2026" in build(tmp_path).text("tour.html")
    write(tmp_path, {"docs/tour.md": "# Another\n"})
    assert "2 January 2026" in build(tmp_path).text("tour.html")
    commit(tmp_path, "2026-03-04")
    again = build(tmp_path)
    assert again.read == ()
    assert "4 March 2026" in again.text("tour.html")
    assert "2 January 2026" in again.text("end.html")


def test_pages_read_and_written_in_many_processes_say_the_same(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    more = {f"docs/more{number}.md": f"# More {number}\n" for number in range(12)}
    index = "# A Tiny Handbook\n\n```{toctree}\n:glob:\n\n*\n```\n"
    texts = []
    for root, jobs in ((tmp_path, 1), (tmp_path_factory.mktemp("many"), 2)):
        write_handbook(root)
        write(root, {**more, "docs/index.md": index})
        commit(root, "2026-01-02")
        made = build(root, jobs=jobs)
        texts.append([made.text(f"more{number}.html") for number in range(12)])
        assert all("2 January 2026" in text for text in texts[-1])
    assert texts[0] == texts[1]
