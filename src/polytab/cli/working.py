"""The verb of a machine that works for others."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from polytab.runner.place import certificates_of
from polytab.runner.serve import quiet_variables, worker_command

if TYPE_CHECKING:
    from argparse import Namespace


def worker(options: Namespace) -> int:
    """Become a Dask worker that says what this machine has; it ends by a signal."""
    certificates = certificates_of(options.tls_ca, options.tls_cert, options.tls_key)
    command = worker_command(
        options.scheduler, certificates, options.name, options.jobs, options.rest
    )
    variables = {**quiet_variables(), **os.environ}
    if options.envs is not None:
        variables["POLYTAB_ENVS"] = str(options.envs.resolve())
    sys.stdout.flush()
    os.execve(command[0], command, variables)  # noqa: S606  # it takes our place, signals and all
