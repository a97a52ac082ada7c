"""Many jobs on Dask: on this machine, or on the cluster of a scheduler. There is one way for both.

What must hold whatever happens to workers is decided in `dispatch`; here it is asked and told.
"""

from __future__ import annotations

import logging
import queue
import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

import dask
from distributed import CancelledError, Client, KilledWorker, LocalCluster, Security

from polytab.errors import DeviceError, PolytabError, Unwanted, WorkerError
from polytab.model import CPU, CUDA, Recording
from polytab.runner.devices import hand_out, this_machine
from polytab.runner.dispatch import Dispatcher, Task, Worker
from polytab.runner.events import Event
from polytab.runner.perform import Outcome
from polytab.runner.place import host_of
from polytab.runner.serve import QUIET
from polytab.runner.worker import TOPIC, make, still_at_work, work

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from distributed import Future

    from polytab.model import Job
    from polytab.runner.devices import Machine
    from polytab.runner.place import Certificates, Place

MACHINE, GPU = "machine", "gpu"
"""What a worker has: one machine, and so many GPUs."""

_SHARE = 1 / 1024
"""What an ordinary job takes of a machine: its threads limit how many run at once."""

_PATIENCE = 60.0
"""Seconds until we give up waiting for a first worker, or for another once all are lost."""

_ANSWER = 10.0
"""Seconds until we give up reaching a scheduler."""

_GLANCE = 0.5
"""Seconds between two looks at the workers."""


def run_jobs(
    jobs: Sequence[Job], place: Place, report: Callable[[Event], None]
) -> Generator[Outcome, None, None]:
    """Run jobs, and give each outcome as it arrives; leaving early ends all that still runs."""
    unique = {job.key.digest: job for job in jobs}
    here = place.scheduler is None
    machine = this_machine(CUDA if here and any(job.gpus for job in jobs) else CPU)
    if here:  # what this machine lacks is told with the reason, before anything is started
        for key, job in list(unique.items()):
            try:
                hand_out(job, machine)
            except DeviceError as error:
                yield Outcome(unique.pop(key), error=error)
    if unique:
        with _connected(place, machine) as client:
            yield from _Session(client, place, report, Dispatcher([*unique.values()])).outcomes()


@contextmanager
def _connected(place: Place, machine: Machine) -> Iterator[Client]:
    quiet = logging.CRITICAL  # what matters of what Dask says, we say
    logging.getLogger("distributed").setLevel(quiet)
    if place.scheduler is None:
        with (
            _local(place, machine, quiet) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    host_of(place.scheduler)
    security = _security(place.certificates)
    try:
        client = Client(place.scheduler, security=security, set_as_default=False, timeout=_ANSWER)
    except (OSError, ValueError, RuntimeError) as error:
        msg = f"the scheduler {place.scheduler} cannot be reached: {error}"
        raise WorkerError(msg, hint="look at its address, its certificates and its log") from None
    with client:
        yield client


@contextmanager
def _local(place: Place, machine: Machine, quiet: int) -> Iterator[LocalCluster]:
    """Make this machine a cluster: threads of ours, as kernels are processes anyway; no ports."""
    settings: dict[str, object] = {
        **QUIET,
        "distributed.scheduler.http.routes": [],  # Dask cannot do without its port
        "temporary-directory": str(place.build / "dask"),
    }
    with warnings.catch_warnings(), dask.config.set(settings):
        warnings.filterwarnings("ignore", "Couldn't detect a suitable IP", RuntimeWarning)
        cluster = LocalCluster(
            name=None,
            n_workers=1,
            processes=False,
            threads_per_worker=place.jobs or machine.cores,
            resources={MACHINE: 1, GPU: len(machine.gpus)},
            memory_limit=0,
            silence_logs=quiet,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
        )
    with cluster:
        yield cluster


def _security(certificates: Certificates | None) -> Security:
    """Return how we talk to a scheduler; where nothing is said, as Dask's configuration says."""
    if certificates is None:
        return Security()
    certificate, key = str(certificates.certificate), str(certificates.key)
    return Security(
        require_encryption=True,
        tls_ca_file=str(certificates.ca),
        tls_client_cert=certificate,
        tls_client_key=key,
    )


@dataclass
class _Message:
    """What reached us from a cluster: a task says something, or has ended."""

    kind: Literal["says", "ends"]
    key: str
    text: str = ""


@dataclass
class _Session:
    """One client's dealings with a cluster, until all jobs have ended."""

    client: Client
    place: Place
    report: Callable[[Event], None]
    dispatcher: Dispatcher
    inbox: queue.Queue[_Message] = field(default_factory=queue.Queue)
    futures: dict[str, Future] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    looked: float = -inf
    alone_since: float | None = None

    def outcomes(self) -> Iterator[Outcome]:
        """Run all that waits to its end, and give what became of each job."""
        self.client.subscribe_topic(TOPIC, self._hear)
        try:
            while self.dispatcher.waiting or self.dispatcher.running:
                self._meet()
                for job, error in self.dispatcher.hopeless():
                    yield Outcome(job, error=error)
                while task := self.dispatcher.next():
                    self._submit(task)
                try:
                    message = self.inbox.get(timeout=_GLANCE)
                except queue.Empty:
                    continue
                yield from self._read(message)
        finally:
            self._let_go()

    def _hear(self, event: tuple[float, dict[str, str]]) -> None:
        """Take what a worker says; Dask calls this in a thread of its own."""
        _, message = event
        self.inbox.put(_Message("says", message["key"], message["text"]))

    def _meet(self) -> None:
        """Look every now and then which workers there are, and tell of those that were lost."""
        now = time.monotonic()
        if now - self.looked < _GLANCE:
            return
        self.looked = now
        if self.client.status != "running":
            msg = f"the scheduler {self.place.scheduler} was lost"
            raise WorkerError(msg, hint="what was recorded is kept; run it again for the rest")
        known = self.client.scheduler_info(n_workers=-1)["workers"].items()
        for task in self.dispatcher.meet(_worker(*each) for each in known if _can(each[1])):
            self._lost(task)
        if self.dispatcher.workers:
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now
            self.report(Event("waits", "waits for workers"))
        elif now - self.alone_since > _PATIENCE:
            raise _nobody(self.place)

    def _lost(self, task: Task) -> None:
        self.futures.pop(task.key).release()
        self._tell("lost", task, f"its worker {task.worker.name} was lost")

    def _submit(self, task: Task) -> None:
        job = replace(task.job, reason=None, seconds=None)  # equal keys, equal tasks
        future = self.client.submit(
            make if task.makes else work,
            job,
            self.place.envs,
            key=task.key,
            workers=[task.worker.address],
            resources={MACHINE: 1 if task.alone else _SHARE, GPU: task.gpus},
        )
        self.futures[task.key] = future
        if not task.makes:
            self.began[task.key] = time.monotonic()
        future.add_done_callback(lambda _: self.inbox.put(_Message("ends", task.key)))
        if not task.makes:
            why = task.job.reason
            self._tell("starts", task, f"runs, because {why}" if why else "runs")

    def _read(self, message: _Message) -> Iterator[Outcome]:
        """Act on a message; one of a task that is no longer ours says nothing."""
        task = self.dispatcher.running.get(message.key)
        if task is None:
            return
        if message.kind == "says":
            if message.text:
                self._tell("makes" if task.makes else "says", task, message.text)
            return
        result = self._result(task)
        if isinstance(result, Unwanted):
            self.dispatcher.lose(task)
            self._lost(task)
        elif task.makes:
            self.futures.pop(task.key)
            self.dispatcher.made(task, result if isinstance(result, PolytabError) else None)
        else:
            self.futures.pop(task.key)
            self.dispatcher.ended(task)
            if isinstance(result, Recording):
                yield Outcome(task.job, result)
            else:
                yield Outcome(task.job, error=result)

    def _result(self, task: Task) -> Recording | PolytabError | None:
        """Return what a task gave; a failure that is not ours is told like one."""
        try:
            result: Recording | PolytabError | None = self.futures[task.key].result(_PATIENCE)
        except (TimeoutError, CancelledError, KilledWorker):
            return Unwanted("the worker was lost")
        except Exception as error:  # noqa: BLE001  # whatever the worker's Dask or polytab raised
            msg = f"{task.job.name}: the worker {task.worker.name} could not run it: {error!r}"
            hint = "it must have the same polytab and Dask as this machine"
            return WorkerError(msg, file=task.job.script.path, hint=hint)
        return result

    def _tell(self, kind: Any, task: Task, text: str) -> None:  # noqa: ANN401
        name = task.worker.name if self.place.scheduler else None
        now = time.monotonic()
        left = self.dispatcher.left({key: now - began for key, began in self.began.items()})
        self.report(Event(kind, text, task.job, name, left))

    def _let_go(self) -> None:
        """Want nothing any more, and wait until what still ran has ended."""
        keys = set(self.futures)
        for future in self.futures.values():
            future.release()
        self.futures.clear()
        end = time.monotonic() + _PATIENCE
        while keys and self.client.status == "running" and time.monotonic() < end:
            at_work = self.client.run(still_at_work, keys, on_error="ignore")
            if not any(at_work.values()):
                return
            time.sleep(0.05)


def _can(info: dict[str, Any]) -> bool:
    return bool(info["status"] == "running" and info["resources"].get(MACHINE, 0) >= 1)


def _worker(address: str, info: dict[str, Any]) -> Worker:
    gpus = int(info["resources"].get(GPU, 0))
    return Worker(address, str(info["name"]), info["nthreads"], gpus)


def _nobody(place: Place) -> WorkerError:
    msg = f"the scheduler {place.scheduler} has no worker that advertises a machine"
    hint = f"start one: `polytab worker {place.scheduler}`"
    return WorkerError(msg, hint=hint)
