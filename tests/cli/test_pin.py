"""`pin` makes a pinned file from names alone, keeps what is pinned, and lifts it when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.cli import main
from polytab.scripts.pins import read_environment, wanted_packages
from polytab.settings import load_settings
from tests.support.handbook import PYTHON
from tests.support.packages import offer

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

BOOK = """\
[tool.polytab]
title = "A Book"
frameworks = { tiny = { package = "tiny" }, bare = {} }
languages = { en = { name = "English" } }
"""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Write a book without pins; the installer finds three packages and no network."""
    packages = tmp_path / "packages"
    offer(packages, "ipykernel", "7.0")
    offer(packages, "tiny", "1.0", "small")
    offer(packages, "small", "1.0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(packages))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(BOOK, encoding="utf-8")
    return load_settings(tmp_path)


def test_pins_are_made_from_the_package_of_the_framework(book: Settings) -> None:
    assert main(["pin", "tiny"]) == 0
    environment = read_environment(book, "tiny")
    assert environment.python == PYTHON
    assert environment.pins == ("ipykernel==7.0", "small==1.0", "tiny==1.0")
    assert wanted_packages(environment.path) == ("tiny", "ipykernel")


def test_what_is_pinned_stays_until_it_is_lifted(
    book: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pin", "tiny"]) == 0
    offer(book.root / "packages", "small", "2.0")
    offer(book.root / "packages", "extra", "3.0", "small")
    assert main(["pin", "tiny"]) == 0
    assert "environments/tiny.txt is there already" in capsys.readouterr().out
    assert main(["pin", "tiny", "extra"]) == 0
    kept = ("extra==3.0", "ipykernel==7.0", "small==1.0", "tiny==1.0")
    assert read_environment(book, "tiny").pins == kept
    assert main(["pin", "tiny", "--upgrade"]) == 0
    said = capsys.readouterr().out
    assert "small: 1.0 -> 2.0" in said
    assert "`polytab record tiny` runs its scripts with them" not in said
    lifted = ("extra==3.0", "ipykernel==7.0", "small==2.0", "tiny==1.0")
    assert read_environment(book, "tiny").pins == lifted


def test_what_people_wrote_into_the_file_stays(book: Settings) -> None:
    assert main(["pin", "tiny"]) == 0
    path = book.environments / "tiny.txt"
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([first, "# Why it is so.", *rest, ""]), encoding="utf-8")
    assert main(["pin", "tiny", "--upgrade"]) == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == [f"# python: {PYTHON}", "# packages: tiny ipykernel", "# Why it is so."]


def test_a_framework_without_a_package_has_a_kernel_alone(book: Settings) -> None:
    assert main(["pin", "bare"]) == 0
    assert read_environment(book, "bare").pins == ("ipykernel==7.0",)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["pin", "none"], 2, "unknown framework `none`"),
        (["pin", "tiny", "x @ https://example.org"], 2, "is no package"),
        (["pin", "tiny", "--python", "three"], 2, "`three` is no version of Python"),
        (["pin", "tiny", "--python", "3.99"], 1, "needs Python 3.99"),
        (["pin", "tiny", "absent"], 1, "No matching distribution found for absent"),
    ],
)
def test_what_cannot_be_pinned_is_one_error_and_no_file(
    book: Settings, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    assert main(words) == code
    complaint = capsys.readouterr().err
    assert said in complaint.replace("\n", " ")
    assert "Traceback" not in complaint
    assert not book.environments.exists()


def test_pins_that_do_not_say_what_was_asked_for_are_not_guessed_at(
    book: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    book.environments.mkdir()
    path = book.environments / "bare.txt"
    path.write_text(f"# python: {PYTHON}\nsmall==1.0\n", encoding="utf-8")
    assert main(["pin", "bare", "--upgrade"]) == 2
    assert "does not say which packages were asked for" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == f"# python: {PYTHON}\nsmall==1.0\n"
