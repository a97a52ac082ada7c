"""Two builds never write into one folder at once, and one that was killed hinders no other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support.handbook import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

SITE = (sys.executable, "-m", "polytab", "site")
WAIT = """
from os import getpid
from time import sleep

def wait(app, builder):
    (app.outdir / "now").write_text(str(getpid()))
    sleep(600)

def setup(app):
    app.connect("write-started", wait)
"""


@contextmanager
def _waiting(settings: Settings) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Build until Sphinx would write; give the build and the process in which Sphinx runs."""
    conf = settings.root / "conf.py"
    usual = conf.read_text("utf-8")
    conf.write_text(usual + WAIT, "utf-8")
    reached = settings.build / "html" / "en" / "now"
    with subprocess.Popen(
        SITE, cwd=settings.root, start_new_session=True, stderr=subprocess.PIPE, text=True
    ) as building:
        while not (reached.exists() and reached.read_text()):
            assert building.poll() is None
            time.sleep(0.05)
        conf.write_text(usual, "utf-8")
        try:
            yield building, int(reached.read_text())
        finally:
            building.terminate()


def _site(settings: Settings) -> subprocess.CompletedProcess[str]:
    return subprocess.run(SITE, cwd=settings.root, capture_output=True, text=True, check=False)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_build_beside_another_is_refused_at_once(handbook: Settings) -> None:
    record(handbook)
    with _waiting(handbook):
        second = _site(handbook)
        assert second.returncode == 1
        assert second.stdout == ""
        assert second.stderr == (
            f"error: {handbook.build}: another build is running here\n"
            "  wait until it has ended and run this again, or build in another copy of the book\n"
        )
    assert _site(handbook).returncode == 0  # the first has ended


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_build_says_what_the_next_one_does(
    handbook: Settings, number: int, code: int
) -> None:
    record(handbook)
    with _waiting(handbook) as (building, _):
        building.send_signal(number)
        _, errors = building.communicate()
    assert building.returncode == code
    assert errors == "interrupted: the next build completes the site\n"
    again = _site(handbook)
    assert again.returncode == 0, again.stdout + again.stderr


def test_a_build_that_was_killed_leaves_no_lock_and_no_sphinx(handbook: Settings) -> None:
    record(handbook)
    with _waiting(handbook) as (building, sphinx):
        building.send_signal(signal.SIGKILL)
        building.wait()
        while _is_running(sphinx):
            time.sleep(0.05)
        again = _site(handbook)
        assert again.returncode == 0, again.stdout + again.stderr


def test_sphinx_that_was_killed_ends_the_build_in_one_message(handbook: Settings) -> None:
    record(handbook)
    with _waiting(handbook) as (building, sphinx):
        os.kill(sphinx, signal.SIGKILL)
        _, errors = building.communicate(timeout=60)
    assert building.returncode == 1
    error, hint = errors.splitlines()
    assert error == f"error: {handbook.build / 'html' / 'en'}: Sphinx was killed by SIGKILL"
    assert hint.startswith("  run it again")
    again = _site(handbook)
    assert again.returncode == 0, again.stdout + again.stderr
