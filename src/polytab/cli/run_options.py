"""The options of a command that say how jobs are run -> `RunConfig`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.errors import UsageError
from polytab.runner.run_config import RunConfig, certificates_of, host_of
from polytab.settings import CONFINE, store_address_problem

if TYPE_CHECKING:
    from argparse import Namespace

    from polytab.settings import Settings

STORE = "POLYTAB_STORE"
CONFINED = "POLYTAB_CONFINE"


def run_config_of(settings: Settings, options: Namespace) -> RunConfig:
    """Return how a command wants its jobs to be run; UsageError where options contradict."""
    certificates = certificates_of(options.tls_ca, options.tls_cert, options.tls_key)
    if options.scheduler is not None:
        host_of(options.scheduler)
    interpreter = _interpreter(options)
    store = None if interpreter else store_address(settings)
    return RunConfig(
        settings.build,
        options.scheduler,
        certificates,
        options.jobs,
        interpreter,
        store,
        _confine(settings),
    )


def _confine(settings: Settings) -> str:
    """Return whether kernels are confined: what POLYTAB_CONFINE says, else the settings."""
    word = os.environ.get(CONFINED) or settings.confine
    if word not in CONFINE:
        msg = f"{CONFINED} cannot be `{word}`"
        raise UsageError(msg, hint=f"it is one of: {', '.join(CONFINE)}")
    return word


def store_address(settings: Settings) -> str | None:
    """Return the shared store's address: that of POLYTAB_STORE, else of the settings, or None."""
    address = os.environ.get(STORE)
    if address is None:
        return settings.store
    complaint = store_address_problem(address) if address else None
    if complaint:
        hint = f"mend {STORE}; credentials stand where fsspec's file systems look for them"
        raise UsageError(complaint, hint=hint)
    return address or None


def _interpreter(options: Namespace) -> Path | None:
    """Return the interpreter that `--environment` names; None where it names none."""
    word: str | None = vars(options).get("environment")
    if word is None:
        return None
    if options.scheduler is not None or options.jobs is not None:
        msg = "with `--environment` jobs run one after another, on this machine"
        raise UsageError(msg, hint="leave it out, or leave out --scheduler and --jobs")
    return Path(sys.executable if word == "current" else word).absolute()
