"""Write a file atomically: whoever reads it meanwhile, or after a crash, finds the old or the new.

Law, guarded by tests/recordings/test_atomic.py: a write that fails leaves the old file, and nothing
beside it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_UNFINISHED = ".part"


def remove_unfinished(folder: Path) -> None:
    """Remove what writers that were killed have left below a folder; nobody may be writing."""
    for path in folder.rglob(f".*{_UNFINISHED}"):
        path.unlink(missing_ok=True)


def write_atomic(path: Path, content: bytes, *, durable: bool = False) -> bool:
    """Write a file and make the folders above it; return whether its content changed.

    `durable` waits until the disk has the content, which costs milliseconds a file. Raises OSError,
    with the path of the file, or of what could not be made for it.
    """
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=_UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)  # the system does not say what the disk had no room for
        raise
    return True
