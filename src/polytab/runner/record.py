"""Run stale jobs one after another and save what they give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from polytab.errors import InstallError, PolytabError
from polytab.recordings import save_recording
from polytab.runner.environments import ensure
from polytab.runner.kernel import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from polytab.model import Job, Recording
    from polytab.settings import Settings


@dataclass(frozen=True)
class Outcome:
    """What became of a job: its recording, or the error that kept it from having one."""

    job: Job
    recording: Recording | None = None
    error: PolytabError | None = None

    @property
    def impossible_here(self) -> bool:
        """Whether this machine cannot have the environment: no fault of the script's."""
        return isinstance(self.error, InstallError)


def execute(settings: Settings, job: Job, report: Callable[[str], None]) -> Outcome:
    """Run one job in its environment; an error is an outcome, an interrupt is not."""
    try:
        installed = ensure(job.environment, settings.build / "envs", report)
        package = settings.framework(job.script.framework).package
        return Outcome(job, run(job, installed, package, report))
    except PolytabError as error:
        return Outcome(job, error=error)


def record(
    settings: Settings, jobs: Iterable[Job], folder: Path, report: Callable[[Job, str], None]
) -> tuple[Outcome, ...]:
    """Run jobs in order and save each recording at once, so that none is lost to a later one."""
    outcomes: list[Outcome] = []
    for job in jobs:
        report(job, f"runs, because {job.reason}" if job.reason else "runs")
        outcome = _save(execute(settings, job, partial(report, job)), folder)
        if outcome.recording is not None:
            report(job, f"recorded in {outcome.recording.provenance.seconds:.0f} s")
        else:
            report(job, "failed")
        outcomes.append(outcome)
    return tuple(outcomes)


def _save(outcome: Outcome, folder: Path) -> Outcome:
    """Save what a job gave; what cannot be saved is an error like any other."""
    if outcome.recording is not None:
        try:
            save_recording(folder, outcome.recording)
        except PolytabError as error:
            return Outcome(outcome.job, error=error)
    return outcome
