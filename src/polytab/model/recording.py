"""What machines write: the key and the job of a script, and the recording made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from polytab.model.book import CPU, CUDA
from polytab.model.digests import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polytab.model.book import Environment, Script, SideFile


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
    probe: SideFile | None = None
    """The probe of the book for its framework, with its path in the book; no part of the key."""

    log: tuple[str, ...] = ()
    """How lines begin that are no output but a library's log (`Settings.log`); the same."""

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
    `confined` how its kernels were confined, where that is known; `imported` the versions of what
    the script imports beside the package that is named.
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
    imported: tuple[tuple[str, str], ...] = ()

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
