"""The words of a command that say where jobs run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.errors import UsageError
from polytab.runner.place import Place, certificates_of, host_of

if TYPE_CHECKING:
    from argparse import Namespace

    from polytab.settings import Settings


def place_of(settings: Settings, options: Namespace) -> Place:
    """Return where a command wants its jobs to run; a wrong word is told before any runs."""
    certificates = certificates_of(options.tls_ca, options.tls_cert, options.tls_key)
    if options.scheduler is not None:
        host_of(options.scheduler)
    interpreter = _interpreter(options)
    return Place(settings.build, options.scheduler, certificates, options.jobs, interpreter)


def _interpreter(options: Namespace) -> Path | None:
    """Return the interpreter that `--environment` names; none is named by default."""
    word: str | None = vars(options).get("environment")
    if word is None:
        return None
    if options.scheduler is not None or options.jobs is not None:
        msg = "with `--environment` jobs run one after another, on this machine"
        raise UsageError(msg, hint="leave it out, or leave out --scheduler and --jobs")
    return Path(sys.executable if word == "current" else word).absolute()
