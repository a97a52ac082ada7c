"""Run stale jobs one after another and save what they give.

A script that measures is run in several fresh processes, and one after another means that it has
the machine alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from polytab.errors import DeviceError, InstallError, MeasurementError, PolytabError
from polytab.measurements import measurements_of
from polytab.pins import with_found
from polytab.pooling import PROCESSES, pool_recordings
from polytab.recordings import save_recording
from polytab.runner.devices import hand_out, this_machine
from polytab.runner.environments import ensure, find_environment
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
        """Whether this machine lacks the environment or the device: no fault of the script's."""
        return isinstance(self.error, (InstallError, DeviceError))


def execute(
    settings: Settings,
    job: Job,
    report: Callable[[str], None],
    interpreter: Path | None = None,
) -> Outcome:
    """Run one job in its environment, or in that of an interpreter as it is found.

    An error is an outcome, an interrupt is not.
    """
    processes = PROCESSES if job.script.needs.measures else 1
    device = job.environment.device
    try:
        gpus = hand_out(job, this_machine(device))  # before anything is installed for them
        package = settings.framework(job.script.framework).package_on(device)
        if interpreter is None:
            installed = ensure(job.environment, settings.build / "envs", report)
        else:
            installed = find_environment(interpreter, package)
        if package is not None and package not in installed.packages:
            msg = f"`{package}` is not among the packages of `{job.environment.framework}`"
            hint = "pin it, or mend `package` in [tool.polytab.frameworks]"
            raise InstallError(msg, file=job.environment.path, hint=hint)
        recordings: list[Recording] = []
        for number in range(1, processes + 1):
            of = f"process {number} of {processes}, " if processes > 1 else ""
            recordings.append(run(job, installed, package, partial(_report_of, report, of), gpus))
        pooled = pool_recordings(recordings)
        if installed.found:
            pooled = _as_found(pooled, installed.versions(job.environment))
        measurements_of(pooled)  # what pages will refuse is refused here
        return Outcome(job, pooled)
    except MeasurementError as error:
        msg = f"{job.name}: {error.message}"
        placed = MeasurementError(msg, file=job.script.path, hint=error.hint)
        return Outcome(job, error=placed)
    except PolytabError as error:
        return Outcome(job, error=error)


def _as_found(recording: Recording, versions: tuple[tuple[str, str], ...]) -> Recording:
    """Write down that no pins had a say, and what was found in their place."""
    provenance = replace(recording.provenance, found=versions)
    return replace(recording, key=with_found(recording.key, versions), provenance=provenance)


def _report_of(report: Callable[[str], None], of: str, text: str) -> None:
    report(f"{of}{text}")


def record(
    settings: Settings,
    jobs: Iterable[Job],
    folder: Path,
    report: Callable[[Job, str], None],
    interpreter: Path | None = None,
) -> tuple[Outcome, ...]:
    """Run jobs in order and save each recording at once, so that none is lost to a later one."""
    outcomes: list[Outcome] = []
    impossible: dict[str, PolytabError] = {}
    for job in jobs:
        report(job, f"runs, because {job.reason}" if job.reason else "runs")
        environment = job.environment.digest
        if environment in impossible:  # it was tried for another page
            outcome = Outcome(job, error=impossible[environment])
        else:
            outcome = _save(execute(settings, job, partial(report, job), interpreter), folder)
        if isinstance(outcome.error, InstallError):
            impossible[environment] = outcome.error
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
