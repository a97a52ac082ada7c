"""Fetch or run jobs, and save each recording as it arrives, so that none is lost to a later one.

The shared store is asked here, before anything is handed to workers: they need not reach it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.recordings.files import save_recording
from polytab.recordings.plain_text import doubts_of
from polytab.runner.environments import existing_environment
from polytab.runner.events import Event, Outcome
from polytab.runner.machine import choose_gpus, require_linux, this_machine
from polytab.runner.perform import perform
from polytab.runner.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from pathlib import Path

    from polytab.model import Job
    from polytab.runner.run_config import RunConfig


def run_jobs(
    jobs: Sequence[Job], config: RunConfig, report: Callable[[Event], None]
) -> Generator[Outcome, None, None]:
    """Run jobs in their pinned environments, or in the existing one of the config's interpreter.

    Raises PlatformError before any runs where this is not Linux.
    """
    require_linux()
    jobs = [replace(job, confine=config.confine) for job in jobs]
    if config.interpreter is None:
        from polytab.runner.cluster.run import run_jobs as run  # noqa: PLC0415  # it needs Dask

        yield from run(jobs, config, report)
    else:
        yield from _run_in_existing(jobs, config.interpreter, report)


def _run_in_existing(
    jobs: Iterable[Job], interpreter: Path, report: Callable[[Event], None]
) -> Iterator[Outcome]:
    """Run jobs one after another with an interpreter's packages; this needs no Dask or network."""
    for job in jobs:
        report(Event("starts", f"runs, because {job.reason}" if job.reason else "runs", job))

        def say(text: str, job: Job = job) -> None:
            report(Event("says", text, job))

        try:
            gpus = choose_gpus(job, this_machine(job.environment.device))
            installed = existing_environment(interpreter, job.package)
            outcome = Outcome(job, perform(job, installed, say, gpus=gpus))
        except PolytabError as error:
            outcome = Outcome(job, error=error)
        yield outcome


def record(
    jobs: Sequence[Job],
    config: RunConfig,
    folder: Path,
    report: Callable[[Event], None],
    *,
    again: bool = False,
) -> Generator[Outcome, None, None]:
    """Save what the store has, unless all is to run again; run the others and save those."""
    store = Store(config.store, report, reads=not again) if config.store else None
    missing: list[Job] = []
    for job in jobs:
        there = store and store.fetch(job)
        if there:
            outcome = _save(Outcome(job, there, fetched=True), folder)
            _tell(outcome, report)
            yield outcome
        else:
            missing.append(job)
    for ended in run_jobs(missing, config, report) if missing else ():
        outcome = _save(ended, folder)
        _tell(outcome, report)
        if store and outcome.recording:
            store.keep(outcome.recording)
        yield outcome


def _tell(outcome: Outcome, report: Callable[[Event], None]) -> None:
    if outcome.recording is None:
        report(Event("failed", "failed", outcome.job))
        return
    made = outcome.recording.provenance
    if outcome.fetched:
        text = f"from the store, recorded on {made.date} on {made.hardware}"
        report(Event("fetched", text, outcome.job))
    else:
        for cell in outcome.recording.cells:
            for text in cell.warned:
                report(Event("warned", f"cell `{cell.label}` logged: {text}", outcome.job))
        for text in doubts_of(outcome.recording):
            report(Event("warned", text, outcome.job))
        report(Event("recorded", f"recorded in {made.seconds:.0f} s", outcome.job))


def _save(outcome: Outcome, folder: Path) -> Outcome:
    """Save what a job gave; what cannot be saved is an error like any other."""
    if outcome.recording is not None:
        try:
            save_recording(folder, outcome.recording)
        except PolytabError as error:
            return replace(outcome, recording=None, error=error)
    return outcome
