"""What a run has started ends with it, even where it is killed so that it can end nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from polytab.runner.guard import guarded
from tests.support.traces import alive, eventually, processes

NOBODY = 65534

KEEPER = """\
import os, pathlib, subprocess, sys, time
from polytab.runner.guard import guarded
token, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with guarded(token, folder):
    far = subprocess.Popen(["sleep", "1000"], env={"T": token}, start_new_session=True)
    print(far.pid, flush=True)
    time.sleep(1000)
"""

SWEEPER = f"""\
import os, pathlib, sys
from polytab.runner.guard import sweep
os.setuid({NOBODY})
sweep("polytab-of-nobody", pathlib.Path(sys.argv[1]))
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start somebody with fewer rights")
def test_a_folder_that_a_script_has_closed_is_removed(tmp_path: Path) -> None:
    others = tmp_path.stat().st_mode
    with tempfile.TemporaryDirectory(prefix="pt-") as home:
        Path(home).chmod(0o777)
        folder = Path(home, "scratch")
        (folder / "closed").mkdir(parents=True)
        (folder / "closed" / "file").touch()
        (folder / "link").symlink_to(tmp_path)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        (folder / "closed").chmod(0o500)
        subprocess.run([sys.executable, "-c", SWEEPER, str(folder)], check=True)
        assert not folder.exists()
    assert tmp_path.stat().st_mode == others
