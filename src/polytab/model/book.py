"""What people write: frameworks, languages, scripts and their environments; what a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import one_line
from polytab.model.digests import digest

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = "python"
"""Plain Python without a framework; shown without tabs."""

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)


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
    probe: str | None = None
    """The book's own questions to it, in place of polytab's probes: a path in the book."""

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
