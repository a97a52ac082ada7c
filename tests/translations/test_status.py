"""Page by language: what is translated, outdated and missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from polytab.cli import main
from polytab.interface.messages import interface_words
from polytab.recordings.atomic import write_atomic
from polytab.translations.catalogs import Entry, Template, catalog_path
from polytab.translations.status import Coverage, as_json, coverage, coverage_of_words, of_pages
from polytab.translations.upkeep import update_words
from tests.support.commits import commit
from tests.support.handbook import write_handbook
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

TOUR = Template("tour", tuple(Entry(each) for each in ("Yes.", "No.", "Maybe.", "It is slow.")))
COMMENTS = Template("snippets/tour", (Entry("Said once."),))
SILENT = Template("snippets/end", ())
TEMPLATES = (TOUR, COMMENTS, SILENT)


@pytest.fixture
def settings(handbook: Settings) -> Settings:
    return with_languages(handbook)


def test_nothing_is_translated_at_first(settings: Settings) -> None:
    assert coverage(settings, TEMPLATES) == tuple(
        Coverage(name, language, 0, 0, total)
        for language in ("zh", "pt")
        for name, total in (("tour", 4), ("snippets/tour", 1))
    )


def test_each_message_of_the_page_counts_once(settings: Settings) -> None:
    portuguese = settings.language("pt")
    write_catalog(
        settings,
        portuguese,
        "tour",
        Entry("Yes.", "Sim."),
        Entry("It is slow.", "É rápido.", fuzzy=True, previous="It is fast."),
        Entry("Gone.", "Foi-se."),
    )
    row = coverage(settings, TEMPLATES)[2]
    assert row == Coverage("tour", "pt", translated=1, outdated=1, missing=2)
    assert row.total == 4


def test_a_translation_that_is_its_english_counts(settings: Settings) -> None:
    write_catalog(settings, settings.language("pt"), "tour", Entry("No.", "No."))
    assert coverage(settings, TEMPLATES)[2].translated == 1


def test_what_the_lint_refuses_is_missing(settings: Settings) -> None:
    write_catalog(settings, settings.language("pt"), "tour", Entry("No.", "<b>Não.</b>"))
    assert coverage(settings, TEMPLATES)[2] == Coverage("tour", "pt", 0, 0, 4)


def test_a_catalog_that_cannot_be_read_is_missing_whole(settings: Settings) -> None:
    write_atomic(catalog_path(settings, settings.language("pt"), "tour"), b"?")
    assert coverage(settings, TEMPLATES)[2] == Coverage("tour", "pt", 0, 0, 4)


def test_the_day_is_that_of_the_last_commit(settings: Settings) -> None:
    chinese, portuguese = settings.languages[1:]
    for language in (chinese, portuguese):
        write_catalog(settings, language, "tour", Entry("Yes.", "1"))
    commit(settings.root, "2026-01-02")
    write_catalog(settings, portuguese, "tour", Entry("Yes.", "2"))
    commit(settings.root, "2026-03-04")
    write_catalog(settings, portuguese, "snippets/tour", Entry("Said once.", "3"))
    days = {(row.language, row.name): row.changed for row in coverage(settings, TEMPLATES)}
    assert days == {
        ("zh", "tour"): "2026-01-02",
        ("zh", "snippets/tour"): None,
        ("pt", "tour"): "2026-03-04",
        ("pt", "snippets/tour"): None,
    }


def test_without_git_there_is_no_day(settings: Settings) -> None:
    write_catalog(settings, settings.languages[1], "tour", Entry("Yes.", "1"))
    assert coverage(settings, TEMPLATES)[0].changed is None


def test_a_handbook_may_lie_inside_a_repository(tmp_path: Path) -> None:
    settings = with_languages(write_handbook(tmp_path / "books" / "tiny"))
    write_catalog(settings, settings.languages[1], "tour", Entry("Yes.", "1"))
    commit(tmp_path, "2026-01-02")
    assert coverage(settings, TEMPLATES)[0].changed == "2026-01-02"


def test_a_page_is_its_text_and_its_comments() -> None:
    rows = (
        Coverage("tour", "pt", 1, 2, 3, "2026-01-02"),
        Coverage("snippets/tour", "pt", 10, 20, 30, "2026-03-04"),
        Coverage("tour", "zh", 5, 0, 0),
    )
    assert of_pages(rows) == (
        Coverage("tour", "pt", 11, 22, 33, "2026-03-04"),
        Coverage("tour", "zh", 5, 0, 0),
    )


def test_the_table_can_be_read_by_programs() -> None:
    assert json.loads(as_json([Coverage("tour", "pt", 1, 2, 3, "2026-01-02")])) == [
        {
            "name": "tour",
            "language": "pt",
            "translated": 1,
            "outdated": 2,
            "missing": 3,
            "changed": "2026-01-02",
        }
    ]


def test_the_books_own_words_of_the_interface_count(settings: Settings) -> None:
    portuguese = settings.language("pt")
    words = ("Languages", "Search", "Contents")
    assert coverage_of_words(settings, [portuguese], words) == (
        Coverage("polytab.po", "pt", 0, 0, 3),
    )
    update_words(settings, portuguese, words)
    path = settings.words_file("pt_BR")
    text = path.read_text(encoding="utf-8").replace('"Search"\nmsgstr ""', '"Search"\nmsgstr "X"')
    fuzzy = '#, fuzzy\nmsgid "Contents"\nmsgstr "Y"'
    path.write_text(text.replace('msgid "Contents"\nmsgstr ""', fuzzy), encoding="utf-8")
    commit(settings.root, "2026-01-02")
    assert coverage_of_words(settings, [portuguese], words) == (
        Coverage("polytab.po", "pt", translated=1, outdated=1, missing=1, changed="2026-01-02"),
    )
    write_atomic(path, b"?")
    assert coverage_of_words(settings, [portuguese], words)[0].missing == 3


def test_status_has_a_row_of_the_interface_only_where_polytab_does_not_speak_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = settings.root / "pyproject.toml"
    file.write_text(file.read_text("utf-8") + '[tool.polytab.languages.ja]\nname = "日本語"\n')
    monkeypatch.chdir(settings.root)
    assert main(["status", "--json"]) == 0
    rows = [each for each in json.loads(capsys.readouterr().out) if each["name"] == "polytab.po"]
    assert [(each["language"], each["missing"]) for each in rows] == [
        ("ja", len(interface_words())),
    ]
