"""The words that no page holds, of features and of the theme, are in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages.extract import extract_from_dir
from bs4.element import NavigableString

import polytab
from polytab.recordings.files import recording_path
from tests.support.handbook import write
from tests.support.languages_site import (
    LOCALES,
    PAGES,
    build_language,
    own_words,
    whole,
    write_catalogs,
    write_pages,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bs4 import BeautifulSoup

    from polytab.settings import Settings
    from tests.support.built import Built

SPOKEN = ("aria-label", "title", "placeholder", "alt", "summary")
NAMES = {
    *("PyTorch", "MXNet", "Python", "A Tiny Handbook", "CPU: A Processor (2)"),
    *("English", "简体中文", "Português do Brasil", "Bare", "Ctrl K"),
}
"""What is called the same in every language, or has no translation: the page without a catalog."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Write the handbook; of its last snippet one output is stale and one is missing."""
    settings = write_pages(tmp_path_factory.mktemp("words") / "site")
    write_catalogs(settings)
    script = "snippets/tour/mxnet.py"
    write(settings.root, {script: PAGES[script].replace("1 + 2", "2 + 2")})
    recording_path(settings.recordings, "tour", "torch", "cpu").unlink()
    return settings


@pytest.fixture(scope="module")
def built(site: Settings) -> Mapping[str, Built]:
    return {code: build_language(site, code) for code in ("en", "zh", "pt")}


def marked() -> set[str]:
    """Return every word that `_` marks in our code, and those it is given by name."""
    found = extract_from_dir(
        Path(polytab.__file__).parent,
        [("**.py", "python")],
        keywords={"_": None, "gettext_noop": None},
    )
    return {str(message) for _, _, message, _, _ in found}


@pytest.mark.parametrize("code", LOCALES)
def test_every_word_of_ours_is_translated_and_no_other(code: str) -> None:
    words = own_words(code)
    assert len(marked()) > 30
    assert words.keys() == marked()
    assert [source for source, said in words.items() if not said] == []


@pytest.mark.parametrize("code", LOCALES)
def test_a_translated_word_has_the_same_places_to_fill(code: str) -> None:
    def places(text: str) -> list[str]:
        return sorted(name for _, name, _, _ in Formatter().parse(text) if name)

    for source, said in own_words(code).items():
        assert places(said) == places(source)


@pytest.mark.parametrize("code", LOCALES)
def test_the_theme_speaks_the_language_of_the_page(built: Mapping[str, Built], code: str) -> None:
    page = whole(built[code], "tour")
    words = own_words(code)
    for place, english in (
        ("a.skip-to-content", "Skip to content"),
        (".back-to-top", "Back to top"),
        (".toc-title", "On this page"),
        (".neighbours .next .way", "Next"),
        (".neighbours .prev .way", "Previous"),
    ):
        [found] = page.select(place)
        assert found.get_text().strip() == words[english]


@pytest.mark.parametrize(("code", "number"), [("en", "Fig. 1"), ("zh", "图1"), ("pt", "Fig. 1")])
def test_our_word_for_a_figure_goes_before_that_of_sphinx(
    built: Mapping[str, Built], code: str, number: str
) -> None:
    [found] = built[code].page("tour").select(".caption-number")
    assert found.get_text().strip() == number


@pytest.mark.parametrize("code", LOCALES)
def test_what_is_heard_is_in_the_language_of_the_page(
    built: Mapping[str, Built], code: str
) -> None:
    page = whole(built[code], "tour")
    words = own_words(code)
    heard = {str(each["aria-label"]) for each in page.select("[aria-label]")}
    spoken = ("Languages", "Framework", "All pages", "On this page", "Site navigation")
    assert heard >= {words[english] for english in spoken}


@pytest.mark.parametrize("code", LOCALES)
def test_notices_are_in_the_language_of_the_page(built: Mapping[str, Built], code: str) -> None:
    words = own_words(code)
    notices = [each.get_text().strip() for each in built[code].page("tour").select(".notice")]
    assert notices == [
        words["This snippet has not been run yet."],
        words["This output was recorded before the last edit."],
    ]


@pytest.mark.parametrize(
    ("code", "date"),
    [("en", "2 January 2026"), ("zh", "2026年1月2日"), ("pt", "2 de janeiro de 2026")],
)
def test_a_date_is_written_as_the_language_writes_it(
    built: Mapping[str, Built], code: str, date: str
) -> None:
    provenance = built[code].page("tour").select(".provenance")
    said = [each.get_text().strip().replace("\xa0", " ") for each in provenance]
    assert len(said) == 2
    assert all(each.endswith(f" · {date}") for each in said)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("en", ["eager", "compiled"]),
        ("zh", ["即时执行", "编译执行"]),
        ("pt", ["imediato", "compilado"]),
    ],
)
def test_the_names_in_a_benchmark_are_translated_in_chart_and_table(
    built: Mapping[str, Built], code: str, names: list[str]
) -> None:
    [figure] = built[code].page("speed").select("figure.benchmark")
    assert [each.get_text() for each in figure.select("svg .name")] == names * 2
    cells = [each.get_text().strip() for each in figure.select("tbody td:nth-of-type(2)")]
    assert cells == names * 2
    [said] = figure.select("svg desc")
    assert all(name in said.get_text() for name in names)


def strings(page: BeautifulSoup) -> Iterator[str]:
    """Yield whatever a reader sees or hears of a page, but code and words marked as English."""
    for hidden in page.select("script, style, pre, .code, body [lang]"):
        hidden.decompose()
    for text in page.find_all(string=True):
        if type(text) is NavigableString:
            yield from (part.strip() for part in text.split(" · "))
    for tag in page.select("*"):
        yield from (str(tag[name]) for name in SPOKEN if name in tag.attrs)
        yield from (str(said) for name, said in tag.attrs.items() if name.startswith("data-lacks"))


@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("page", ["index", "tour", "speed", "more/deep"])
def test_no_word_of_the_interface_is_left_in_english(
    built: Mapping[str, Built], code: str, page: str
) -> None:
    english = {each for each in strings(whole(built["en"], page)) if re.search(r"[a-z]{2}", each)}
    assert len(english) > 15
    left = english & set(strings(whole(built[code], page)))
    same = {each for each, said in own_words(code).items() if each == said} | {"Fig. 1"}
    assert {re.sub(r"\s7\.4\.0$|:$", "", each) for each in left} <= NAMES | same
