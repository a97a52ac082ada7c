"""What a command costs, with all its processes: processor seconds, wall time and memory.

`run` starts this file as a process of its own, which starts the command: a system tells of a
process no less memory than the one had that it was forked from.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Cost:
    """What one command took: `cpu` and `wall` in seconds, `memory` of its largest process in MB."""

    cpu: float
    wall: float
    memory: float


def run(command: Sequence[str], folder: Path) -> Cost:
    """Run a command in a folder and return what it cost; end with what it said if it fails."""
    line = [sys.executable, str(Path(__file__).resolve()), *command]
    done = subprocess.run(line, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-4000:]}")
    return Cost(**json.loads(done.stdout))


def summary(costs: Sequence[Cost]) -> Cost:
    """Return the medians of times, and the most memory."""
    return Cost(
        median(each.cpu for each in costs),
        median(each.wall for each in costs),
        max(each.memory for each in costs),
    )


def main() -> None:
    """Run the command that is given, whose words go to stderr, and print its cost."""
    started = time.perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu, wall = used.ru_utime + used.ru_stime, time.perf_counter() - started
    print(json.dumps({"cpu": cpu, "wall": wall, "memory": used.ru_maxrss / 1024}))
    sys.exit(process.returncode)


if __name__ == "__main__":
    main()
