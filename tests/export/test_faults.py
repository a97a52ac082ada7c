"""Whatever befalls `export`: one message, each e-book is the old or the new, the next run is right.

Chromium and Java have tests/browser/test_ebook_faults.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support.disk import fill
from tests.support.handbook import record
from tests.support.traces import alive, eventually

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.settings import Settings

COMMAND = (sys.executable, "-m", "polytab", "export")
FULL = "No space left on device\n  make room there, and run it again\n"
READ_ONLY = (
    "Read-only file system\n  it cannot be written to; mount it so that it can, or work elsewhere\n"
)
EXPORTS = 'extensions.append("polytab.export")\n'
DIES = """
import os, signal

def die(app, env, docnames):
    os.kill(os.getpid(), signal.SIGKILL)

def setup(app):
    app.connect("env-before-read-docs", die)
"""
WAITS = """
import os, time

def wait(app, error):
    (app.outdir / "now").write_text(str(os.getpid()))
    time.sleep(600)

def setup(app):
    app.connect("build-finished", wait, priority=0)
"""
SAID = "interrupted: each e-book that was made is kept, and the next run makes the others\n"


@pytest.fixture
def book(handbook: Settings) -> Settings:
    """Make an e-book of a handbook, then change a page."""
    conf = handbook.root / "conf.py"
    conf.write_text(conf.read_text("utf-8") + EXPORTS, "utf-8")
    record(handbook)
    ended = _export(handbook)
    assert ended.returncode == 0, ended.stderr
    end = handbook.docs / "end.md"
    end.write_text(end.read_text("utf-8") + "\nOnce more.\n", "utf-8")
    return handbook


def _variables(settings: Settings) -> dict[str, str]:
    """Return variables by which neither Chromium nor Java is found."""
    return {**os.environ, "PATH": str(settings.root / "nothing")}


def _export(settings: Settings) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        COMMAND,
        cwd=settings.root,
        env=_variables(settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _says(settings: Settings) -> dict[str, bool]:
    """Tell of each finished file whether it says what was added to the page."""
    books = settings.build / "books"
    with zipfile.ZipFile(books / "en.epub") as book:
        assert book.testzip() is None
        pages = {"en.epub": book.read("end.xhtml").decode()}
    pages["end.md"] = (books / "en" / "end.md").read_text("utf-8")
    assert (books / "en" / "llms.txt").read_text("utf-8").startswith("# ")
    return {name: "Once more." in text for name, text in pages.items()}


def _is_right(settings: Settings) -> None:
    """The next run makes the new e-book, and nothing is left of the one before."""
    again = _export(settings)
    assert again.returncode == 0, again.stderr
    assert again.stderr == ""
    assert _says(settings) == {"en.epub": True, "end.md": True}
    made = {path.name for path in (settings.build / "books").iterdir()}
    assert made == {"en.epub", "en.epub.json", "en", "llms.txt"}


def _onto(disk: Path, folder: Path) -> None:
    """Move a folder onto a disk."""
    for path in folder.iterdir():
        subprocess.run(["mv", str(path), str(disk)], check=True)
    folder.rmdir()
    folder.symlink_to(disk, target_is_directory=True)


def _mount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


@pytest.mark.parametrize("folder", ["books", "doctrees"])
def test_no_room_for_an_ebook(book: Settings, disk: Path, folder: str) -> None:
    _mount(disk, "size=64m")
    _onto(disk, book.build / folder)
    fill(disk)
    ended = _export(book)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"error: {book.build}")
    assert ended.stderr.endswith(f": {FULL}")
    assert ended.stderr.count("\n") == 2
    assert _says(book) == {"en.epub": False, "end.md": False}
    (disk / "filling").unlink()
    _is_right(book)


def test_an_output_folder_that_is_read_only(book: Settings, disk: Path) -> None:
    _mount(disk, "size=64m")
    _onto(disk, book.build / "books")
    _mount(disk, "ro")
    ended = _export(book)
    assert ended.returncode == 1
    assert ended.stderr == f"error: {book.build / 'books' / '.unfinished'}: {READ_ONLY}"
    assert _says(book) == {"en.epub": False, "end.md": False}
    _mount(disk, "rw")
    _is_right(book)


def test_sphinx_that_is_killed_is_one_message(book: Settings) -> None:
    conf = book.root / "conf.py"
    usual = conf.read_text("utf-8")
    conf.write_text(usual + DIES, "utf-8")
    ended = _export(book)
    assert ended.returncode == 1
    where = book.build / "books" / ".unfinished" / "en" / "epub"
    error, hint = ended.stderr.splitlines()
    assert error == f"error: {where}: Sphinx was killed by SIGKILL"
    assert hint.startswith("  run it again; where nobody has ended it, the memory")
    assert _says(book) == {"en.epub": False, "end.md": False}
    conf.write_text(usual, "utf-8")
    _is_right(book)


@contextmanager
def _waiting(settings: Settings) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Export until the EPUB would be written; give the export and the process of Sphinx."""
    conf = settings.root / "conf.py"
    usual = conf.read_text("utf-8")
    conf.write_text(usual + WAITS, "utf-8")
    reached = settings.build / "books" / ".unfinished" / "en" / "epub" / "now"
    with subprocess.Popen(
        COMMAND,
        cwd=settings.root,
        env=_variables(settings),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as exporting:
        while not (reached.exists() and reached.read_text()):
            assert exporting.poll() is None
            time.sleep(0.05)
        conf.write_text(usual, "utf-8")
        try:
            yield exporting, int(reached.read_text())
        finally:
            exporting.kill()


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, SAID), (signal.SIGTERM, 143, SAID), (signal.SIGKILL, -9, "")],
)
def test_one_that_is_interrupted_or_killed(
    book: Settings, number: int, code: int, said: str
) -> None:
    with _waiting(book) as (exporting, sphinx):
        (os.kill if number == signal.SIGKILL else os.killpg)(exporting.pid, number)
        _, errors = exporting.communicate(timeout=60)
    assert (exporting.returncode, errors) == (code, said)
    assert eventually(lambda: not alive(sphinx))
    assert _says(book) == {"en.epub": False, "end.md": False}
    _is_right(book)
