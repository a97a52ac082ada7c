"""Write a file atomically: whoever reads it meanwhile, or after a crash, finds the old or the new.

Who writes holds a lock on the unfinished file; the system frees it when the writer is killed, so
anybody can tell what is left of whom from what is being written.

Laws, guarded by tests/recordings/test_atomic.py: a write that fails leaves the old file, and
nothing beside it; what a killed writer has left is removed, and nothing else.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_UNFINISHED = ".part"
_AS_IT_IS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Open a file, and neither what a link leads to nor a pipe until somebody writes."""


def remove_unfinished(folder: Path) -> None:
    """Remove what writers that were killed have left below a folder; others may be writing there.

    What the system does not let us remove stays.
    """
    for path in folder.rglob(f".*{_UNFINISHED}"):
        with suppress(OSError):
            handle = os.open(path, _AS_IT_IS)
            try:
                if _lock(handle, wait=False):
                    path.unlink()
            finally:
                os.close(handle)


def write_atomic(path: Path, content: bytes, *, durable: bool = False) -> bool:
    """Write a file and make the folders above it; return whether its content changed.

    `durable` waits until the disk has the content, which costs milliseconds a file. Raises OSError,
    with the path of the file, or of what could not be made for it.
    """
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, temporary = _begin(path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
                temporary.chmod(0o644)
                if sys.platform != "win32":  # there, only what is closed can be moved
                    temporary.replace(path)
            if sys.platform == "win32":
                temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        error.filename = str(path)  # the system does not say what the disk had no room for
        raise
    return True


def _begin(folder: Path) -> tuple[int, Path]:
    """Make an unfinished file that is locked as long as it is open."""
    while True:
        handle, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=_UNFINISHED)
        _lock(handle, wait=True)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # whoever removes what is left took it for that, before it was locked


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file; without waiting, tell whether nobody else has."""
    if sys.platform == "win32":
        return True  # where it is open, it cannot be removed
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # somebody has, or there are no locks on this disk
        return False
    return True
