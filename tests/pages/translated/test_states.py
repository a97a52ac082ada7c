"""Each paragraph tells how far it is translated, and what of the English is behind it."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from bs4 import Tag
from hypothesis import given
from hypothesis import strategies as st

from polytab.pages.translated.states import difference, translation_status
from polytab.translations.catalogs import catalog_path
from tests.support.languages_site import (
    REPOSITORY,
    build_language,
    own_words,
    paragraph,
    write_catalogs,
    write_pages,
)

if TYPE_CHECKING:
    from polytab.settings import Settings
    from tests.support.built import Built

MARKS = ".untranslated, .outdated, .translation-status, .coverage-note"
CATALOG = f"{REPOSITORY}/blob/HEAD/translations/zh_CN/LC_MESSAGES/states.po"

WORDS = own_words("zh")
MISSING = WORDS["Paragraphs not translated yet, shown in English: {number}."]
OUTDATED = WORDS["Paragraphs whose translation is behind the English: {number}."]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = write_pages(tmp_path_factory.mktemp("states") / "site", repository=REPOSITORY)
    write_catalogs(settings)
    return settings


@pytest.fixture(scope="module")
def zh(site: Settings) -> Built:
    return build_language(site, "zh")


@pytest.fixture(scope="module")
def states(zh: Built) -> Tag:
    return zh.page("states")


def behind(said: Tag) -> Tag:
    """Return what a paragraph discloses."""
    found = said.find_next_sibling()
    assert isinstance(found, Tag)
    assert found["class"] == ["translation-status"]
    return found


def place(site: Settings, source: str) -> str:
    """Return the address of a message's line on the forge."""
    path = catalog_path(site, site.language("zh"), "states")
    line = path.read_text(encoding="utf-8").split("\n").index(f'msgid "{source}"') + 1
    return f"{CATALOG}#L{line}"


def test_a_translated_paragraph_looks_like_any_other(zh: Built, states: Tag) -> None:
    assert zh.warnings == ""
    assert paragraph(states, "这一段不变。").attrs == {}
    for page in ("index", "tour", "speed"):
        assert zh.page(page).select(f"{MARKS}, [lang]") == []


def test_a_missing_paragraph_is_english_and_says_so(site: Settings, states: Tag) -> None:
    missing = paragraph(states, "Nobody knows this.")
    assert missing.attrs == {"class": ["untranslated"], "lang": "en"}
    [link] = behind(missing).select("a")
    assert link["href"] == place(site, "Nobody knows this.")
    assert link.get_text() == WORDS["Mend it"]


def test_an_old_translation_stays_where_it_fits_and_shows_what_changed(
    site: Settings, states: Tag
) -> None:
    outdated = paragraph(states, "在CPU上更快。")
    assert outdated.attrs == {"class": ["outdated"]}
    box = behind(outdated)
    assert box.name == "details"
    [summary] = box.select("summary")
    assert summary.get_text() == WORDS["This translation is behind the English."]
    [english] = box.select("p")
    assert english["lang"] == "en"
    assert english.decode_contents() == "It is <del>faster</del><ins>slower</ins> on the CPU."
    [link] = box.select("a")
    assert link["href"] == place(site, "It is slower on the CPU.")


def test_where_an_old_translation_does_not_fit_the_english_is_shown(states: Tag) -> None:
    shown = paragraph(states, "Call net once more.")
    assert shown.attrs == {"class": ["outdated"], "lang": "en"}
    assert [each.get_text() for each in shown.select("code")] == ["net"]
    english, old = behind(shown).select("p")
    assert english["lang"] == "en"
    assert english.decode_contents() == "Call <del>it</del><ins>`net`</ins> once more."
    assert (old.attrs, old.get_text()) == ({}, "再调用一次。")


def test_a_translation_that_someone_doubts_shows_the_english(states: Tag) -> None:
    doubted = paragraph(states, "有人怀疑这一点。")
    assert doubted.attrs == {"class": ["outdated"]}
    [english] = behind(doubted).select("p")
    assert (english["lang"], english.decode_contents()) == ("en", "Someone doubts this.")


def test_a_page_says_how_much_of_it_is_not_translated(states: Tag) -> None:
    [note] = states.select(".coverage-note")
    said = (MISSING.format(number=1), OUTDATED.format(number=3), WORDS["Help to translate"])
    assert note.get_text() == " ".join(said)
    [link] = note.select("a")
    assert link["href"] == CATALOG
    before = note.find_previous_sibling()
    assert isinstance(before, Tag)
    assert before.name == "h1"


def test_a_page_without_a_catalog_is_english_throughout(zh: Built) -> None:
    article = zh.page("bare")
    assert paragraph(article, "No catalog knows this.")["lang"] == "en"
    [heading] = article.select("h1")
    assert (heading["class"], heading["lang"]) == (["untranslated"], "en")
    [note] = article.select(".coverage-note")
    assert note.get_text() == f"{MISSING.format(number=2)} {WORDS['Help to translate']}"


def test_portuguese_says_the_same_in_its_own_words(site: Settings) -> None:
    article = build_language(site, "pt").page("states")
    assert [each.get_text() for each in article.select(".outdated, .untranslated")] == [
        "É mais rápido na CPU.",
        "Call net once more.",
        "Alguém duvida disto.",
        "Nobody knows this.",
    ]
    words = own_words("pt")
    told = [each.get_text() for each in article.select("summary")]
    assert told == [words["This translation is behind the English."]] * 3


def test_without_a_repository_nothing_is_linked_and_all_else_is_told(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    settings = write_pages(tmp_path_factory.mktemp("unlinked") / "site")
    write_catalogs(settings)
    article = build_language(settings, "zh").page("states")
    assert article.select(".translation-status a, .coverage-note a") == []
    assert (
        len(article.select("details.translation-status"))
        == len(article.select(".translation-status"))
        == 3
    )
    assert len(article.select(".untranslated[lang=en]")) == 1
    [note] = article.select(".coverage-note")
    assert note.get_text() == f"{MISSING.format(number=1)} {OUTDATED.format(number=3)}"


def test_the_source_language_has_no_marks(site: Settings) -> None:
    english = build_language(site, "en")
    assert english.warnings == ""
    for page in ("index", "tour", "speed", "states", "bare"):
        assert english.page(page).select(f"{MARKS}, [lang]") == []


def test_extraction_takes_no_notice_of_states(site: Settings) -> None:
    translated = build_language(site, "zh", "gettext")
    english = build_language(site, "en", "gettext")
    for page in ("tour", "speed", "states", "bare"):
        one, other = (re.findall(r"^msg.*", each.text(f"{page}.pot"), re.MULTILINE)
                      for each in (translated, english))  # fmt: skip
        assert one == other
        assert not list(translated.doctree(page).findall(translation_status))


@pytest.mark.parametrize("builder", ["text", "epub"])
def test_other_formats_take_a_page_that_is_behind(site: Settings, builder: str) -> None:
    assert "states" not in build_language(site, "zh", builder).warnings


TEXTS = st.text("ab <>&'\"\n", max_size=12)


@given(TEXTS, TEXTS)
def test_a_difference_holds_both_texts_and_no_other_markup(before: str, after: str) -> None:
    shown = difference(before, after)
    assert unescape(re.sub(r"<ins>[^<]*</ins>|</?del>", "", shown)) == before
    assert unescape(re.sub(r"<del>[^<]*</del>|</?ins>", "", shown)) == after


def test_what_stayed_is_in_no_mark() -> None:
    assert difference("It is <b>.", "It is <b>.") == "It is &lt;b&gt;."
