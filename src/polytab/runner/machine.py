"""The machine that scripts run on: its system, processor and GPUs, and which GPUs a job gets.

NVIDIA's own `nvidia-smi` is asked for the GPUs. It may be absent, fail, hang or answer oddly: each
leaves a machine without GPUs that says why. `CUDA_VISIBLE_DEVICES` is obeyed as CUDA does.
"""

from __future__ import annotations

import contextlib
import csv
import os
import platform
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.errors import DeviceError, PlatformError
from polytab.model import CPU, Accelerator

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from polytab.model import Job

_CPUINFO = Path("/proc/cpuinfo")
_KERNEL_COUNTS = Path("/proc/vmstat")
_NVIDIA_SMI = "nvidia-smi"
_NVIDIA_SMI_TIMEOUT = 30.0
"""Seconds until a driver that does not answer counts as hanging."""

_FIELDS = ("index", "uuid", "name", "memory.total", "driver_version", "mig.mode.current")
_CUDA = re.compile(r"CUDA(?: UMD)? Version *: *(\d+(?:\.\d+)*)")
_WHOLE = re.compile(r"GPU (?P<index>\d+):")
_SLICE = re.compile(r" +MIG (?P<profile>\S+) .*\(UUID: (?P<id>MIG-[^)]+)\)")


@dataclass(frozen=True)
class Gpu:
    """A GPU, or the slice of one that MIG has cut off; `id` is its name in CUDA's variable."""

    id: str
    index: int
    name: str
    memory: int | None
    driver: str
    cuda: str


@dataclass(frozen=True)
class Machine:
    """The hardware a script runs on; `no_gpu` says why there is none."""

    processor: str
    cores: int
    system: str
    gpus: tuple[Gpu, ...] = ()
    no_gpu: str = ""


class _NvidiaSmiError(Exception):
    """`nvidia-smi` is absent, fails, hangs, or answers what cannot be read."""


def killed_for_memory() -> int:
    """Count the processes that this machine has killed for memory; 0 where it does not tell."""
    try:
        lines = _KERNEL_COUNTS.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))


def require_linux() -> None:
    """Raise PlatformError where scripts cannot be run: all that ends them needs Linux."""
    system = platform.system()
    if system != "Linux":
        msg = f"scripts are run on Linux only, this is {system or 'an unknown system'}"
        hint = "record there, or in a container; pages are built from recordings on any system"
        raise PlatformError(msg, hint=hint)


def this_machine(device: str = CPU) -> Machine:
    """Return the hardware of this machine; with its GPUs only where the device is CUDA."""
    cores = len(os.sched_getaffinity(0))
    system = f"{platform.system()} {platform.machine()}"
    if device == CPU:
        return Machine(_processor(), cores, system)
    try:
        gpus = _visible(_all_gpus())
        why = "" if gpus else "CUDA_VISIBLE_DEVICES hides all of them"
    except _NvidiaSmiError as error:
        gpus, why = (), str(error)
    return Machine(_processor(), cores, system, gpus, why)


def choose_gpus(job: Job, machine: Machine, taken: Collection[Gpu] = ()) -> tuple[Gpu, ...]:
    """Return free GPUs for a job.

    Raises DeviceError if the machine has too few, or too few are free.
    """
    if job.environment.device == CPU:
        return ()
    asked = job.gpus
    if asked > len(machine.gpus):
        names = ", ".join(gpu.name for gpu in machine.gpus)
        has = f"{len(machine.gpus)}: {names}" if names else f"none: {machine.no_gpu}"
        hint = "record it on a machine that has them; nothing is run on the CPU in their place"
        msg = f"{job.name}: asks for {asked} GPU, this machine has {has}"
        raise DeviceError(msg, file=job.script.path, hint=hint)
    free = [gpu for gpu in machine.gpus if gpu not in taken]
    if asked > len(free):
        msg = f"{job.name}: asks for {asked} GPU, {len(free)} of {len(machine.gpus)} are free"
        hint = "start one `polytab worker` on each machine, no more"
        raise DeviceError(msg, file=job.script.path, hint=hint)
    return tuple(free[:asked])


def accelerator_of(gpus: Sequence[Gpu], packages: Mapping[str, str]) -> Accelerator | None:
    """Return these GPUs with the versions of NVIDIA's libraries; None if there are none."""
    if not gpus:
        return None
    names = " + ".join(dict.fromkeys(gpu.name for gpu in gpus))
    libraries = tuple(sorted(each for each in packages.items() if each[0].startswith("nvidia-")))
    return Accelerator(names, len(gpus), gpus[0].driver, gpus[0].cuda, libraries)


def _all_gpus() -> tuple[Gpu, ...]:
    """List the GPUs; what MIG has cut up is listed by its slices, as CUDA sees it."""
    said = _nvidia_smi(f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader,nounits")
    rows = [[cell.strip() for cell in row] for row in csv.reader(said.splitlines()) if row]
    if not rows:
        raise _NvidiaSmiError(f"`{_NVIDIA_SMI}` lists no GPU")
    if any(len(row) != len(_FIELDS) or not row[0].isdigit() for row in rows):
        raise _NvidiaSmiError(f"`{_NVIDIA_SMI}` answers oddly: {said.splitlines()[0][:80]}")
    match = _CUDA.search(_nvidia_smi())
    cuda = match[1] if match else ""
    cut = _slices() if any(row[-1] == "Enabled" for row in rows) else {}
    gpus: list[Gpu] = []
    for index, uuid, name, memory, driver, mig in rows:
        size = int(memory) if memory.isdigit() else None
        ident = uuid if uuid.startswith("GPU-") else index
        whole = Gpu(ident, int(index), name, size, driver, cuda)
        if mig != "Enabled":
            gpus.append(whole)
        gpus += [
            Gpu(part, int(index), f"{name} MIG {profile}", None, driver, cuda)
            for profile, part in cut.get(int(index), ())
        ]
    return tuple(gpus)


def _slices() -> dict[int, list[tuple[str, str]]]:
    """Return what MIG has cut each GPU into: profiles, with their ids."""
    found: dict[int, list[tuple[str, str]]] = {}
    here = -1
    for line in _nvidia_smi("-L").splitlines():
        if match := _WHOLE.match(line):
            here = int(match["index"])
        elif match := _SLICE.match(line):
            found.setdefault(here, []).append((match["profile"], match["id"]))
    return found


def _visible(gpus: tuple[Gpu, ...]) -> tuple[Gpu, ...]:
    """Leave what CUDA_VISIBLE_DEVICES shows, in its order; the first word that names none ends."""
    words = os.environ.get("CUDA_VISIBLE_DEVICES")
    if words is None:
        return gpus
    shown: list[Gpu] = []
    for word in (each.strip() for each in words.split(",")):
        named = [
            gpu
            for gpu in gpus
            if (str(gpu.index) == word if word.isdigit() else word and gpu.id.startswith(word))
        ]
        if not named or named[0] in shown:
            break
        shown.append(named[0])
    return tuple(shown)


def _nvidia_smi(*words: str) -> str:
    """Return what `nvidia-smi` prints; _NvidiaSmiError if it fails or hangs, even unkillably."""
    with tempfile.TemporaryFile() as answer:  # a pipe would wait for what the command leaves behind
        try:
            process = subprocess.Popen(
                [_NVIDIA_SMI, *words],
                stdin=subprocess.DEVNULL,
                stdout=answer,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise _NvidiaSmiError(f"`{_NVIDIA_SMI}` cannot be run: {error.strerror}") from None
        try:
            code = process.wait(_NVIDIA_SMI_TIMEOUT)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
            raise _NvidiaSmiError(f"`{_NVIDIA_SMI}` does not answer") from None
        answer.seek(0)
        said = answer.read(1_000_000).decode(errors="replace")
    if code:
        words_ = " ".join(said.split())[:200] or f"exit status {code}"
        raise _NvidiaSmiError(f"`{_NVIDIA_SMI}` fails: {words_}")
    return said


def _processor() -> str:
    """Return the processor's name as its maker writes it, without decoration."""
    if _CPUINFO.is_file():
        for line in _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return " ".join(value.replace("(R)", "").replace("(TM)", "").split())
    return platform.processor() or platform.machine()
