"""What the system tells of memory: how often it had to kill for want of it."""

from __future__ import annotations

from pathlib import Path

_COUNTS = Path("/proc/vmstat")


def killed_for_memory() -> int:
    """Count the processes that this machine has killed for memory; 0 where it does not tell."""
    try:
        lines = _COUNTS.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
