"""The verb of a machine that works for others."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from polytab.runner.cluster.serve import quiet_variables, serve, worker_command
from polytab.runner.run_config import certificates_of

if TYPE_CHECKING:
    from argparse import Namespace


def worker(options: Namespace) -> int:
    """Offer this machine to a scheduler until a signal comes."""
    certificates = certificates_of(options.tls_ca, options.tls_cert, options.tls_key)
    command = worker_command(
        options.scheduler, certificates, options.name, options.jobs, options.rest
    )
    variables = {**quiet_variables(), **os.environ}
    if options.envs is not None:
        variables["POLYTAB_ENVS"] = str(options.envs.resolve())
    sys.stdout.flush()
    with contextlib.suppress(KeyboardInterrupt):  # it was told to end, and has
        serve(command, variables)
    return 0
