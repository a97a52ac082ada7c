"""The functions that a Dask worker runs: make an environment, run a job; without a checkout."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from distributed import Status, get_worker

from polytab.runner.cluster.answers import answer
from polytab.runner.machine import choose_gpus, this_machine
from polytab.runner.perform import equip, perform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Worker

    from polytab.model import Job, Recording
    from polytab.runner.machine import Gpu

TOPIC = "polytab"
"""Dask topic under which workers report progress."""

_RUNS = {Status.running, Status.paused}


def work(job: Job, envs: Path | None) -> bytes:
    """Run a job; return its recording, or the error that it ended with, as `answers` spells it."""

    def record() -> Recording:
        with _at_work() as client, _GPUS.taken(job) as gpus:
            installed = equip(job, envs or default_envs_folder(), client.say, client.cancelled)
            return perform(job, installed, client.say, client.cancelled, gpus)

    return answer(job, record)


def make(job: Job, envs: Path | None) -> bytes:
    """Make the environment of a job where it is missing; return the error if it cannot be had."""

    def install() -> None:
        with _at_work() as client:
            equip(job, envs or default_envs_folder(), client.say, client.cancelled)

    return answer(job, install)


def default_envs_folder() -> Path:
    """Return this machine's folder of environments: POLYTAB_ENVS, or one in the user's cache."""
    named = os.environ.get("POLYTAB_ENVS")
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named or f"{cache}/polytab/envs").expanduser().resolve()


@dataclass(frozen=True)
class _Client:
    """The client that has asked for a task: it hears of its progress, and may cancel it."""

    worker: Worker
    key: str

    def say(self, text: str) -> None:
        self.worker.log_event(TOPIC, {"key": self.key, "text": text})

    def cancelled(self) -> bool:
        """Whether the client has released the task or has gone, or this worker is closing."""
        task = self.worker.state.tasks.get(self.key)
        released = task is None or task.state == "cancelled"
        return released or self.worker.status not in _RUNS


_AT_WORK: set[str] = set()


@contextmanager
def _at_work() -> Iterator[_Client]:
    worker = get_worker()
    key = str(worker.get_current_task())
    _AT_WORK.add(key)
    try:
        client = _Client(worker, key)
        client.say("")  # it has really begun
        yield client
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
            gpus = choose_gpus(job, machine, self._held)
            self._held += gpus
        try:
            yield gpus
        finally:
            with self._lock:
                self._held = [each for each in self._held if each not in gpus]


_GPUS = _Gpus()
