"""Ends what a run has started, even when the process that runs it is killed: a process beside it.

It finds processes by their variables and folders in /proc, so it needs Linux.

Law, guarded by tests/runner/test_guard.py: when a guarded block ends, or the process it runs in is
killed in any way, no process that bears the token or lives in the folder and no file of the folder
is left. The guard is this file, run by itself; so it uses nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SWEEP_PASSES = 100
"""How often at most processes are looked for again, as one may start another meanwhile."""


@contextlib.contextmanager
def guarded(token: str, folder: Path | None = None) -> Iterator[None]:
    """End all whose variables name the token, and remove the folder, when the block is left."""
    command = [sys.executable, "-I", "-S", __file__, token, str(folder or "")]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True
    ) as guard:
        try:
            yield
        finally:
            if guard.stdin is not None:
                guard.stdin.close()
            guard.wait()
            sweep(token, folder)  # again, in case the guard itself was killed


def sweep(token: str, folder: Path | None = None) -> None:
    """Kill all processes that bear the token or live in the folder; remove the folder."""
    for _ in range(_SWEEP_PASSES):  # one may start another while we look
        found = [pid for pid in _bearers(token, folder) if _kill(pid)]
        if not found:
            break
        time.sleep(0.01)
    if folder is not None:
        _unlock(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _bearers(token: str, folder: Path | None) -> Iterator[int]:
    """Yield the ids of processes with the token in their variables, or in the folder."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.fsencode(token) in (process / "environ").read_bytes() or (
                folder is not None and (process / "cwd").readlink().is_relative_to(folder)
            ):
                yield int(process.name)


def _unlock(folder: Path) -> None:
    """Make folders writable again that a script has closed, so that they can be removed."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            if not path.is_symlink():
                with contextlib.suppress(OSError):
                    path.chmod(0o700)


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True


def main() -> None:
    """Wait until whoever started us is done or dead: either closes our input."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _, token, folder = sys.argv
    sys.stdin.buffer.read()
    sweep(token, Path(folder) if folder else None)


if __name__ == "__main__":
    main()
