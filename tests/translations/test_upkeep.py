"""The catalogs of all languages follow their pages."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from polytab.errors import UsageError
from polytab.recordings.atomic import write_atomic
from polytab.translations.catalogs import Catalog, Entry, Template, catalog_path
from polytab.translations.po_parser import read_catalog
from polytab.translations.upkeep import Update, add_language, check_catalogs, update_catalogs
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

TOUR = Template("tour", (Entry("Tour"), Entry("It takes 100% of the time."), Entry("The end.")))
COMMENTS = Template("snippets/tour", (Entry("Said once."),))
SILENT = Template("snippets/end", ())
TEMPLATES = (TOUR, COMMENTS, SILENT)


@pytest.fixture
def settings(handbook: Settings) -> Settings:
    return with_languages(handbook)


def update(settings: Settings, *templates: Template) -> tuple[Update, ...]:
    return update_catalogs(settings, templates, settings.languages[1:])


def names(settings: Settings) -> list[str]:
    files = (path for path in settings.translations.rglob("*") if path.is_file())
    return sorted(path.relative_to(settings.translations).as_posix() for path in files)


def read(settings: Settings, language: Language, name: str) -> Catalog:
    catalog = read_catalog(catalog_path(settings, language, name), language.locale)
    assert catalog is not None
    return catalog


def test_the_first_update_writes_every_catalog_that_has_messages(settings: Settings) -> None:
    updates = update(settings, *TEMPLATES)
    assert names(settings) == [
        "pt_BR/LC_MESSAGES/snippets/tour.po",
        "pt_BR/LC_MESSAGES/tour.po",
        "zh_CN/LC_MESSAGES/snippets/tour.po",
        "zh_CN/LC_MESSAGES/tour.po",
    ]
    assert [each.change for each in updates] == ["3 new", "1 new", ""] * 2


def test_updating_twice_changes_nothing(settings: Settings) -> None:
    update(settings, *TEMPLATES)
    before = {path: path.read_bytes() for path in settings.translations.rglob("*.po")}
    for path in before:
        os.utime(path, (1, 1))
    assert [each.change for each in update(settings, *TEMPLATES)] == [""] * 6
    assert {path: path.read_bytes() for path in settings.translations.rglob("*.po")} == before
    assert {path.stat().st_mtime for path in before} == {1}


def test_an_update_tells_what_a_page_changed(settings: Settings) -> None:
    chinese = settings.languages[1]
    write_catalog(settings, chinese, "tour", *(Entry(each, "译") for each in "ABCDE"))
    page = Template("tour", tuple(Entry(each) for each in ("A", "X", "C", "D", "E", "F")))
    first, _ = update(settings, page)
    assert first.change == "1 new, 1 changed"
    page = Template("tour", tuple(Entry(each) for each in ("E", "A", "C")))
    first, _ = update(settings, page)
    assert first.change == "3 gone"
    page = Template("tour", tuple(Entry(each) for each in ("A", "C", "E")))
    first, _ = update(settings, page)
    assert first.change == "other places"


def test_a_catalog_that_cannot_be_read_is_not_written_over(settings: Settings) -> None:
    chinese = settings.languages[1]
    path = catalog_path(settings, chinese, "tour")
    write_atomic(path, b'msgid "Tour"\nmsgstr "cut o')
    updates = update(settings, *TEMPLATES)
    assert path.read_bytes() == b'msgid "Tour"\nmsgstr "cut o'
    assert [finding.rule for each in updates for finding in each.findings] == ["truncated"]
    assert len(names(settings)) == 4
    assert [finding.rule for finding in check_catalogs(settings, TEMPLATES)] == ["truncated"]


def test_catalogs_at_their_page_are_not_complained_of(settings: Settings) -> None:
    update(settings, *TEMPLATES)
    write_atomic(settings.translations / "zh_CN" / "glossary.toml", b"")
    assert check_catalogs(settings, TEMPLATES) == ()


def test_wrapping_and_comments_are_the_translators_own_matter(settings: Settings) -> None:
    update(settings, *TEMPLATES)
    path = catalog_path(settings, settings.languages[1], "tour")
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('msgid "It takes ', '# hard\nmsgid ""\n"It takes "\n"'), encoding="utf-8"
    )
    assert check_catalogs(settings, TEMPLATES) == ()


def test_catalogs_behind_their_page_are_told(settings: Settings) -> None:
    update(settings, TOUR)
    longer = Template("tour", (*TOUR.entries, Entry("One more.")))
    findings = check_catalogs(settings, (longer, COMMENTS, SILENT))
    assert [(each.file, each.rule, each.message) for each in findings] == [
        (catalog_path(settings, language, name), "behind", message)
        for language in settings.languages[1:]
        for name in ("tour", "snippets/tour")
        for message in ("behind its page: 1 new; run `polytab translate`",)
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("zh_CN/LC_MESSAGES/gone.po", "zh_CN/LC_MESSAGES/snippets/gone.po", "zh_CN/tour.po"),
        *("fr/LC_MESSAGES/tour.po", "en/LC_MESSAGES/tour.po", "zh_CN/LC_MESSAGES/tour.mo"),
        *("zh_CN/LC_MESSAGES/tour.po.orig", "glossary.toml", "zh_CN/LC_MESSAGES/conf.py"),
    ],
)
def test_a_file_that_is_no_catalog_is_told(settings: Settings, name: str) -> None:
    update(settings, *TEMPLATES)
    write_atomic(settings.translations / name, b"")
    [finding] = check_catalogs(settings, TEMPLATES)
    assert (finding.file, finding.rule) == (settings.translations / name, "stray")
    update(settings, *TEMPLATES)
    assert (settings.translations / name).is_file()


def test_a_folder_that_is_a_link_is_told(settings: Settings, tmp_path: Path) -> None:
    update(settings, *TEMPLATES)
    (settings.translations / "fr").symlink_to(tmp_path)
    [finding] = check_catalogs(settings, TEMPLATES)
    assert (finding.file, finding.rule) == (settings.translations / "fr", "stray")


def test_a_language_is_started(settings: Settings) -> None:
    update(settings, *TEMPLATES)
    shutil.rmtree(settings.translations / "pt_BR")
    updates = add_language(settings, TEMPLATES, "pt")
    portuguese = settings.language("pt")
    assert {each.file for each in updates if each.change} == {
        catalog_path(settings, portuguese, "tour"),
        catalog_path(settings, portuguese, "snippets/tour"),
    }
    fields = dict(read(settings, portuguese, "tour").fields)
    assert (fields["Language"], fields["Plural-Forms"]) == (
        "pt_BR",
        "nplurals=2; plural=(n > 1);",
    )


def test_a_language_is_started_once(settings: Settings) -> None:
    update(settings, *TEMPLATES)
    for code in ("pt", "en"):
        with pytest.raises(UsageError, match="is there already"):
            add_language(settings, TEMPLATES, code)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("ja", 'ja = { name = "日本語", locale = "ja", tag = "ja" }'),
        ("fr", 'fr = { name = "Français", locale = "fr", tag = "fr" }'),
        ("pt-PT", 'pt_pt = { name = "Português (Portugal)", locale = "pt_PT", tag = "pt-PT" }'),
        ("nonsense", 'ja = { name = "日本語", locale = "ja", tag = "ja" }'),
    ],
)
def test_a_language_must_stand_in_the_settings(settings: Settings, code: str, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        add_language(settings, TEMPLATES, code)
    assert caught.value.hint == f"add to [tool.polytab.languages]: {line}"
    assert not settings.translations.exists()


@pytest.mark.skipif(not shutil.which("msgfmt"), reason="GNU gettext is not installed")
def test_catalogs_pass_gettexts_own_check(settings: Settings) -> None:
    update(settings, *TEMPLATES)
    chinese = settings.languages[1]
    write_catalog(
        settings,
        chinese,
        "tour",
        Entry("Tour", "导览"),
        Entry("It takes 100% of the time.", "占了 100% 的时间。"),
        Entry("{braces} and %(names)s", "没有"),
    )
    update(settings, *TEMPLATES)
    for path in settings.translations.rglob("*.po"):
        command = ["msgfmt", "--check", "--output-file=/dev/null", str(path)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
