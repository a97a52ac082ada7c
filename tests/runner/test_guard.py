"""What a run has started ends with it, even where it is killed so that it can end nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from polytab.runner.guard import guarded
from tests.traces import alive, eventually, processes

if TYPE_CHECKING:
    from pathlib import Path

KEEPER = """\
import os, pathlib, subprocess, sys, time
from polytab.runner.guard import guarded
token, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with guarded(token, folder):
    far = subprocess.Popen(["sleep", "1000"], env={"T": token}, start_new_session=True)
    print(far.pid, flush=True)
    time.sleep(1000)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_guard_outlives_whoever_is_killed(tmp_path: Path, number: int) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    (folder / "half").touch()
    token = f"polytab-test-{os.getpid()}"
    command = [sys.executable, "-c", KEEPER, token, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as keeper:
        assert keeper.stdout is not None
        far = int(keeper.stdout.readline())
        os.killpg(keeper.pid, number)
    assert eventually(lambda: not alive(far))
    assert eventually(lambda: not folder.exists())


def test_a_guard_that_was_killed_itself_is_missed_by_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    token = f"polytab-{folder}"
    with guarded(token, folder):
        child = subprocess.Popen(["sleep", "1000"], env={"T": token})
        found = subprocess.run(
            ["pgrep", "-f", token], check=True, capture_output=True, text=True
        ).stdout.split()
        assert len(found) == 1
        os.kill(int(found[0]), signal.SIGKILL)
    assert child.wait(30) == -signal.SIGKILL
    assert not folder.exists()
    assert processes(folder) == []
