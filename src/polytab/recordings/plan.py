"""Scripts x environments x recordings -> jobs, each with the reason it must run, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from polytab.errors import RecordingError, UsageError
from polytab.model import CPU, Job
from polytab.scripts.pins import pins_path, read_environment, standing_in, why_not
from polytab.recordings.files import load_recording, recording_path
from polytab.scripts.load import load_scripts, make_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from polytab.model import Key, Recording, Script
    from polytab.settings import Settings


@dataclass(frozen=True)
class Found:
    """What the stores hold for a script: the best recording, and why it is not fresh."""

    job: Job
    recording: Recording | None
    error: RecordingError | None = None

    @property
    def fresh(self) -> bool:
        """Whether the recording is what running the script now would give."""
        return self.job.reason is None


def plan(
    settings: Settings,
    pages: Sequence[str] = (),
    frameworks: Sequence[str] = (),
    device: str = CPU,
    stores: Sequence[Path] = (),
) -> tuple[Job, ...]:
    """Return a job for every script, in order; a job without a reason is fresh."""
    scripts = scripts_on(settings, device, pages, frameworks)
    return tuple(find(settings, script, device, stores).job for script in scripts)


def scripts_on(
    settings: Settings, device: str, pages: Sequence[str] = (), frameworks: Sequence[str] = ()
) -> tuple[Script, ...]:
    """Return the scripts that run on a device; a framework that never does must not be named."""
    scripts = load_scripts(settings, pages, frameworks)
    for name in frameworks:
        reason = why_not(settings, name, device)
        if reason is not None:
            msg = f"`{name}` is not recorded on {device}: {reason}"
            raise UsageError(msg, hint="name another framework, or none")
    return tuple(each for each in scripts if why_not(settings, each.framework, device) is None)


def recorded_on(
    settings: Settings, script: Script, device: str, stores: Sequence[Path] = ()
) -> Found | None:
    """Find what is recorded of a script on a device it need not run on; None if there is nothing.

    What lies there although the framework has no such environment is left to `polytab check`.
    """
    paths = [
        recording_path(folder, script.page, script.framework, device)
        for folder in stores or (settings.overlay, settings.recordings)
    ]
    if not any(path.is_file() for path in paths) or not has_place(settings, script, device):
        return None
    return find(settings, script, device, stores)


def has_place(settings: Settings, script: Script, device: str) -> bool:
    """Tell whether a script may have a recording on a device."""
    if device == CPU:
        return True
    pinned = pins_path(settings, script.framework, device)
    return why_not(settings, script.framework, device) is None and pinned.is_file()


def find(
    settings: Settings, script: Script, device: str = CPU, stores: Sequence[Path] = ()
) -> Found:
    """Find the recording a page shows: a fresh one first, the author's own before the committed.

    Where `stores` are named, only these are looked into.
    """
    environment = read_environment(settings, script.framework, device)
    package = settings.framework(script.framework).package_on(device)
    job = Job(script, environment, make_key(script, environment), package=package)
    stale: Recording | None = None
    problem: RecordingError | None = None
    for folder in stores or (settings.overlay, settings.recordings):
        path = recording_path(folder, script.page, script.framework, device)
        try:
            recording = load_recording(path)
        except RecordingError as error:
            problem = problem or error
            continue
        if recording and recording.key.digest == standing_in(recording.key, job.key).digest:
            if not holds(recording, script):
                message = "this recording has the key of other code than it holds"
                problem = RecordingError(message, file=path, hint=f"remove it, {_AGAIN}")
                continue
            return Found(replace(job, seconds=recording.provenance.seconds), recording)
        stale = stale or recording
    if stale is not None:
        reason = difference(stale.key, standing_in(stale.key, job.key))
    elif problem is not None:
        reason = problem.message
    else:
        reason = "there is no recording yet"
    seconds = None if stale is None else stale.provenance.seconds
    return Found(replace(job, reason=reason, seconds=seconds), stale, problem)


def holds(recording: Recording, script: Script) -> bool:
    """Tell whether a recording holds the code of a script, which its key alone does not show."""
    recorded = [(cell.label, cell.code) for cell in recording.cells]
    return recorded == [(cell.label, cell.code) for cell in script.cells]


_AGAIN = "and have the script recorded again"
_WORDS = {
    "schema": "the meaning of keys",
    "script": "the script's place",
    "needs": "what the script needs",
    "environment": "the environment",
    "order": "the order of the cells",
}


def difference(old: Key, new: Key) -> str:
    """Say in words what changed between two keys; nothing where they are equal."""
    before, after = dict(old.parts), dict(new.parts)
    parts = {**after, **before}
    if any(part.startswith("cell ") and (part in before) != (part in after) for part in parts):
        parts.pop("order", None)  # a cell that is new or gone says it better
    said: list[str] = []
    for part in parts:
        if before.get(part) != after.get(part):
            kind, _, name = part.partition(" ")
            what = f"{kind} `{name}`" if name else _WORDS.get(kind, kind)
            verb = "is new" if part not in before else "is gone" if part not in after else "changed"
            said.append(f"{what} {verb}")
    return ", ".join(said)
