"""An e-book is current as long as nothing that it was made from has changed, nor its file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.export.books.made import (
    current_ebooks,
    digest_sources,
    ebook_path,
    forget_made,
    note_made,
    note_path,
)
from polytab.settings import load_settings
from tests.support.commits import commit
from tests.support.handbook import write

if TYPE_CHECKING:
    from polytab.settings import Settings

CONTENT = b"all pages"


@pytest.fixture
def ebook(handbook: Settings) -> Path:
    """Write a file as an e-book that was made from the handbook as it stands."""
    path = ebook_path(handbook, handbook.source_language, None, ".epub")
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    note_made(path, digest_sources(handbook))
    return path


def _current(handbook: Settings, ebook: Path) -> bytes | None:
    return current_ebooks(load_settings(handbook.root), [ebook]).get(ebook)


def test_an_ebook_is_named_by_its_language_and_framework(handbook: Settings) -> None:
    english = handbook.source_language
    of_torch = ebook_path(handbook, english, handbook.framework("torch"), ".pdf")
    assert of_torch == handbook.build / "books" / "en-torch.pdf"
    assert ebook_path(handbook, english, None, ".pdf").name == "en.pdf"
    assert note_path(of_torch).name == "en-torch.pdf.json"


def test_an_ebook_is_current_where_nothing_has_changed(handbook: Settings, ebook: Path) -> None:
    assert _current(handbook, ebook) == CONTENT
    write(handbook.root, {"README.md": "no page", "_build/pages.json": "{}"})
    assert _current(handbook, ebook) == CONTENT


@pytest.mark.parametrize(
    "name",
    [
        *("docs/tour.md", "docs/new.md", "docs/figure.svg", "conf.py", "pyproject.toml"),
        *("snippets/tour/torch.py", "snippets/helper.py", "environments/torch.txt"),
        *("recordings/tour/torch.ipynb", "_build/recordings/tour/torch.ipynb"),
        *("translations/pt_BR/LC_MESSAGES/tour.po", "translations/pt_BR/polytab.po"),
    ],
)
def test_whatever_pages_are_made_from_outdates_it(
    handbook: Settings, ebook: Path, name: str
) -> None:
    path = handbook.root / name
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    write(handbook.root, {name: f"{before}\n# more\n"})
    assert _current(handbook, ebook) is None


@pytest.mark.parametrize("variable", ["POLYTAB_ADDRESS", "POLYTAB_REPOSITORY"])
def test_another_address_outdates_it(
    handbook: Settings, ebook: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "https://elsewhere.example")
    assert _current(handbook, ebook) is None


def test_a_commit_outdates_it_for_pages_tell_its_day(handbook: Settings, ebook: Path) -> None:
    commit(handbook.root, "2026-01-01")
    assert _current(handbook, ebook) is None


def test_another_folder_does_not_outdate_it(
    handbook: Settings, ebook: Path, tmp_path: Path
) -> None:
    write(handbook.root, {".gitignore": "_build/\n"})
    commit(handbook.root, "2026-01-01")
    note_made(ebook, digest_sources(handbook))
    moved = Path(shutil.copytree(handbook.root, tmp_path / "elsewhere"))
    there = moved / ebook.relative_to(handbook.root)
    assert current_ebooks(load_settings(moved), [there]) == {there: CONTENT}


def test_a_file_that_is_not_the_noted_one_is_not_current(handbook: Settings, ebook: Path) -> None:
    ebook.write_bytes(CONTENT + b"!")
    assert _current(handbook, ebook) is None
    ebook.unlink()
    assert _current(handbook, ebook) is None


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}", '{"read": 1, "ebook": 2}'])
def test_without_a_whole_note_it_is_not_current(
    handbook: Settings, ebook: Path, text: str | None
) -> None:
    note_path(ebook).unlink()
    if text is not None:
        note_path(ebook).write_text(text, encoding="utf-8")
    assert _current(handbook, ebook) is None


def test_a_forgotten_ebook_leaves_nothing(ebook: Path) -> None:
    forget_made(ebook)
    forget_made(ebook)
    assert list(ebook.parent.iterdir()) == []
