"""Decide which job runs next, and on which worker; knows nothing of Dask.

Laws, guarded by tests/runner/cluster/test_dispatch.py: a job that must be alone on its machine is;
a worker never gets more jobs or GPUs than it has; jobs that measure go first, and the longest of
either kind; a job whose worker was lost, or whose environment was just made, goes before all;
whatever is lost or fails, every job ends once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from polytab.errors import DeviceError, PolytabError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from polytab.model import Job

MAX_LOST_WORKERS = 3
"""How many workers a job may lose: after so many it is given up, and its error names them."""

NO_WORKER_TIMEOUT = 60.0
"""Seconds until a run is given up that has no worker: no first one, or none since all were lost."""

LOST_WORKER_TIMEOUT = 60.0
"""Seconds until the worker of a task that has ended counts as lost if its result does not arrive.

The task's job then goes to another worker, at most MAX_LOST_WORKERS times.
"""


@dataclass(frozen=True)
class Worker:
    """A machine that runs jobs: so many at once, with so many GPUs."""

    address: str
    name: str
    slots: int
    gpus: int = 0


@dataclass(frozen=True)
class Task:
    """What one worker is asked to do: to make a job's environment, or to run the job."""

    job: Job
    worker: Worker
    makes: bool
    alone: bool
    attempt: int

    @property
    def key(self) -> str:
        """The name Dask knows it by; for the first run of a job it is the recording's key."""
        if self.makes:
            return f"{self.job.environment.digest}-on-{self.worker.address}"
        digest = self.job.key.digest
        return digest if self.attempt == 1 else f"{digest}-{self.attempt}"

    @property
    def gpus(self) -> int:
        """How many GPUs it holds."""
        return 0 if self.makes else self.job.gpus


@dataclass
class Dispatcher:
    """The jobs that wait, the tasks that run and the workers; chooses the next task."""

    waiting: list[Job]
    workers: dict[str, Worker] = field(default_factory=dict)
    running: dict[str, Task] = field(default_factory=dict)
    _ready: set[tuple[str, str]] = field(default_factory=set)
    _impossible: dict[tuple[str, str], PolytabError] = field(default_factory=dict)
    _lost: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Measurements first, as they need a machine for themselves; then the longest first."""
        self.waiting.sort(key=lambda job: (not job.script.needs.measures, -_length(job), job.name))

    def update_workers(self, workers: Iterable[Worker]) -> list[Task]:
        """Replace the known workers; requeue and return the tasks of those that are gone."""
        self.workers = {worker.address: worker for worker in workers}
        gone = [task for task in self.running.values() if task.worker.address not in self.workers]
        for task in gone:
            self.requeue_after_loss(task)
        return gone

    def requeue_after_loss(self, task: Task) -> None:
        """Put the job of a task whose worker was lost first in line; from now on it runs alone."""
        self._end(task)
        self._lost.setdefault(task.job.key.digest, []).append(task.worker.name)
        self.waiting.insert(0, task.job)

    def environment_done(self, task: Task, error: PolytabError | None) -> None:
        """Book a task that made an environment as ended, with its error; its job waits again."""
        self._end(task)
        pair = (task.worker.address, task.job.environment.digest)
        if error is None:
            self._ready.add(pair)
        else:
            self._impossible[pair] = error
        self.waiting.insert(0, task.job)

    def job_done(self, task: Task) -> None:
        """Book a task that ran its job as ended."""
        self._end(task)

    def _end(self, task: Task) -> None:
        del self.running[task.key]

    def hopeless(self) -> Iterator[tuple[Job, PolytabError]]:
        """Remove and yield the jobs that will not be run, each with the reason.

        None of the workers there are now can ever run it, or MAX_LOST_WORKERS were lost with it.
        """
        for job in list(self.waiting):
            error = self._why_never(job)
            if error is not None:
                self.waiting.remove(job)
                yield job, error

    def _why_never(self, job: Job) -> PolytabError | None:
        lost = self._lost.get(job.key.digest, [])
        if len(lost) >= MAX_LOST_WORKERS:
            msg = f"{job.name}: given up: each worker it was on was lost ({', '.join(lost)})"
            hint = "look at what it does to its machine, at its memory above all"
            return WorkerError(msg, file=job.script.path, hint=hint)
        if not self.workers:
            return None
        able = [worker for worker in self.workers.values() if worker.gpus >= job.gpus]
        if not able:
            there = ", ".join(
                sorted(f"{each.name} has {each.gpus}" for each in self.workers.values())
            )
            msg = f"{job.name}: asks for {job.gpus} GPU of one machine, no worker has so many"
            return DeviceError(msg, file=job.script.path, hint=f"the workers there are: {there}")
        digest = job.environment.digest
        errors = [self._impossible.get((worker.address, digest)) for worker in able]
        return errors[0] if None not in errors else None

    def next_task(self) -> Task | None:
        """Book the next task as running and return it; None if no waiting job fits a worker now."""
        for job in self.waiting:
            task = self._task(job)
            if task is not None:
                self.waiting.remove(job)
                self.running[task.key] = task
                return task
        return None

    def _task(self, job: Job) -> Task | None:
        """Place a job where its environment is ready; else have that made on a free worker."""
        digest, lost = job.environment.digest, len(self._lost.get(job.key.digest, []))
        alone = job.script.needs.measures or lost > 0
        makes: Task | None = None
        for worker in sorted(self.workers.values(), key=self._load):
            pair = (worker.address, digest)
            if worker.gpus < job.gpus or pair in self._impossible:
                continue
            ready = pair in self._ready
            task = Task(job, worker, not ready, ready and alone, lost + 1)
            if not self._fits(task):
                continue
            if ready:
                return task
            makes = makes or task
        return makes

    def _fits(self, task: Task) -> bool:
        there = [each for each in self.running.values() if each.worker == task.worker]
        if task.key in self.running or any(each.alone for each in there):
            return False
        if task.alone:
            return not there
        gpus = sum(each.gpus for each in there) + task.gpus
        return len(there) < task.worker.slots and gpus <= task.worker.gpus

    def _load(self, worker: Worker) -> tuple[float, str]:
        there = sum(task.worker == worker for task in self.running.values())
        return there / worker.slots, worker.name

    def estimate_seconds_left(self, ran: Mapping[str, float]) -> float | None:
        """Estimate the seconds until all jobs have ended, from the seconds each task has run.

        None if no job's length is known, or there is no worker.
        """
        jobs = {job.key.digest: job for job in self.waiting}
        jobs |= {task.key: task.job for task in self.running.values()}
        known = [job.seconds for job in jobs.values() if job.seconds is not None]
        slots = sum(worker.slots for worker in self.workers.values())
        if not known or not slots:
            return None
        usual = sum(known) / len(known)
        share = slots / len(self.workers)
        work = longest = 0.0
        for key, job in jobs.items():
            seconds = usual if job.seconds is None else job.seconds
            rest = max(0.0, seconds - ran.get(key, 0.0))
            longest = max(longest, rest)
            work += rest * (share if job.script.needs.measures else 1)
        return max(work / slots, longest)


def _length(job: Job) -> float:
    return inf if job.seconds is None else job.seconds
