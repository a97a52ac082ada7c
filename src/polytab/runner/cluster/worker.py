"""What a Dask worker does when it is handed a task of ours; it needs nothing of the checkout."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from distributed import Status, get_worker

from polytab.errors import PolytabError
from polytab.runner.machine import hand_out, this_machine
from polytab.runner.perform import equip, perform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Worker

    from polytab.model import Job, Recording
    from polytab.runner.machine import Gpu

TOPIC = "polytab"
"""Under which workers say how far they are."""

_RUNS = {Status.running, Status.paused}


def work(job: Job, envs: Path | None) -> Recording | PolytabError:
    """Run a job; an error of ours is a result like any other."""
    with _at_work() as line:
        try:
            with _GPUS.taken(job) as gpus:
                installed = equip(job, envs or own_envs(), line.say, line.wanted)
                return perform(job, installed, line.say, line.wanted, gpus)
        except PolytabError as error:
            return error


def make(job: Job, envs: Path | None) -> PolytabError | None:
    """Make the environment of a job, where it is not there yet."""
    with _at_work() as line:
        try:
            equip(job, envs or own_envs(), line.say, line.wanted)
        except PolytabError as error:
            return error
        return None


def own_envs() -> Path:
    """Return where this machine keeps its environments, unless the client is on it."""
    named = os.environ.get("POLYTAB_ENVS")
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named or f"{cache}/polytab/envs").expanduser().resolve()


@dataclass(frozen=True)
class _Line:
    """The line back to whoever asked for a task."""

    worker: Worker
    key: str

    def say(self, text: str) -> None:
        self.worker.log_event(TOPIC, {"key": self.key, "text": text})

    def wanted(self) -> bool:
        """Whether the scheduler still waits for it: not once the client has let go, or has gone."""
        task = self.worker.state.tasks.get(self.key)
        released = task is None or task.state == "cancelled"
        return not released and self.worker.status in _RUNS


_AT_WORK: set[str] = set()


@contextmanager
def _at_work() -> Iterator[_Line]:
    worker = get_worker()
    key = str(worker.get_current_task())
    _AT_WORK.add(key)
    try:
        line = _Line(worker, key)
        line.say("")  # it has really begun
        yield line
    finally:
        _AT_WORK.discard(key)


def still_at_work(keys: set[str]) -> bool:
    """Tell whether one of these tasks has not ended yet."""
    return bool(keys & _AT_WORK)


@dataclass
class _Gpus:
    """The GPUs of this machine that jobs hold."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _held: list[Gpu] = field(default_factory=list)

    @contextmanager
    def taken(self, job: Job) -> Iterator[tuple[Gpu, ...]]:
        """Hold what a job asks for, which no other job is given meanwhile."""
        machine = this_machine(job.environment.device)
        with self._lock:
            gpus = hand_out(job, machine, self._held)
            self._held += gpus
        try:
            yield gpus
        finally:
            with self._lock:
                self._held = [each for each in self._held if each not in gpus]


_GPUS = _Gpus()
