"""Whatever is edited, a build after it gives the very bytes of a build from nothing.

Slow: after each edit a site is built twice, which is the point; most of it is left to the soak.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.site import book_edits, page_edits, result_edits
from tests.site.book import write_book
from tests.site.book_edits import commit_all
from tests.site.edits import EDITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.site.edits import Edit

SITE = (sys.executable, "-m", "polytab", "site")
LONG_AGO = 1_500_000_000_000_000_000
NOTE = "note: no "
"""Begins what a build tells of settings that are missing; where nothing is built it is not told."""

PROGRESS = re.compile(
    r"nothing has changed|page(s?) read.*, built |: \d+ of \d+ pages read|^\w+: \d+ written"
    r"|^and \d+ more$|: [^:]+ in (en|pt|zh)(, (en|pt|zh))*$"
)
"""What a build says of itself, which may be otherwise after an edit."""

ROUND = 8
"""Edits in a round of the soak."""


def _start(root: Path, words: Sequence[str]) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*SITE, *words], cwd=root, stdout=pipe, stderr=pipe, text=True)


def _copy(root: Path, to: Path) -> None:
    """Copy a book with its history, an author's own recordings and e-books, and nothing built."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(root, to, ignore=shutil.ignore_patterns("_build"))
    for own in ("recordings", "books"):
        if (root / "_build" / own).is_dir():
            shutil.copytree(root / "_build" / own, to / "_build" / own)


def _published(root: Path) -> dict[str, bytes]:
    site = root / "_build" / "site"
    files = (path for path in site.rglob("*") if path.is_file())
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in files}


def _complaints(root: Path, said: str) -> set[str]:
    lines = said.replace(str(root), "").splitlines()
    return {line for line in lines if not PROGRESS.search(line) and not line.startswith(NOTE)}


def _compare(root: Path, words: Sequence[str], known: str) -> None:
    """Build a book as it stands, and a copy of it from nothing: all must be the same."""
    roots = (root, root.with_name("cold"))
    _copy(*roots)
    builds = [_start(each, words) for each in roots]
    said = ["".join(each.communicate()) for each in builds]
    codes = [each.returncode for each in builds]
    again, first = (_published(each) for each in roots)
    differing = sorted(name for name in {*again, *first} if again.get(name) != first.get(name))
    assert not differing, known
    assert codes[0] == codes[1], (known, said)
    assert "Traceback" not in said[0], (known, said)
    assert _complaints(roots[0], said[0]) == _complaints(roots[1], said[1]), known


def _sources(root: Path) -> dict[Path, tuple[int, bytes]]:
    """Return the clock and the content of every file of a book."""
    found = (path for path in root.rglob("*") if path.is_file())
    beside = {root / ".git", root / "_build"}
    paths = [path for path in found if beside.isdisjoint(path.parents)]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}


def _edit(root: Path, edit: Edit, chance: random.Random, *, clock: bool) -> None:
    """Edit a book; `clock` says that the clocks of changed files do not tell of it."""
    before = _sources(root)
    edit(root, chance)
    if not clock:
        return
    for path, found in _sources(root).items():
        if before.get(path) != found:
            then = before.get(path, (LONG_AGO, b""))[0]
            os.utime(path, ns=(then, then))


def _some_edits(root: Path, chance: random.Random) -> Iterator[str]:
    """Edit a book once or several times, sometimes with a build of a language between."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        edit = chance.choice(EDITS)
        _edit(root, edit, chance, clock=chance.random() < 0.3)
        yield edit.__name__
        if chance.random() < 0.15:
            words = [chance.choice(["en", "pt", "--strict"])]
            _start(root, words).communicate()
            yield f"site {words[0]}"


@pytest.mark.soak
def test_any_edits_give_the_site_of_a_first_build(seeds: Iterator[int], tmp_path: Path) -> None:
    for seed in seeds:
        chance, root = random.Random(seed), tmp_path / str(seed) / "book"  # noqa: S311  # no secret
        write_book(root)
        _start(root, []).communicate()
        done: list[str] = []
        for _ in range(ROUND):
            done += _some_edits(root, chance)
            words = ["--strict"] if chance.random() < 0.2 else []
            _compare(root, words, f"seed {seed}: {', '.join(done)}")
        shutil.rmtree(root.parent)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("edits") / "book"
    write_book(root)
    said = "".join(_start(root, []).communicate())
    assert "built with" not in said, said
    return root


FEW: dict[str, tuple[Edit, ...]] = {
    "books": (book_edits.make_ebook,),
    "titles": (page_edits.change_title, result_edits.translate_title, commit_all),
    "files": (
        *(page_edits.add_picture, page_edits.change_figure, page_edits.add_page),
        *(page_edits.remove_page, page_edits.reorder_pages, result_edits.record_again),
    ),
}
"""Edits that Sphinx alone would not see on every page, in the order in which they are tried."""


@pytest.mark.parametrize("kind", FEW)
def test_a_few_edits_give_the_site_of_a_first_build(book: Path, kind: str) -> None:
    chance = random.Random(kind)  # noqa: S311  # no secret
    for edit in FEW[kind]:
        _edit(book, edit, chance, clock=True)
    _compare(book, [], kind)


KEPT = (
    "doctrees/html/en/environment.pickle",
    "doctrees/html/pt/tour.doctree",
    "doctrees/html/en.finished",
    "html/en/tour.html",
    "last-build.json",
    "locale/pt_BR/LC_MESSAGES/tour.json",
    "locale/pt_BR/LC_MESSAGES/tour.mo",
    "locale/pt_BR/compiled.json",
    "pages.json",
    "site/en/tour.html",
    "site/manifest.json",
)
"""What a build keeps for the next one."""


@pytest.mark.soak
@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_and_damaged_is_made_anew(book: Path, name: str) -> None:
    before, path = _published(book), book / "_build" / name
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"{}", b"\x80\x04N.", None):
        if damaged is None:
            path.unlink()
        else:
            path.write_bytes(damaged)
        building = _start(book, [])
        said = "".join(building.communicate())
        assert building.returncode == 0, said
        assert "Traceback" not in said
        assert _published(book) == before
