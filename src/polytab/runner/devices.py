"""What this machine has: its processor, cores and system, for the provenance of a recording."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Gpu:
    """One GPU, by the number its driver knows it by."""

    index: int
    name: str


@dataclass(frozen=True)
class Machine:
    """The hardware a script runs on."""

    processor: str
    cores: int
    system: str
    gpus: tuple[Gpu, ...] = ()


def this_machine() -> Machine:
    """Look at the machine we run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return Machine(_processor(), cores, f"{platform.system()} {platform.machine()}")


def _processor() -> str:
    """Return the processor's name as its maker writes it, without decoration."""
    if _CPUINFO.is_file():
        for line in _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return " ".join(value.replace("(R)", "").replace("(TM)", "").split())
    return platform.processor() or platform.machine()
