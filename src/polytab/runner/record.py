"""Run jobs and save each recording as it arrives, so that none is lost to a later one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.recordings import save_recording
from polytab.runner.events import Event
from polytab.runner.found import run_found

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from polytab.model import Job
    from polytab.runner.perform import Outcome
    from polytab.runner.place import Place


def run_jobs(
    jobs: Sequence[Job], place: Place, report: Callable[[Event], None]
) -> Generator[Outcome, None, None]:
    """Run jobs in their pinned environments, or in the one that the place has found."""
    if place.interpreter is None:
        from polytab.runner.cluster import run_jobs as run  # noqa: PLC0415  # it needs Dask

        yield from run(jobs, place, report)
    else:
        yield from run_found(jobs, place.interpreter, report)


def record(
    jobs: Sequence[Job], place: Place, folder: Path, report: Callable[[Event], None]
) -> Generator[Outcome, None, None]:
    """Run jobs, save what they give, and give the outcomes in the order of their ends."""
    for ended in run_jobs(jobs, place, report):
        outcome = _save(ended, folder)
        if outcome.recording is None:
            report(Event("failed", "failed", outcome.job))
        else:
            seconds = outcome.recording.provenance.seconds
            report(Event("recorded", f"recorded in {seconds:.0f} s", outcome.job))
        yield outcome


def _save(outcome: Outcome, folder: Path) -> Outcome:
    """Save what a job gave; what cannot be saved is an error like any other."""
    if outcome.recording is not None:
        try:
            save_recording(folder, outcome.recording)
        except PolytabError as error:
            return replace(outcome, recording=None, error=error)
    return outcome
