"""`new` writes the least that is a real book, over nothing that is there."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

import pytest

from polytab.cli import main
from polytab.settings import load_settings
from polytab.translations.catalogs import catalog_path
from polytab.translations.po_parser import read_catalog
from tests.support.built import build
from tests.support.packages import offer

if TYPE_CHECKING:
    from pathlib import Path

WORDS = [
    "new",
    'Sums, "Measured"',
    "--frameworks",
    "json,math=tiny,twig",
    "--languages",
    "en,ja,pt",
]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to an empty folder; the installer finds two packages and no network."""
    packages = tmp_path / "packages"
    for name in ("ipykernel", "tiny", "twig"):
        offer(packages, name, "1.0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(packages))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_new_book_has_scripts_pins_and_a_translated_message(empty: Path) -> None:
    assert main(WORDS) == 0
    settings = load_settings(empty / "sums-measured")
    assert settings.title == 'Sums, "Measured"'
    assert [(each.name, each.package) for each in settings.frameworks] == [
        ("json", None),  # it comes with Python
        ("math", "tiny"),
        ("twig", "twig"),
    ]
    assert [(each.code, each.locale, each.name) for each in settings.languages] == [
        ("en", "en", "English"),
        ("ja", "ja", "日本語"),
        ("pt", "pt_BR", "Português"),
    ]
    assert "import math\n" in (settings.snippets / "sum" / "math.py").read_text(encoding="utf-8")
    for language in settings.languages[1:]:
        catalog = read_catalog(catalog_path(settings, language, "index"), language.locale)
        assert catalog is not None
        assert [each.source for each in catalog.entries if each.translation] == ["Contents"]
    assert settings.words_file("ja").is_file()
    assert not settings.words_file("pt_BR").is_file()  # the engine speaks it


def test_its_settings_hold_nothing_that_has_a_default(empty: Path) -> None:
    assert main(WORDS) == 0
    text = (empty / "sums-measured" / "pyproject.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)["tool"]["polytab"]
    assert table.keys() == {"title", "frameworks", "languages"}
    assert table["languages"]["ja"] == {"name": "日本語"}


def test_it_builds_without_a_complaint_of_its_own(empty: Path) -> None:
    assert main(WORDS) == 0
    built = build(empty / "sums-measured")
    assert built.complaints("index") == {}
    assert "Sums" in built.text("index.html")


def test_nothing_is_written_over(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (empty / "sums-measured").mkdir()
    kept = empty / "sums-measured" / "README.md"
    kept.write_text("mine", encoding="utf-8")
    assert main(WORDS) == 2
    assert "writes over nothing" in capsys.readouterr().err
    assert kept.read_text(encoding="utf-8") == "mine"
    assert main([*WORDS, "--in", "other"]) == 0
    assert (empty / "other" / "conf.py").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["!!", "--frameworks", "json"], "gives no name for a folder"),
        ([" ", "--frameworks", "json"], "` ` is no title"),
        (["Sums\n\n# Two", "--frameworks", "json"], "`Sums\\u000a\\u000a# Two` is no title"),
        ([os.fsdecode(b"Sums \xff"), "--frameworks", "json"], "`Sums \\udcff` is no title"),
        (["Sums \u202e", "--frameworks", "json"], "`Sums \\u202e` is no title"),
        (["Sums " * 2000, "--frameworks", "json"], "the title has 9999 characters"),
        (["A", "--frameworks", "class"], "`class` is no framework"),
        (["A", "--frameworks", "Json"], "`Json` is no framework"),
        (["A", "--frameworks", "python"], "every book has plain Python"),
        (["A", "--frameworks", "json,json"], "a framework is named twice"),
        (["A", "--frameworks", "json", "--languages", "en,klingon"], "`klingon` is no language"),
        (["A", "--frameworks", "json", "--languages", "en,en"], "a language is named twice"),
    ],
)
def test_wrong_words_are_one_error_and_no_file(
    empty: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["new", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize(
    ("title", "folder"),
    [
        ("Sums {{ env }} {% raw %} {ref}`x`", "sums-env-raw-ref-x"),
        ("<script>x()</script> & \"a\" 'b' \\*c* $d$ #", "script-x-script-a-b-c-d"),
        ("../../etc/[x](javascript:x) %s ~~y~~ _z_", "etc-x-javascript-x-s-y-z"),
        ("\N{SLIGHTLY SMILING FACE} 数字\N{IDEOGRAPHIC SPACE}的书", "数字-的书"),
        ("Sum " * 49, "-".join(["sum"] * 15)),
    ],
)
def test_a_title_is_shown_as_it_was_written(empty: Path, title: str, folder: str) -> None:
    assert main(["new", title, "--frameworks", "json"]) == 0
    book = empty / folder
    assert load_settings(book).title == title.strip()
    built = build(book)
    assert built.complaints("index") == {}
    [heading] = built.page("index").select("h1")
    for link in heading.select("a"):
        link.decompose()
    plain = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")  # Sphinx curls what is straight
    assert heading.get_text().translate(plain) == title.strip()


def test_where_nothing_can_be_pinned_the_files_stay_and_the_way_on_is_told(
    empty: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", str(empty))
    assert main(WORDS) == 1
    said = capsys.readouterr()
    assert "`polytab pin json` does it again" in said.out
    assert "Traceback" not in said.err
    assert (empty / "sums-measured" / "docs" / "sum.md").is_file()
