"""Whatever befalls the disk, or the process, a verb ends in one message, and the next run is right.

`record` has tests/runner/test_disk.py and tests/cli/test_shell.py, `build` has tests/site/.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.settings import load_settings
from tests.support.disk import fill
from tests.support.handbook import record, write, write_handbook
from tests.support.traces import eventually, processes
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

COMMAND = [sys.executable, "-m", "polytab"]
VERBS = ("translate", "status", "lint", "live")
SAID = {
    "translate": "every catalog is whole, and the next run brings up the others",
    "status": "nothing was changed",
    "lint": "nothing was changed",
    "live": "what was recorded before is kept",
}
VANISHES = """
from pathlib import Path

def remove(app, env, pages):
    Path(app.srcdir, "end.md").unlink()

def setup(app):
    app.connect("env-before-read-docs", remove)
"""


@pytest.fixture
def book(handbook: Settings) -> Settings:
    settings = with_languages(handbook)
    record(settings)
    return settings


def _typed(settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words],
        cwd=settings.root,
        env={**os.environ, "BROWSER": "true"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _is_right(settings: Settings) -> None:
    """The next run has nothing to complain of, and nothing is left of the one before."""
    again = _typed(settings, "translate")
    assert again.returncode == 0, again.stderr
    assert _typed(settings, "translate", "--check").returncode == 0
    assert _typed(settings, "lint").returncode == 0
    assert list(settings.translations.rglob(".*")) == []


def _read_only(disk: Path, *, on: bool) -> None:
    way = "ro" if on else "rw"
    subprocess.run(["mount", "-o", f"remount,{way},size=64m", str(disk)], check=True)


@pytest.mark.parametrize("words", [("translate",), ("status",), ("live", "en", "--no-record")])
def test_no_room_for_what_is_built(book: Settings, disk: Path, words: tuple[str, ...]) -> None:
    book.build.symlink_to(disk, target_is_directory=True)
    fill(disk)
    ended = _typed(book, *words)
    assert ended.returncode == 1
    error, hint = ended.stderr.splitlines()
    assert error.startswith(f"error: {book.build}")
    assert error.endswith(": No space left on device")
    assert hint == "  make room there, and run it again"
    (disk / "filling").unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
    _is_right(book)


@pytest.mark.parametrize("folder", ["build", "translations"])
def test_a_disk_that_is_read_only(book: Settings, disk: Path, folder: str) -> None:
    where = getattr(book, folder)
    where.symlink_to(disk, target_is_directory=True)
    _read_only(disk, on=True)
    ended = _typed(book, "translate")
    assert ended.returncode == 1
    error, hint = ended.stderr.splitlines()
    assert error.startswith((f"error: {where}", f"error: {disk}"))
    assert error.endswith(": Read-only file system")
    assert hint == "  it cannot be written to; mount it so that it can, or work elsewhere"
    assert _typed(book, "lint").returncode == (folder == "translations")  # that is a link
    _read_only(disk, on=False)
    assert _typed(book, "translate").returncode == 0


def test_a_page_that_vanishes_while_it_is_read(book: Settings) -> None:
    write(book.docs, {"index.md": "# A Tiny Handbook\n\n```{toctree}\n:glob:\n*\n```\n"})
    conf = book.root / "conf.py"
    usual = conf.read_text("utf-8")
    conf.write_text(usual + VANISHES, "utf-8")
    ended = _typed(book, "translate")
    conf.write_text(usual, "utf-8")
    assert ended.returncode == 1
    assert ended.stderr == f"error: {book.docs / 'end.md'}: No such file or directory\n"
    assert not book.translations.exists()
    _is_right(book)


def test_what_was_complained_of_once_is_complained_of_again(book: Settings) -> None:
    """Sphinx tells of a fault of a page only where it reads it."""
    page = book.docs / "end.md"
    usual = page.read_text("utf-8")
    page.write_text(f"{usual}\n{{ref}}`nowhere`\n\n:::{{note}}\n", "utf-8")
    write(book.docs, {"lost.md": "# In no list\n"})
    first, second = (_typed(book, "translate") for _ in range(2))
    assert first.returncode == second.returncode == 1
    assert "lost.md" in first.stderr
    assert first.stderr == second.stderr
    page.write_text(usual, "utf-8")
    (book.docs / "lost.md").unlink()
    _is_right(book)


def test_two_that_run_at_once_both_end_well(book: Settings) -> None:
    both = [
        subprocess.Popen([*COMMAND, "translate"], cwd=book.root, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [each.wait(120) for each in both] == [0, 0]
    _is_right(book)


def _interrupted(settings: Settings, verb: str, number: int, seconds: float) -> tuple[int, str]:
    """Do to a verb, and all that it has started, what a terminal does; return its end.

    A kill meets the verb alone, as what has run out of memory would.
    """
    with tempfile.TemporaryDirectory(prefix="pt-") as scratch:
        with subprocess.Popen(
            [*COMMAND, verb, *(["--no-record"] if verb == "live" else [])],
            cwd=settings.root,
            env={**os.environ, "TMPDIR": scratch, "BROWSER": "true"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            time.sleep(seconds)
            if process.poll() is None:
                (os.kill if number == signal.SIGKILL else os.killpg)(process.pid, number)
            _, errors = process.communicate(timeout=60)
        assert eventually(lambda: processes(Path(scratch)) == [])
    return process.returncode, errors


@pytest.mark.parametrize("verb", VERBS)
def test_an_interrupt_is_one_message(book: Settings, verb: str) -> None:
    code, errors = _interrupted(book, verb, signal.SIGINT, 1)
    if code == 130:
        assert errors in {
            f"interrupted: {SAID[verb]}\n",
            "interrupted: nothing had begun\n",
        }
    else:  # it had ended, or Python itself had not begun to run us
        assert code in {0, 1, -signal.SIGINT}
        assert "polytab" not in errors


@pytest.mark.soak
def test_no_signal_at_any_moment_makes_the_next_run_wrong(
    tmp_path: Path, seeds: Iterator[int]
) -> None:
    """It takes long because each moment needs a process of its own, with a real Sphinx."""
    for seed in seeds:
        sys.stdout.write(f"seed {seed}\n")  # pytest shows it where the test fails
        source = random.Random(seed)  # noqa: S311  # must repeat
        settings = with_languages(write_handbook(tmp_path / str(seed)))
        record(settings)
        for _ in range(3):
            number = source.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
            verb = source.choice(VERBS)
            write(settings.docs, {"end.md": f"# End {source.random()}\n\nWords.\n"})
            code, errors = _interrupted(settings, verb, number, source.uniform(0, 4))
            about = (seed, verb, number, code, errors)
            assert code in {0, 128 + number, 1, -number}, about
            if code == 128 + number:
                said = errors.removeprefix("interrupted: ").removesuffix("\n")
                assert said in {SAID[verb], "nothing had begun"}, about
            elif code == 1:
                assert "polytab" not in errors, about  # Python had not begun to run us
        _is_right(load_settings(settings.root))
