"""A build in which nothing changed is known at once; any change of what is read or published is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.settings import load_settings
from polytab.site import last_build as module
from polytab.site.build import build
from polytab.site.last_build import unchanged
from polytab.translations.catalogs import Entry
from tests.support.commits import commit
from tests.support.handbook import record, write, write_handbook
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from polytab.settings import Settings

CONF = """\
from extra import title

extensions = ["polytab.pages"]
html_theme = "polytab"
html_static_path = ["ours"]
html_title = title
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Build a book in two languages, strictly, whose configuration reads files of its own."""
    root = tmp_path_factory.mktemp("unchanged")
    write_handbook(root)
    settings = with_languages(load_settings(root))
    write(
        root,
        {
            ".gitignore": "_build/\n",
            "conf.py": CONF,
            "extra.py": 'title = "Extra"\n',
            "ours/own.txt": "own\n",
        },
    )
    write_catalog(settings, settings.language("pt"), "end", Entry("The end", "O fim"))
    record(settings)
    commit(root, "2026-01-01")
    assert _build(settings, "en", "pt") == 0
    return settings


def _build(settings: Settings, *codes: str, strict: bool = True) -> int:
    languages = [settings.language(code) for code in codes]
    return build(settings, languages, strict=strict, report=lambda _: None)


def _is_unchanged(settings: Settings, *codes: str, strict: bool = True) -> bool:
    languages = [settings.language(code) for code in codes or ("en", "pt")]
    return unchanged(settings, languages, strict=strict)


def test_nothing_has_changed_after_a_build(book: Settings) -> None:
    assert _is_unchanged(book)
    assert _is_unchanged(book, "pt", strict=False)


def test_a_language_that_was_not_built_is_not_there(book: Settings) -> None:
    assert not _is_unchanged(book, "zh")


def test_scripts_that_were_not_planned_may_have_to_be_run(book: Settings) -> None:
    assert not unchanged(book, [book.source_language], strict=True, planned=True)


FOREIGN = '{"read": 1, "beside": 2, "languages": 3, "strict": 4, "planned": 5, "published": 6}'

CHANGED = (
    *("docs/end.md", "pyproject.toml", "conf.py", "extra.py", "ours/own.txt"),
    *("snippets/tour/torch.py", "environments/torch.txt", "recordings/tour/torch.ipynb"),
    *("translations/pt_BR/LC_MESSAGES/end.po", "translations/pt_BR/glossary.toml"),
    *("_build/recordings/tour/torch.ipynb", "_build/site/en/end.html", "_build/site/more.html"),
    *("_build/site/manifest.json", "_build/last-build.json", "docs/new.md", "ours/deep/new.txt"),
)


@pytest.mark.parametrize("name", CHANGED)
def test_a_file_that_is_added_changed_or_removed_is_seen(book: Settings, name: str) -> None:
    path = book.root / name
    before = path.read_bytes() if path.exists() else None
    write(book.root, {name: "# otherwise\n"})
    assert not _is_unchanged(book)
    path.unlink()
    assert _is_unchanged(book) == (before is None)
    if before is not None:
        path.write_bytes(before)
    assert _is_unchanged(book)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"read": 1}', '{"stranger": true}', FOREIGN]
)
def test_a_damaged_or_foreign_note_of_the_last_build_means_a_build(
    book: Settings, text: str
) -> None:
    path = book.build / "last-build.json"
    before = path.read_bytes()
    path.write_text(text, encoding="utf-8")
    assert not _is_unchanged(book)
    path.write_bytes(before)


def test_a_commit_on_another_day_changes_what_pages_say(book: Settings) -> None:
    subprocess.run(["git", "checkout", "-q", "-b", "later"], cwd=book.root, check=True)
    write(book.root, {"docs/end.md": (book.docs / "end.md").read_text("utf-8") + "\n"})
    commit(book.root, "2026-02-02")
    write(book.root, {"docs/end.md": (book.docs / "end.md").read_text("utf-8")[:-1]})
    commit(book.root, "2026-02-03")
    assert not _is_unchanged(book)
    subprocess.run(["git", "checkout", "-q", "-"], cwd=book.root, check=True)
    assert _is_unchanged(book)


def test_another_engine_builds_all(book: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "engine_digest", lambda: "another")
    assert not _is_unchanged(book)


def test_a_build_that_complains_or_is_ended_is_done_again(handbook: Settings) -> None:
    record(handbook)
    write(handbook.root, {"docs/end.md": "# End\n\n:::{snippet} nowhere\n:::\n"})
    assert _build(handbook, "en") == 1
    assert not _is_unchanged(handbook, "en")
    write(handbook.root, {"docs/end.md": "# End\n"})
    assert _build(handbook, "en", strict=False) == 0
    assert _is_unchanged(handbook, "en", strict=False)
    assert not _is_unchanged(handbook, "en", strict=True)


def test_neither_sphinx_nor_a_kernel_is_imported_to_find_out(book: Settings) -> None:
    look = "import sys; from polytab.cli import main; main(['site', 'en', 'pt'])"
    heavy = "print([name for name in ('sphinx', 'docutils', 'nbclient') if name in sys.modules])"
    command = [sys.executable, "-c", f"{look}; {heavy}"]
    said = subprocess.run(command, cwd=book.root, capture_output=True, check=True, text=True).stdout
    assert said.splitlines()[-1] == "[]"
    assert "en: nothing has changed" in said


def test_what_is_kept_names_only_what_lies_beside_the_folders_of_the_book(book: Settings) -> None:
    kept = json.loads((book.build / "last-build.json").read_bytes())
    assert {Path(path).relative_to(book.root).as_posix() for path in kept["beside"]} >= {
        "ours",
        "extra.py",
    }
    assert not [path for path in kept["beside"] if path.startswith((str(book.docs), sys.prefix))]
