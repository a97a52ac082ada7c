"""A call in a process of its own ends with its answer or in one error, and nothing outlives it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.errors import PolytabError
from polytab.processes import call_apart
from tests.support.traces import alive, eventually

if TYPE_CHECKING:
    from collections.abc import Callable

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
CALL = """
import sys
from pathlib import Path
from polytab.processes import call_apart
from tests.test_processes import wait_with_another
call_apart(wait_with_another, Path(sys.argv[1]), name="It", seconds=600)
"""


def write_session(path: Path) -> None:
    path.write_text(str(os.getsid(0)), encoding="utf-8")


def complain(path: Path) -> None:
    raise PolytabError("no good", file=path, hint="mend it")


def find_no_room(path: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))


def die(_path: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave(_path: Path) -> None:
    os._exit(0)


def wait_with_another(path: Path) -> None:
    with subprocess.Popen(SLEEPER) as process:
        path.write_text(f"{os.getpid()} {process.pid}", encoding="utf-8")
        process.wait()


def _started(path: Path) -> list[int]:
    assert eventually(lambda: path.exists() and len(path.read_text("utf-8").split()) == 2)
    return [int(each) for each in path.read_text("utf-8").split()]


def test_it_is_called_in_a_session_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "session"
    call_apart(write_session, path, name="It", seconds=60)
    assert int(path.read_text("utf-8")) != os.getsid(0)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (complain, "{path}: no good\n  mend it"),
        (find_no_room, "{path}: No space left on device\n  make room there, and run it again"),
        (die, "It was killed by SIGKILL\n  run it again; where nobody has ended it, the memory"),
        (leave, "It has ended without a word"),
    ],
)
def test_what_fails_is_one_error(
    tmp_path: Path, function: Callable[[Path], None], said: str
) -> None:
    with pytest.raises(PolytabError) as caught:
        call_apart(function, tmp_path, name="It", seconds=60)
    assert str(caught.value).startswith(said.format(path=tmp_path))


def test_what_does_not_end_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    path = tmp_path / "started"
    with pytest.raises(PolytabError, match="It has not ended after 5 seconds"):
        call_apart(wait_with_another, path, name="It", seconds=5)
    started = _started(path)
    assert eventually(lambda: not any(map(alive, started)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_whoever_called_it(tmp_path: Path, number: int) -> None:
    path = tmp_path / "started"
    root = str(Path(__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, "-c", CALL, str(path)], cwd=root, stderr=subprocess.DEVNULL
    ) as process:
        started = _started(path)
        time.sleep(0.1)
        process.send_signal(number)
        process.wait(60)
    assert eventually(lambda: not any(map(alive, started)))
