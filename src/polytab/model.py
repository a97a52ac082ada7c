"""The things that pass between the stages: frozen, typed, with no behaviour but derivation."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAIN = "python"
"""Plain Python without a framework; shown without tabs."""

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)


def digest(data: str | bytes) -> str:
    """Return the SHA-256 of text or bytes, in hexadecimal."""
    # The name of a file may hold half a character: whatever was no UTF-8.
    encoded = data.encode(errors="surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(encoded).hexdigest()


def digest_path(path: Path) -> str:
    """Return a digest of a file, or of all the files in a folder with their names."""
    if path.is_file():
        return digest(path.read_bytes())
    files = (Path(above, name) for above, _, names in os.walk(path) for name in names)
    found = sorted(each for each in files if each.is_file() and each.suffix != ".pyc")
    return digest("".join(f"{each.relative_to(path)} {digest_path(each)}\n" for each in found))


@cache
def engine_digest() -> str:
    """Return a digest of this package: what another engine has made is made anew."""
    return digest_path(Path(__file__).parent)


@dataclass(frozen=True)
class Framework:
    """One way to write a snippet, and the package that provides it."""

    name: str
    title: str
    package: str | None = None
    cuda_package: str | None = None
    no_cuda: str | None = None
    """Why it is not recorded on CUDA."""
    colab: tuple[tuple[str, str], ...] = ()
    """Why its notebooks do not run in Colab, by language code; empty where they do."""

    def package_on(self, device: str) -> str | None:
        """Return the package that provides it on a device."""
        return self.cuda_package or self.package if device == CUDA else self.package


@dataclass(frozen=True)
class Language:
    """One language of the site; `code` is its folder, `locale` its catalogs, `tag` its `lang`."""

    code: str
    name: str
    locale: str
    tag: str
    title: str


@dataclass(frozen=True)
class Cell:
    """A labelled part of a script: `text` is what readers see, `code` what is hashed and run."""

    label: str
    text: str
    code: str
    line: int
    raises: str | None = None
    varies: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Needs:
    """What a script needs beyond the defaults; `network`: the machine's, though it is confined."""

    gpus: int = 0
    timeout: int = 600
    measures: bool = False
    data: tuple[str, ...] = ()
    network: bool = False


@dataclass(frozen=True)
class SideFile:
    """A helper module or data file that travels with a script; `name` is relative."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Script:
    """One page in one framework, as people wrote it."""

    page: str
    framework: str
    path: Path
    cells: tuple[Cell, ...]
    needs: Needs = Needs()
    helpers: tuple[SideFile, ...] = ()
    data: tuple[SideFile, ...] = ()

    @property
    def name(self) -> str:
        """`page/framework`, the name messages use."""
        return f"{self.page}/{self.framework}"

    def cell(self, label: str) -> Cell | None:
        """Return the cell of this label, if there is one."""
        return next((cell for cell in self.cells if cell.label == label), None)


@dataclass(frozen=True)
class Environment:
    """The pinned packages and the Python version of one framework on one device."""

    framework: str
    device: str
    path: Path
    python: str
    pins: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The identity of what would be installed."""
        return digest("\n".join((self.python, *self.pins)))


@dataclass(frozen=True)
class Key:
    """What a recording depends on, part by part, so that a change can be told in words."""

    parts: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """One hash over all parts; see `ScriptState.fresh` for when a recording is fresh."""
        return digest("\n".join(f"{name} {value}" for name, value in self.parts))


@dataclass(frozen=True)
class Job:
    """A script to run in an environment; it carries all a worker needs. No reason: it is fresh.

    `confine` says whether its kernel runs in a sandbox (`settings.CONFINE`).
    """

    script: Script
    environment: Environment
    key: Key
    reason: str | None = None
    package: str | None = None
    """The package whose version the recording names."""
    seconds: float | None = None
    """How long the earlier recording took, where there is one."""
    confine: str = "off"

    @property
    def name(self) -> str:
        """`page/framework` and, where it is not the default, the device."""
        device = self.environment.device
        return self.script.name if device == CPU else f"{self.script.name} ({device})"

    @property
    def gpus(self) -> int:
        """How many GPUs it must have for itself; one at least where it is recorded on them."""
        return max(1, self.script.needs.gpus) if self.environment.device == CUDA else 0


@dataclass(frozen=True)
class RecordedCell:
    """A cell that was run, with its outputs as the notebook format spells them."""

    label: str
    code: str
    outputs: tuple[Mapping[str, Any], ...] = ()
    varies: str | None = None
    warned: tuple[str, ...] = field(default=(), compare=False)
    """What its framework warned of in its log: for whoever records, and not kept."""


@dataclass(frozen=True)
class Accelerator:
    """The GPUs of a run, with driver, CUDA and library versions.

    `name` joins the names of several kinds with ` + `; `count` is of all.
    """

    name: str
    count: int
    driver: str
    cuda: str
    libraries: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Provenance:
    """Where, when and with what a recording was made.

    `found` holds versions where an environment was used as it was, in place of the pinned one;
    `machine` what is known of the machine beside its name and its cores (`recordings/limits.py`);
    `confined` how its kernels were confined, where that is known.
    """

    python: str
    package: str
    version: str
    hardware: str
    cores: int
    system: str
    date: str
    seconds: float
    accelerator: Accelerator | None = None
    found: tuple[tuple[str, str], ...] = ()
    machine: tuple[tuple[str, str], ...] = ()
    confined: str = ""

    @property
    def machine_kind(self) -> tuple[object, ...]:
        """What two recordings share that were made on machines of one kind."""
        kept = tuple(each for each in self.machine if each[0] not in {"memory", "libraries"})
        gpus = self.accelerator and (self.accelerator.name, self.accelerator.count)
        return (self.system, self.hardware, self.cores, kept, gpus)


@dataclass(frozen=True)
class Recording:
    """An executed script: the one thing pages read and the runner writes."""

    page: str
    framework: str
    device: str
    key: Key
    provenance: Provenance
    cells: tuple[RecordedCell, ...]

    @property
    def name(self) -> str:
        """`page/framework.device`, the recording's path without its suffix."""
        return f"{self.page}/{self.framework}.{self.device}"

    def cell(self, label: str) -> RecordedCell | None:
        """Return the recorded cell of this label, if there is one."""
        return next((cell for cell in self.cells if cell.label == label), None)


@dataclass(frozen=True)
class Case:
    """One case of a benchmark; times in seconds per call, one tuple of samples per process."""

    name: str
    calls: int
    first_calls: tuple[float, ...]
    """The first calls, one for each process; none where they were not timed."""
    samples: tuple[tuple[float, ...], ...]
    memory: int | None = None
    at: float | None = None
    """Where on a curve it lies: the value of what the measurement runs over."""
    operations: int | None = None
    """Arithmetic operations of one call, as the author counts them."""
    traffic: int | None = None
    """Bytes that one call must move between memory and processor, as the author counts them."""
    fresh: bool = False
    """Whether each first call was made in a fresh process with empty caches."""
    threads: tuple[tuple[str, int], ...] = ()
    """How many threads each library could use."""
    cores: float | None = None
    """How many cores its calls kept busy on average."""

    @property
    def full_name(self) -> str:
        """Its name on pages: `compiled`, or on a curve `compiled at 8`."""
        return self.name if self.at is None else f"{self.name} at {spell_value(self.at)}"


@dataclass(frozen=True)
class Note:
    """What makes the numbers of a case doubtful, as the kit has seen it; `case` is a full name."""

    case: str
    rule: str
    detail: str


@dataclass(frozen=True)
class Measurement:
    """The numbers of one benchmark, as a recording keeps them."""

    name: str
    cases: tuple[Case, ...]
    over: str | None = None
    """What a curve runs over, such as `batch size`; its cases then say where they lie."""
    threads: str | None = None
    """Why some cases may use more threads than others."""
    notes: tuple[Note, ...] = ()


def spell_value(value: float) -> str:
    """Write a value on a curve as authors write it: 4096, not 4096.0 or 4.1e3."""
    return str(int(value)) if value == int(value) else repr(value)


@dataclass(frozen=True)
class Finding:
    """One complaint of a check."""

    file: Path
    line: int | None
    rule: str
    message: str

    def __str__(self) -> str:
        """Spell the finding as a terminal shows it."""
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return one_line(f"{place}: [{self.rule}] {self.message}")
