"""Run jobs one after another in an environment that is there: this installs and needs nothing.

A GPU machine, as it is lent, has a framework that fits its driver, and neither Dask nor a network.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.runner.environments import find_environment
from polytab.runner.events import Event
from polytab.runner.machine import hand_out, this_machine
from polytab.runner.perform import Outcome, perform

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from pathlib import Path

    from polytab.model import Job


def run_found(
    jobs: Iterable[Job], interpreter: Path, report: Callable[[Event], None]
) -> Generator[Outcome, None, None]:
    """Run jobs in the environment of an interpreter, and give what became of each."""
    for job in jobs:
        report(Event("starts", f"runs, because {job.reason}" if job.reason else "runs", job))
        yield _outcome(job, interpreter, partial(_say, report, job))


def _outcome(job: Job, interpreter: Path, report: Callable[[str], None]) -> Outcome:
    """Run one job; an error is an outcome, an interrupt is not."""
    try:
        gpus = hand_out(job, this_machine(job.environment.device))
        installed = find_environment(interpreter, job.package)
        return Outcome(job, perform(job, installed, report, gpus=gpus))
    except PolytabError as error:
        return Outcome(job, error=error)


def _say(report: Callable[[Event], None], job: Job, text: str) -> None:
    report(Event("says", text, job))
