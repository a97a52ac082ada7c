"""Chromium and Java that are killed end `export` in one message, and nothing outlives Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.handbook import record, write_handbook
from tests.support.traces import alive, eventually

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

EXPORTS = 'extensions.append("polytab.export")\n'
KEPT = "interrupted: each e-book that was made is kept, and the next run makes the others\n"
JAVA = r"error: .*/en\.epub: epubcheck has ended without an answer\n  Java was killed"
CHROMIUM = r"error: .*/en\.pdf: Chromium has failed: .*\n  see that the temporary folder has room"
PROGRAMS = {"epubcheck.jar": JAVA, "run-driver": CHROMIUM, "--remote-debugging-pipe": CHROMIUM}
"""What is killed, by a word of its command, and what is said of it."""


@pytest.fixture
def book(tmp_path: Path) -> Settings:
    settings = write_handbook(tmp_path)
    conf = settings.root / "conf.py"
    conf.write_text(conf.read_text("utf-8") + EXPORTS, "utf-8")
    record(settings)
    return settings


def _started(root: int) -> dict[int, str]:
    """Return the commands of all processes that a process has started, by their ids.

    Chromium writes over the variables of its processes, so they are found by their parents.
    """
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args=", "ww"], capture_output=True, text=True, check=True
    )
    parents, commands = {}, {}
    for line in listed.stdout.splitlines():
        process, parent, command = line.split(maxsplit=2)
        parents[int(process)], commands[int(process)] = int(parent), command
    found = {root: ""}
    for _ in parents:
        new = {each: commands[each] for each, parent in parents.items() if parent in found}
        if new.keys() <= found.keys():
            break
        found |= new
    del found[root]
    return found


def _interrupted(settings: Settings, word: str, number: int, *, group: bool) -> tuple[int, str]:
    """Export, and send a signal as soon as a program runs: to it, or to all as a terminal does."""
    with subprocess.Popen(
        [sys.executable, "-m", "polytab", "export"],
        cwd=settings.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        found: list[int] = []
        while not found:
            assert process.poll() is None
            started = _started(process.pid)
            found = [each for each, command in started.items() if word in command]
        if group:
            os.killpg(process.pid, number)
        else:
            os.kill(found[0], number)
        _, errors = process.communicate(timeout=120)
    assert eventually(lambda: not any(map(alive, started)))
    return process.returncode, errors


def _is_right(settings: Settings) -> None:
    command = [sys.executable, "-m", "polytab", "export"]
    again = subprocess.run(
        command, cwd=settings.root, capture_output=True, text=True, check=False, timeout=120
    )
    assert (again.returncode, again.stderr) == (0, "")
    made = {path.name for path in (settings.build / "books").iterdir()}
    assert made == {*("en.epub", "en.epub.json", "en.pdf", "en.pdf.json"), "en", "llms.txt"}


@pytest.mark.parametrize("word", PROGRAMS)
def test_a_program_that_is_killed_is_one_message(book: Settings, word: str) -> None:
    code, errors = _interrupted(book, word, signal.SIGKILL, group=False)
    assert code == 1
    assert re.match(PROGRAMS[word], errors), errors
    assert errors.count("\n") == 2, errors
    assert not (book.build / "books" / "en.pdf").exists()
    _is_right(book)


@pytest.mark.parametrize("word", PROGRAMS)
def test_an_interrupt_is_one_message_and_ends_the_program(book: Settings, word: str) -> None:
    assert _interrupted(book, word, signal.SIGINT, group=True) == (130, KEPT)
    assert not (book.build / "books" / "en.pdf").exists()
    _is_right(book)
