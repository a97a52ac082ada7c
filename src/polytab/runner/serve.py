"""How a machine offers itself to a scheduler: as a Dask worker that says what it really has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from polytab.model import CUDA
from polytab.runner.devices import this_machine
from polytab.runner.place import LOOPBACK, host_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.runner.place import Certificates


QUIET: dict[str, object] = {
    "distributed.worker.http.routes": [],  # Dask cannot do without this port; it answers nothing
    "distributed.worker.memory.spill": False,
    "distributed.worker.profile.enabled": False,  # a measurement has the machine alone
    "distributed.admin.tick.interval": "500ms",
}
"""How a worker is set, here and elsewhere, so that it takes no processor time to speak of."""


def quiet_variables() -> dict[str, str]:
    """Spell these settings as Dask reads them from the variables of a process."""
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
    """Spell the `dask worker` of this machine; `rest` goes to it as it is."""
    machine = this_machine(CUDA)
    host = host_of(scheduler)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler]
    command += ["--nthreads", str(jobs or machine.cores), "--nworkers", "1", "--memory-limit", "0"]
    command += ["--resources", f"machine=1 gpu={len(machine.gpus)}"]
    command += ["--preload", "polytab.runner.worker"]  # what is missing is told at once
    command += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    if host in LOOPBACK:
        command += ["--host", host]
    if name is not None:
        command += ["--name", name]
    if certificates is not None:
        command += ["--tls-ca-file", str(certificates.ca)]
        command += ["--tls-cert", str(certificates.certificate)]
        command += ["--tls-key", str(certificates.key)]
    return [*command, *rest]
