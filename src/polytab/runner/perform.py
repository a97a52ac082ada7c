"""Do one job on this machine: make its environment, run it in kernels, return its recording."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polytab.errors import InstallError, MeasurementError
from polytab.recordings.measurements import measurements_of
from polytab.recordings.pooling import PROCESSES, pool_recordings
from polytab.runner.environments import ensure
from polytab.runner.events import never_cancelled
from polytab.runner.kernel.run import run
from polytab.scripts.keys import with_found_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from polytab.model import Job, Recording
    from polytab.runner.environments import Installed
    from polytab.runner.machine import Gpu


def perform(
    job: Job,
    installed: Installed,
    report: Callable[[str], None],
    cancelled: Callable[[], bool] = never_cancelled,
    gpus: Sequence[Gpu] = (),
) -> Recording:
    """Run a job; one that measures in several fresh processes, whose samples are pooled."""
    processes = PROCESSES if job.script.needs.measures else 1
    recordings: list[Recording] = []
    for number in range(1, processes + 1):
        of = f"process {number} of {processes}, " if processes > 1 else ""

        def say(text: str, of: str = of) -> None:
            report(f"{of}{text}")

        recordings.append(run(job, installed, say, cancelled, gpus))
    try:
        pooled = pool_recordings(recordings)
        measurements_of(pooled)  # what pages will refuse is refused here
    except MeasurementError as error:
        msg = f"{job.name}: {error.message}"
        raise MeasurementError(msg, file=job.script.path, hint=error.hint) from None
    return _as_found(pooled, installed.versions(job.environment)) if installed.existing else pooled


def _as_found(recording: Recording, versions: tuple[tuple[str, str], ...]) -> Recording:
    """Note in the recording that it was made without pins, and with which versions."""
    provenance = replace(recording.provenance, found=versions)
    return replace(
        recording, key=with_found_versions(recording.key, versions), provenance=provenance
    )


def equip(
    job: Job,
    envs: Path,
    report: Callable[[str], None],
    cancelled: Callable[[], bool] = never_cancelled,
) -> Installed:
    """Make or reuse a job's environment, which must hold the package the recording names."""
    installed = ensure(job.environment, envs, report, cancelled)
    differences = installed.differences(job.environment)
    if differences:
        report(f"its environment is not what is pinned: {differences}")
    if job.package is not None and job.package not in installed.packages:
        msg = f"`{job.package}` is not among the packages of `{job.environment.framework}`"
        hint = "pin it, or mend `package` in [tool.polytab.frameworks]"
        raise InstallError(msg, file=job.environment.path, hint=hint)
    return installed
