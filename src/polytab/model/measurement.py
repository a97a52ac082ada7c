"""The numbers of one benchmark, and where its cases lie on a curve."""

from __future__ import annotations

from dataclasses import dataclass


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
