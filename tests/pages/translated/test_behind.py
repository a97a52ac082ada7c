"""Catalogs that are behind their pages and recordings are told, without Sphinx."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from polytab.cli import main
from polytab.interface.messages import interface_words
from polytab.pages.translated.behind import find_behind
from polytab.recordings.files import save_recording
from polytab.settings import load_settings
from polytab.translations.catalogs import catalog_path
from tests.support.handbook import job, recording, write
from tests.support.languages_site import write_pages
from tests.support.numbers_site import EAGER_WINS, USUALLY, output

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

JAPANESE = '\n[tool.polytab.languages.ja]\nname = "日本語"\n'
SPEED = "translations/{}/LC_MESSAGES/snippets/speed.po"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return a book with every kind of message, whose catalogs have it; nothing is measured."""
    settings = write_pages(tmp_path)
    file = settings.root / "pyproject.toml"
    file.write_text(file.read_text("utf-8") + JAPANESE, "utf-8")
    shutil.rmtree(settings.recordings / "speed")
    monkeypatch.chdir(settings.root)
    assert main(["translate"]) == 0
    return load_settings(settings.root)


def measure(settings: Settings) -> None:
    for framework in ("torch", "mxnet"):
        measured = {"forward": [output("forward", EAGER_WINS, USUALLY)]}
        made = recording(job(settings, "speed", framework), measured)
        save_recording(settings.recordings, made)


def test_names_that_were_measured_are_told_until_translate_has_them(settings: Settings) -> None:
    assert list(find_behind(settings)) == []
    measure(settings)
    assert list(find_behind(settings)) == [
        f"behind: {SPEED.format(locale)}: it lacks 3 messages, such as `forward`; "
        "run `polytab translate`"
        for locale in ("zh_CN", "pt_BR", "ja")
    ]
    assert main(["translate"]) == 0
    assert list(find_behind(settings)) == []


def test_a_paragraph_that_no_catalog_has_is_told_with_its_catalog(settings: Settings) -> None:
    page = settings.docs / "speed.md"
    page.write_text(page.read_text("utf-8").replace("Compiling pays.", "It pays."), "utf-8")
    first, *_ = find_behind(settings)
    file = "translations/zh_CN/LC_MESSAGES/speed.po"
    assert first == f"behind: {file}: it lacks the message `It pays.`; run `polytab translate`"


def test_a_language_without_a_catalog_is_told_once(settings: Settings) -> None:
    for path in (settings.translations / "ja").rglob("*.po"):
        path.unlink()
    catalogs, words = find_behind(settings)
    assert catalogs == "behind: 日本語: there are no catalogs yet; run `polytab translate`"
    count = len(interface_words())
    assert words.startswith(f"behind: translations/ja/polytab.po: it lacks {count} messages")


def test_what_cannot_be_read_is_left_to_other_checks(settings: Settings) -> None:
    measure(settings)
    for locale in ("zh_CN", "pt_BR", "ja"):
        write(settings.root, {SPEED.format(locale): "damaged"})
    assert list(find_behind(settings)) == []
    catalog_path(settings, settings.language("zh"), "snippets/speed").unlink()
    assert len(list(find_behind(settings))) == 1
    write(settings.root, {"recordings/speed/torch.cpu.ipynb": "damaged"})
    assert list(find_behind(settings)) == []


def test_check_and_status_tell_it_and_translate_check_fails_for_it(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    measure(settings)
    words = settings.words_file("ja")
    text = words.read_text(encoding="utf-8")
    words.write_text(text.replace('msgid "Languages"\nmsgstr ""\n', ""), encoding="utf-8")
    capfd.readouterr()
    for verb in ("check", "status"):
        main([verb])
        told = [line for line in capfd.readouterr().out.splitlines() if line.startswith("behind: ")]
        assert told == list(find_behind(settings))
        assert len(told) == 4
    assert main(["translate", "--check"]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert sum("[behind] behind its page: 3 new" in line for line in lines) == 3
    assert f"{words}: [behind] behind the interface: 1 new; run `polytab translate`" in lines
