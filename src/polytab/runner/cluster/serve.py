"""Run this machine's Dask worker, which tells the scheduler how many cores and GPUs it has.

Laws, guarded by tests/runner/cluster/test_serve.py and tests/runner/cluster/test_hosts.py: a
machine offers itself once; it comes back after it was cut off; nothing of it outlives it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from polytab.errors import WorkerError
from polytab.model import CUDA
from polytab.runner.guard import guarded
from polytab.runner.machine import require_linux, this_machine
from polytab.runner.run_config import LOOPBACK, host_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.runner.run_config import Certificates

_LOST_SCHEDULER_TIMEOUT = "300"
"""Seconds until a worker gives up that reaches no scheduler, or none again."""

_WORKER_EXIT_TIMEOUT = 30
"""Seconds a worker has to end what it does, once it is told to."""

QUIET: dict[str, object] = {
    "distributed.worker.http.routes": [],  # Dask cannot do without this port; it answers nothing
    "distributed.worker.memory.spill": False,
    "distributed.worker.profile.enabled": False,  # a measurement has the machine alone
    "distributed.admin.tick.interval": "500ms",
}
"""Dask's settings of a worker, here and elsewhere, so that it hardly takes processor time."""


def quiet_variables() -> dict[str, str]:
    """Return these settings as environment variables of Dask."""
    return {
        f"DASK_{name.upper().replace('.', '__').replace('-', '_')}": repr(value)
        for name, value in QUIET.items()
    }


def worker_command(
    scheduler: str,
    certificates: Certificates | None = None,
    name: str | None = None,
    jobs: int | None = None,
    rest: Sequence[str] = (),
) -> list[str]:
    """Return the command of this machine's `dask worker`; `rest` is appended as it is.

    Raises PlatformError where this is not Linux, UsageError where the address is none.
    """
    require_linux()
    machine = this_machine(CUDA)
    host = host_of(scheduler)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler]
    command += ["--nthreads", str(jobs or machine.cores), "--nworkers", "1", "--memory-limit", "0"]
    command += ["--resources", f"machine=1 gpu={len(machine.gpus)}"]
    command += ["--preload", "polytab.runner.cluster.worker"]  # what is missing is told at once
    command += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    command += ["--death-timeout", _LOST_SCHEDULER_TIMEOUT]
    if host in LOOPBACK:
        command += ["--host", host]
    if name is not None:
        command += ["--name", name]
    if certificates is not None:
        command += ["--tls-ca-file", str(certificates.ca)]
        command += ["--tls-cert", str(certificates.certificate)]
        command += ["--tls-key", str(certificates.key)]
    return [*command, *rest]


def serve(command: Sequence[str], variables: Mapping[str, str]) -> None:
    """Run a worker until a signal comes; start it again where it has lost its scheduler.

    Raises WorkerError where another worker runs on this machine, or where this one fails, as it
    does when it has found no scheduler for _LOST_SCHEDULER_TIMEOUT seconds.
    """
    file = Path(tempfile.gettempdir()) / ".polytab-worker.lock"
    lock = FileLock(file)
    try:
        lock.acquire(blocking=False)
    except (Timeout, PermissionError):
        msg = "another `polytab worker` speaks for this machine already"
        hint = f"one is enough: --jobs says how many jobs it runs at once ({file})"
        raise WorkerError(msg, hint=hint) from None
    token = uuid.uuid4().hex
    with lock, guarded(token):
        code = 0
        while not code:  # Dask's worker ends well where its scheduler was lost
            code = _once(command, {**variables, "POLYTAB_WORKER": token})
    msg = f"the worker ended (exit status {code})"
    raise WorkerError(msg, hint="look at what it said above, and whether the scheduler is there")


def _once(command: Sequence[str], variables: Mapping[str, str]) -> int:
    with subprocess.Popen(command, env=variables) as process:
        try:
            return process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(_WORKER_EXIT_TIMEOUT)
                except subprocess.TimeoutExpired:
                    process.kill()
