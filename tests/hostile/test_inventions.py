"""Whatever passes the lint builds: no traceback, no complaint without a place, no new word."""

from __future__ import annotations

import random
import re
import sys
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.pages.markdown.check import check_pages
from polytab.recordings.check import find_unreadable
from polytab.recordings.files import save_recording
from polytab.settings import load_settings
from polytab.translations.catalogs import Entry
from polytab.translations.compiled import check_language, compile_catalogs
from tests.hostile.inventor import Inventor
from tests.support.built import build
from tests.support.handbook import job, record, recording, stream, write, write_handbook
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.settings import Settings

PAGES, DRAWINGS = 10, 3
_PLACED = re.compile(r"(?P<place>.+?:\d+): (?:WARNING|ERROR|CRITICAL|SEVERE)")
_COMPLAINS = re.compile(r"\b(?:WARNING|ERROR|CRITICAL|SEVERE): ")
_WORD = re.compile(r"[^\W\d_]{4,}")


def _write_book(root: Path, chance: random.Random) -> Settings:
    """Write a book of invented files; what the lint refuses of it is removed."""
    settings = with_languages(write_handbook(root))
    record(settings)
    inventor = Inventor(chance)
    write(settings.docs, {"index.md": "# Start\n\n```{toctree}\n:glob:\n*\n```\n"})
    write(settings.docs, {f"flow{at}.svg": inventor.drawing() for at in range(DRAWINGS)})
    write(settings.docs, {f"page{at}.md": inventor.page() for at in range(PAGES)})
    shown = {"output_type": "display_data", "metadata": {}, "data": {
        "text/html": inventor.damaged(inventor.words("<p>{w}<b>{w}</b></p>"))}}  # fmt: skip
    said = stream(inventor.damaged(inventor.words("{w}\n{w} {n}\n")))
    save_recording(settings.recordings, recording(job(settings), {"add": [said, shown]}))
    for name, source in (("end", "End"), ("index", "Start"), ("tour", "Tour")):
        entry = Entry(source, inventor.damaged(inventor.words("{w} {w}")).strip())
        write_catalog(settings, settings.language("zh"), name, entry)
    for _ in range(PAGES):  # what is removed may be what another file needs
        refused = {each.file for each in check_pages(settings)} - {settings.docs / "index.md"}
        for path in refused:
            path.unlink()
        if not refused:
            break
    assert list(find_unreadable(settings)) == []
    check_language(settings, settings.language("zh"))
    return settings


def _files(root: Path) -> dict[Path, bytes]:
    inside = root / "_build"
    found = (path for path in root.parent.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in found if not path.is_relative_to(inside)}


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _shown(folder: Path) -> set[str]:
    """Return the words of all articles, and of the attributes that a reader is told."""
    words: set[str] = set()
    for path in folder.rglob("*.html"):
        article = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find("article")
        if article is not None:
            words |= _words(article.get_text(" "))
    return words


def _is_of(word: str, text: str) -> bool:
    """Tell whether a text has a word, or two between which markup was taken out."""
    cuts = range(1, len(word))
    return word in text or any(word[:at] in text and word[at:] in text for at in cuts)


def _usual(root: Path) -> set[str]:
    """Return the words that the engine itself puts on pages."""
    write_handbook(root)
    record(load_settings(root))
    blocks = [
        "# Seen", *(f":::{{{each}}}\nx\n:::" for each in ("note", "seealso")),
        "```{figure} x.png\n:name: f\nx\n```", ":::{ratio}\n:::", "x[^a]\n\n[^a]: x",
        "{ratio}`a: b`",
        "```{code} python\n:caption: x\nx\n```", "```{table} x\n| a |\n|---|\n| b |\n```",
    ]  # fmt: skip
    write(root, {"docs/end.md": "\n\n".join(blocks) + "\n"})
    build(root)
    return _shown(root / "_build" / "html") | {"minute"}  # the time of a short page


def _try(root: Path, seed: int) -> None:
    """Build an invented book, in English and in Chinese, and look at what came of it."""
    (root / "usual").mkdir()
    (root / "book").mkdir()
    usual = _usual(root / "usual")
    settings = _write_book(root / "book" / "one", random.Random(seed))  # noqa: S311  # must repeat
    before = _files(settings.root)
    text = b" ".join(before.values()).decode(errors="replace")
    for locale in ("en", "zh_CN"):
        compile_catalogs(settings, settings.language("zh"))
        site = build(settings.root, language=locale)
        for line in site.warnings.splitlines():
            assert _PLACED.match(line) or not _COMPLAINS.search(line), (seed, line)
        if locale == "en":
            unknown = _shown(settings.root / "_build" / "html") - usual
            assert {each for each in unknown if not _is_of(each, text.lower())} == set(), seed
    assert _files(settings.root) == before, seed


@pytest.mark.soak
def test_whatever_passes_the_lint_builds(tmp_path: Path, seeds: Iterator[int]) -> None:
    """It takes long because each round builds a book in two languages with a real Sphinx."""
    for seed in seeds:
        sys.stdout.write(f"seed {seed}\n")  # pytest shows it where the test fails
        folder = tmp_path / str(seed)
        folder.mkdir()
        _try(folder, seed)
