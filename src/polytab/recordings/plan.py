"""Scripts x environments x recordings -> jobs, each with the reason it must run, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from polytab.errors import RecordingError, SettingsError, UsageError
from polytab.model import CPU, Job, SideFile
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.measurements import measurements_of
from polytab.scripts.keys import difference, expected_key, make_key
from polytab.scripts.load import load_scripts
from polytab.scripts.pins import pins_path, read_environment, why_not

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from polytab.model import Framework, Measurement, Recording, Script
    from polytab.settings import Settings

_AGAIN = "and have the script recorded again"


@dataclass(frozen=True)
class ScriptState:
    """What the folders hold for a script: the best recording, and why it is not fresh."""

    job: Job
    recording: Recording | None
    error: RecordingError | None = None

    @property
    def fresh(self) -> bool:
        """Whether the recording has the key and the code that the script has now.

        The pins are not compared where it was made in an environment as it was found.
        """
        return self.job.reason is None

    @cached_property
    def measurements(self) -> tuple[Measurement, ...]:
        """What the recording measured, read once; raises MeasurementError, with the cell."""
        return measurements_of(self.recording) if self.recording else ()


def plan(
    settings: Settings,
    pages: Sequence[str] = (),
    frameworks: Sequence[str] = (),
    device: str = CPU,
    folders: Sequence[Path] = (),
) -> tuple[Job, ...]:
    """Return a job for every script, in order; a job without a reason is fresh.

    Raises UsageError for names that nothing has, ScriptError and PinsError.
    """
    scripts = scripts_on(settings, device, pages, frameworks)
    return tuple(find_recording(settings, script, device, folders).job for script in scripts)


def scripts_on(
    settings: Settings, device: str, pages: Sequence[str] = (), frameworks: Sequence[str] = ()
) -> tuple[Script, ...]:
    """Return the scripts that run on a device; UsageError where a named framework does not."""
    scripts = load_scripts(settings, pages, frameworks)
    for name in frameworks:
        reason = why_not(settings, name, device)
        if reason is not None:
            msg = f"`{name}` is not recorded on {device}: {reason}"
            raise UsageError(msg, hint="name another framework, or none")
    return tuple(each for each in scripts if why_not(settings, each.framework, device) is None)


def find_if_recorded(
    settings: Settings, script: Script, device: str, folders: Sequence[Path] = ()
) -> ScriptState | None:
    """Find the recording of a script on a device it need not run on; None if there is none.

    What lies there although the framework has no such environment is left to `polytab check`.
    """
    paths = [
        recording_path(folder, script.page, script.framework, device)
        for folder in folders or (settings.overlay, settings.recordings)
    ]
    if not any(path.is_file() for path in paths) or not may_be_recorded(settings, script, device):
        return None
    return find_recording(settings, script, device, folders)


def may_be_recorded(settings: Settings, script: Script, device: str) -> bool:
    """Tell whether a script may have a recording on a device."""
    if device == CPU:
        return True
    pinned = pins_path(settings, script.framework, device)
    return why_not(settings, script.framework, device) is None and pinned.is_file()


def find_recording(
    settings: Settings, script: Script, device: str = CPU, folders: Sequence[Path] = ()
) -> ScriptState:
    """Find the recording a page shows: a fresh one first, the author's own before the committed.

    `folders` are searched in their order: the overlay and the committed recordings, if none are
    named. Raises PinsError; a recording that cannot be read is the state's `error`.
    """
    environment = read_environment(settings, script.framework, device)
    framework = settings.framework(script.framework)
    job = Job(
        script,
        environment,
        make_key(script, environment),
        package=framework.package_on(device),
        probe=_probe(settings, framework),
        log=settings.log,
    )
    stale: Recording | None = None
    problem: RecordingError | None = None
    for folder in folders or (settings.overlay, settings.recordings):
        path = recording_path(folder, script.page, script.framework, device)
        try:
            recording = load_recording(path)
        except RecordingError as error:
            problem = problem or error
            continue
        if recording and recording.key.digest == expected_key(recording.key, job.key).digest:
            if not has_code_of(recording, script):
                message = "this recording has the key of other code than it holds"
                problem = RecordingError(message, file=path, hint=f"remove it, {_AGAIN}")
                continue
            return ScriptState(replace(job, seconds=recording.provenance.seconds), recording)
        stale = stale or recording
    if stale is not None:
        reason = difference(stale.key, expected_key(stale.key, job.key))
    elif problem is not None:
        reason = problem.message
    else:
        reason = "there is no recording yet"
    seconds = None if stale is None else stale.provenance.seconds
    return ScriptState(replace(job, reason=reason, seconds=seconds), stale, problem)


def _probe(settings: Settings, framework: Framework) -> SideFile | None:
    """Read the probe that a framework names; SettingsError if there is no such file."""
    if framework.probe is None:
        return None
    path = settings.root / framework.probe
    try:
        return SideFile(framework.probe, path.read_bytes())
    except OSError as error:
        msg = f"the probe of `{framework.name}` cannot be read: {error.strerror}"
        hint = f"mend `probe` in [tool.polytab.frameworks.{framework.name}], or write the file"
        raise SettingsError(msg, file=path, hint=hint) from None


def has_code_of(recording: Recording, script: Script) -> bool:
    """Tell whether labels and code of all cells are those of the script, whatever its key."""
    recorded = [(cell.label, cell.code) for cell in recording.cells]
    return recorded == [(cell.label, cell.code) for cell in script.cells]


def must_be_of(recording: Recording, job: Job) -> None:
    """Raise RecordingError, or MeasurementError, if a recording that came in is not this job's.

    It must be of that script with those pins, and what it measured must be readable.
    """
    script = job.script
    names = (script.page, script.framework, job.environment.device)
    if (recording.page, recording.framework, recording.device) != names:
        raise RecordingError(f"it is the recording of {recording.name}")
    if recording.key != job.key or recording.provenance.found or not has_code_of(recording, script):
        raise RecordingError("it was not made of this script with these pins")
    measurements_of(recording)
