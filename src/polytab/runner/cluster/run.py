"""Run many jobs on Dask, on this machine or on a scheduler's workers, in the same way.

`dispatch` decides which job runs where; this module asks Dask for it and reports what happens.
"""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from distributed import CancelledError, Client, KilledWorker

from polytab.errors import DeviceError, JobCancelledError, WorkerError
from polytab.model import CPU, CUDA
from polytab.runner.cluster.answers import Answer, read_answer
from polytab.runner.cluster.bytes_only import take_refused
from polytab.runner.cluster.connection import GPU, MACHINE, SCHEDULER_TIMEOUT, connected
from polytab.runner.cluster.dispatch import (
    LOST_WORKER_TIMEOUT,
    NO_WORKER_TIMEOUT,
    Dispatcher,
    Task,
    Worker,
)
from polytab.runner.cluster.worker import TOPIC, make, still_at_work, work
from polytab.runner.events import Event, Outcome
from polytab.runner.machine import choose_gpus, this_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from distributed import Future

    from polytab.model import Job
    from polytab.runner.events import EventKind
    from polytab.runner.run_config import RunConfig

_SHARE_OF_A_JOB = 1 / 1024
"""What an ordinary job takes of a machine: its threads limit how many run at once."""

_RELEASE_TIMEOUT = 60.0
"""Seconds to wait, when a run is left, until workers have ended what they still ran."""

LONGEST_STEP = 1000
"""Characters of a step's words, or of a worker's name, that are taken."""

MOST_AT_ONCE = 100_000
"""Jobs, and GPUs, that one worker may say it has; no machine has more."""

_WORKERS_POLL_INTERVAL = 0.5
"""Seconds between two looks at the workers."""


def run_jobs(
    jobs: Sequence[Job], config: RunConfig, report: Callable[[Event], None]
) -> Generator[Outcome, None, None]:
    """Run jobs, and give each outcome as it arrives; leaving early ends all that still runs."""
    unique = {job.key.digest: job for job in jobs}
    here = config.scheduler is None
    machine = this_machine(CUDA if here and any(job.gpus for job in jobs) else CPU)
    if here:  # what this machine lacks is told with the reason, before anything is started
        for key, job in list(unique.items()):
            try:
                choose_gpus(job, machine)
            except DeviceError as error:
                yield Outcome(unique.pop(key), error=error)
    if unique:
        with connected(config, machine) as client:
            yield from _Session(client, config, report, Dispatcher([*unique.values()])).outcomes()


@dataclass
class _Message:
    """Received from a worker: a task's progress, or that it has ended."""

    kind: Literal["says", "ends"]
    key: str
    text: str = ""


@dataclass
class _Session:
    """The state of one run on a cluster, until all jobs have ended."""

    client: Client
    config: RunConfig
    report: Callable[[Event], None]
    dispatcher: Dispatcher
    inbox: queue.Queue[_Message] = field(default_factory=queue.Queue)
    futures: dict[str, Future] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    looked: float = -inf
    alone_since: float | None = None
    silent: bool = False

    def outcomes(self) -> Iterator[Outcome]:
        """Run all jobs that wait, and yield the outcome of each; WorkerError ends all."""
        self.client.subscribe_topic(TOPIC, self._hear)
        try:
            while self.dispatcher.waiting or self.dispatcher.running:
                self._meet()
                for job, error in self.dispatcher.hopeless():
                    yield Outcome(job, error=error)
                while task := self.dispatcher.next_task():
                    self._submit(task)
                try:
                    message = self.inbox.get(timeout=_WORKERS_POLL_INTERVAL)
                except queue.Empty:
                    continue
                yield from self._read(message)
        finally:
            self._let_go()

    def _hear(self, event: tuple[float, object]) -> None:
        """Queue a worker's message, if it is one; Dask calls this in a thread of its own."""
        match event[1]:
            case {"key": str(key), "text": str(text)}:
                self.inbox.put(_Message("says", key, text[:LONGEST_STEP]))

    def _meet(self) -> None:
        """Ask, once an interval, which workers there are, and report those that were lost."""
        now = time.monotonic()
        if now - self.looked < _WORKERS_POLL_INTERVAL:
            return
        self.looked = now
        for task in self.dispatcher.update_workers(self._workers()):
            self._lost(task)
        if self.dispatcher.workers:
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now
            self.report(Event("waits", "waits for workers"))
        elif now - self.alone_since > NO_WORKER_TIMEOUT:
            raise _nobody(self.config)

    def _workers(self) -> list[Worker]:
        """Return the workers that the scheduler knows; WorkerError if it does not answer."""
        try:
            self._must_be_there()
            asked = self.client.scheduler.identity
            said = self.client.sync(asked, n_workers=-1, callback_timeout=SCHEDULER_TIMEOUT)
            return [_worker(*each) for each in said["workers"].items() if _can(each[1])]
        except (OSError, TimeoutError):
            self.silent = True
            self._must_be_there()
            raise
        except WorkerError:
            raise
        except Exception:  # noqa: BLE001  # an error of its own among what it may answer
            self._must_be_there()
            msg = f"the scheduler {self.config.scheduler} answers what no scheduler would"
            raise WorkerError(msg, hint="look at who runs it, and at its version of Dask") from None

    def _must_be_there(self) -> None:
        refused = take_refused()
        if refused:
            msg = f"the cluster {self.config.scheduler} sent `{refused}` where only bytes are taken"
            hint = "look at who runs its scheduler and workers; what was recorded is kept"
            raise WorkerError(msg, hint=hint)
        if self._gone:
            msg = f"the scheduler {self.config.scheduler} was lost"
            raise WorkerError(msg, hint="what was recorded is kept; run it again for the rest")

    @property
    def _gone(self) -> bool:
        return self.silent or self.client.status != "running"

    def _lost(self, task: Task) -> None:
        self.futures.pop(task.key).release()
        self._tell("lost", task, f"its worker {task.worker.name} was lost")

    def _submit(self, task: Task) -> None:
        job = replace(task.job, reason=None, seconds=None)  # equal keys, equal tasks
        future = self.client.submit(
            make if task.makes else work,
            job,
            self.config.envs,
            key=task.key,
            workers=[task.worker.address],
            resources={MACHINE: 1 if task.alone else _SHARE_OF_A_JOB, GPU: task.gpus},
        )
        self.futures[task.key] = future
        if not task.makes:
            self.began[task.key] = time.monotonic()
        future.add_done_callback(lambda _: self.inbox.put(_Message("ends", task.key)))
        if not task.makes:
            why = task.job.reason
            self._tell("starts", task, f"runs, because {why}" if why else "runs")

    def _read(self, message: _Message) -> Iterator[Outcome]:
        """Act on a message; that of a task which is no longer running is ignored."""
        task = self.dispatcher.running.get(message.key)
        if task is None:
            return
        if message.kind == "says":
            if message.text:
                self._tell("makes" if task.makes else "says", task, message.text)
            return
        answer = self._answer(task)
        if isinstance(answer.error, JobCancelledError):
            self.dispatcher.requeue_after_loss(task)
            self._lost(task)
        elif task.makes:
            self.futures.pop(task.key)
            self.dispatcher.environment_done(task, answer.error)
        else:
            self.futures.pop(task.key)
            self.dispatcher.job_done(task)
            yield Outcome(task.job, answer.recording, answer.error)

    def _answer(self, task: Task) -> Answer:
        """Return a task's answer; whatever else the worker sent or raised is a WorkerError."""
        job, worker = task.job, task.worker.name
        try:
            sent = self.futures[task.key].result(LOST_WORKER_TIMEOUT)
            return read_answer(sent, job, makes=task.makes)
        except (TimeoutError, CancelledError, KilledWorker):
            self._must_be_there()
            return Answer(error=JobCancelledError("the worker was lost"))
        except WorkerError as error:
            return Answer(error=error)
        except Exception as error:  # noqa: BLE001  # whatever the worker's Dask or polytab raised
            refused = take_refused()
            why = f"it sent `{refused}`, an object" if refused else repr(error)
            msg = f"{job.name}: the worker {worker} could not run it: {why}"
            hint = "it must have the same polytab and Dask as this machine"
            return Answer(error=WorkerError(msg, file=job.script.path, hint=hint))

    def _tell(self, kind: EventKind, task: Task, text: str) -> None:
        name = task.worker.name if self.config.scheduler else None
        now = time.monotonic()
        left = self.dispatcher.estimate_seconds_left(
            {key: now - began for key, began in self.began.items()}
        )
        self.report(Event(kind, text, task.job, name, left))

    def _let_go(self) -> None:
        """Release all tasks, and wait until workers have ended those that still ran."""
        keys = set(self.futures)
        for future in self.futures.values():
            future.release()
        self.futures.clear()
        end = time.monotonic() + _RELEASE_TIMEOUT
        while (
            keys and not self.silent and self.client.status == "running" and time.monotonic() < end
        ):
            try:
                left = end - time.monotonic()  # a worker may not answer either
                at_work = self.client.run(
                    still_at_work, keys, on_error="ignore", callback_timeout=left
                )
                if not any(at_work.values()):
                    return
            except Exception:  # noqa: BLE001  # a worker may answer anything; it is not waited for
                return
            time.sleep(0.05)


def _can(info: dict[str, Any]) -> bool:
    return bool(info["status"] == "running" and info["resources"].get(MACHINE, 0) >= 1)


def _worker(address: str, info: dict[str, Any]) -> Worker:
    gpus, slots = int(info["resources"].get(GPU, 0)), int(info["nthreads"])
    if not (1 <= slots <= MOST_AT_ONCE and 0 <= gpus <= MOST_AT_ONCE):
        raise ValueError(slots, gpus)
    return Worker(str(address), str(info["name"])[:LONGEST_STEP], slots, gpus)


def _nobody(config: RunConfig) -> WorkerError:
    msg = f"the scheduler {config.scheduler} has no worker that advertises a machine"
    hint = f"start one: `polytab worker {config.scheduler}`"
    return WorkerError(msg, hint=hint)
