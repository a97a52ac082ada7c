"""A book may be in any language: its own words of the interface win; a fault has its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.cli import main
from polytab.errors import PolytabError
from polytab.interface.messages import interface_words, messages_of
from polytab.settings import load_settings
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
JAPANESE = 'ja = { name = "日本語" }\n'


def _words(folder: Path, text: str) -> Path:
    file = folder / "polytab.po"
    file.write_text(HEAD + text, encoding="utf-8")
    return file


def test_the_words_of_a_book_win_and_the_rest_are_ours(tmp_path: Path) -> None:
    file = _words(tmp_path, 'msgid "Languages"\nmsgstr "Línguas"\n\nmsgid "nothing"\nmsgstr ""\n')
    words = messages_of("pt_BR", file)
    assert words.gettext("Languages") == "Línguas"
    assert words.gettext("nothing") == messages_of("pt_BR").gettext("nothing") != "nothing"
    assert messages_of("ja", file).gettext("All pages") == "All pages"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('msgid "New: {title}"\nmsgstr "新着"\n', 4, "must have the places to fill"),
        ('msgid "New: {title}"\nmsgstr "新着{titel}"\n', 4, "{title}"),
        ('msgid "nothing"\nmsgstr "{"\n', 4, "must have the places to fill"),
        ('msgid "New: {title}"\nmsgstr "{title:>999999999}"\n', 4, "places to fill"),
        ('msgid "New: {title}"\nmsgstr "{title!r}"\n', 4, "places to fill"),
        ('msgid "Fig. %s"\nmsgstr "Abb."\n', 4, "places to fill of the English: %s"),
        ('msgid "Fig. %s"\nmsgstr "Abb. %d"\n', 4, "places to fill of the English: %s"),
        ('msgid "Fig. %s"\nmsgstr "<script>x()</script>%s"\n', 4, "must be text"),
        ('msgid "Contents"\nmsgstr "![x](x.png)"\n', 4, "must be text"),
        ('msgid "[not measured yet]"\nmsgstr "[x](x)"\n', 4, "must be text"),
        ('msgid "Contents"\nmsgstr "https://x.example"\n', 4, "must be text"),
        ('msgid "Contents"\nmsgstr "\u202e"\n', 4, "cannot be seen"),
        ('msgid "Contents"\nmsgstr "a\\nb"\n', 4, "more than a line"),
        ('msgid "Contents"\nmsgid_plural "x"\nmsgstr[0] "y"\n', 4, "has no plural"),
        ("gibberish\n", 4, "cannot be read"),
    ],
)
def test_a_fault_in_them_is_one_error_with_its_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    file = _words(tmp_path, text)
    with pytest.raises(PolytabError) as caught:
        messages_of("ja", file)
    assert said in caught.value.message
    assert (caught.value.file, caught.value.line) == (file, line)


@pytest.mark.parametrize(
    "line", ["Plural-Forms: nplurals=1; plural=n()()", "Content-Type: text/plain; charset=none"]
)
def test_a_header_is_no_program_and_ends_no_build(tmp_path: Path, line: str) -> None:
    file = tmp_path / "polytab.po"
    file.write_text(f'msgid ""\nmsgstr "{line}\\n"\n\nmsgid "Languages"\nmsgstr "Línguas"\n')
    try:
        assert messages_of("ja", file).gettext("Languages")
    except PolytabError as error:
        assert "cannot be read" in error.message  # noqa: PT017  # either is well


def test_lint_tells_of_a_fault_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"pyproject.toml": FILES["pyproject.toml"] + JAPANESE})
    file = load_settings(tmp_path).words_file("ja")
    file.parent.mkdir(parents=True)
    _words(file.parent, 'msgid "Fig. %s"\nmsgstr "<b>%s</b>"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["lint"]) == 1
    assert f"{file}:4: [words] `<b>%s</b>` must be text" in capsys.readouterr().out


def test_a_language_is_added_with_every_word_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"pyproject.toml": FILES["pyproject.toml"] + JAPANESE})
    monkeypatch.chdir(tmp_path)
    assert main(["translate", "--add", "ja"]) == 0
    file = load_settings(tmp_path).words_file("ja")
    assert f"{len(interface_words())} new" in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"Languages"\nmsgstr ""', '"Languages"\nmsgstr "言語"'))
    assert main(["translate"]) == 0
    assert main(["translate", "--check"]) == 0
    assert "言語" in file.read_text(encoding="utf-8")
    built = build(tmp_path, language="ja")
    assert "言語" in built.text("tour.html")
