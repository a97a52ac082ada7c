"""What a run may leave behind: files in a temporary folder, and processes."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PROC = Path("/proc")


def processes(folder: Path) -> list[int]:
    """List the living processes whose variables name a folder (where the system can tell)."""
    found: list[int] = []
    for variables in _PROC.glob("[0-9]*/environ"):
        try:
            if os.fsencode(folder) in variables.read_bytes():
                found.append(int(variables.parent.name))
        except OSError:
            continue  # it has ended, or is not ours
    return found


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and waits for its parent does not."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8")
    except OSError:
        return False
    state = text.rpartition(")")[2].split()[0]
    return state not in {"Z", "X"}


def eventually(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait until something is so, and say whether it came to be."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
