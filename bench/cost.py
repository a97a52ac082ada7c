"""What a command costs, with all its processes: processor seconds, wall time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """What one command took: `cpu` and `wall` in seconds, `memory` of its largest process in MB."""

    cpu: float
    wall: float
    memory: float


def run(command: Sequence[str], folder: Path, variables: Mapping[str, str] | None = None) -> Cost:
    """Run a command in a folder and return what it cost; end with what it said if it fails."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, **(variables or {})},
    ) as process:  # fmt: skip
        said = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{said[-4000:]}")
    wall = time.perf_counter() - started
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def summary(costs: Sequence[Cost]) -> Cost:
    """Return the medians of times, and the most memory."""
    return Cost(
        median(each.cpu for each in costs),
        median(each.wall for each in costs),
        max(each.memory for each in costs),
    )
