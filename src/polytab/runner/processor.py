"""What Linux tells of the machine beside its name -> the facts that a recording keeps of it.

They tell two kinds of machines apart whose makers or hosts give both the same name. What would tell
two machines of one kind apart, such as a host name or a serial number, is not read. A fact that
cannot be read, or has a form that no recording may hold, is left out.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.recordings.limits import MACHINE_FACTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path("/")

_NAMES: Mapping[str, tuple[str, ...]] = {
    "vendor": ("vendor_id", "CPU implementer"),
    "family": ("cpu family", "CPU architecture"),
    "model": ("model", "CPU part"),
    "stepping": ("stepping", "CPU revision"),
}
"""The facts of `/proc/cpuinfo`, as x86 and as ARM name them."""

_INSTRUCTIONS: Mapping[str, str] = {
    "avx": "AVX",
    "f16c": "F16C",
    "fma": "FMA",
    "avx2": "AVX2",
    "avx_vnni": "AVX-VNNI",
    "avx512f": "AVX-512",
    "avx512_vnni": "VNNI",
    "avx512_bf16": "BF16",
    "avx512_fp16": "FP16",
    "amx_tile": "AMX",
    "asimd": "NEON",
    "asimddp": "DOTPROD",
    "sve": "SVE",
    "sve2": "SVE2",
    "sme": "SME",
}
"""The instruction sets that decide how fast a framework computes, from the older to the newer."""


def machine_facts(root: Path = ROOT, **known: str) -> tuple[tuple[str, str], ...]:
    """Return the facts of this machine, by name, with those that are `known` otherwise."""
    processors = _processors(_read(root / "proc/cpuinfo"))
    first = processors[0] if processors else {}
    facts = {
        **{name: _first(first, names) for name, names in _NAMES.items()},
        **_counted(processors),
        "instructions": " ".join(_instructions(first)),
        "caches": ", ".join(_caches(root)),
        "quota": _quota(root),
        "governor": _read(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "virtual": _virtual(root, first),
        "memory": _memory(root),
        **known,
    }
    good = {name: MACHINE_FACTS[name].fullmatch(fact) for name, fact in facts.items()}
    return tuple(sorted((name, facts[name]) for name, matches in good.items() if matches))


def _read(path: Path) -> str:
    """Return the text of a file without the space around it, or "" where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _processors(cpuinfo: str) -> list[dict[str, str]]:
    """Return what is said of each processor that we may use; of all where none is numbered so."""
    blocks = [
        {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        for lines in (block.splitlines() for block in re.split(r"\n\s*\n", cpuinfo) if block)
    ]
    ours = {str(number) for number in os.sched_getaffinity(0)}
    return [each for each in blocks if each.get("processor") in ours] or blocks


def _first(processor: Mapping[str, str], names: Sequence[str]) -> str:
    return next((processor[name] for name in names if name in processor), "")


def _counted(processors: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Count the sockets and the physical cores that we may use; {} where nothing tells."""
    sockets = {each["physical id"] for each in processors if "physical id" in each}
    cores = {
        (each["physical id"], each["core id"])
        for each in processors
        if {"physical id", "core id"} <= each.keys()
    }
    return {"sockets": str(len(sockets)), "cores": str(len(cores))}


def _instructions(processor: Mapping[str, str]) -> list[str]:
    flags = {*_first(processor, ("flags", "Features")).split()}
    return [name for flag, name in _INSTRUCTIONS.items() if flag in flags]


def _caches(root: Path) -> Iterator[str]:
    """Yield the caches that the first processor sees, from the nearest to the farthest."""
    for folder in sorted(root.glob("sys/devices/system/cpu/cpu0/cache/index[0-9]"))[:8]:
        size = re.fullmatch(r"(\d{1,9})([KM])", _read(folder / "size"))
        kind = {"Data": "d", "Instruction": "i"}.get(_read(folder / "type"), "")
        if size:
            kibi = int(size[1]) * (1024 if size[2] == "M" else 1)
            amount = f"{kibi // 1024} MiB" if kibi % 1024 == 0 else f"{kibi} KiB"
            yield f"L{_read(folder / 'level')}{kind} {amount}"


def _quota(root: Path) -> str:
    """Return how many cores' time a control group leaves us, "" where it sets no limit."""
    limit = _read(root / "sys/fs/cgroup/cpu.max").split()
    if not limit:
        folder = root / "sys/fs/cgroup/cpu"
        limit = [_read(folder / f"cpu.cfs_{name}_us") for name in ("quota", "period")]
    if len(limit) == 2 and all(each.isdecimal() for each in limit) and int(limit[1]):  # noqa: PLR2004
        return f"{int(limit[0]) / int(limit[1]):.2f}".rstrip("0").rstrip(".")
    return ""


def _virtual(root: Path, processor: Mapping[str, str]) -> str:
    """Return the kind of hypervisor, "yes" where it has no name, "" where none is seen."""
    named = _read(root / "sys/hypervisor/type")
    seen = "hypervisor" in processor.get("flags", "").split()
    return named or ("yes" if seen else "")


def _memory(root: Path) -> str:
    match = re.search(r"^MemTotal: +(\d{1,15}) kB$", _read(root / "proc/meminfo"), re.MULTILINE)
    return f"{int(match[1]) / 2**20:.1f} GiB" if match else ""
