"""Scripts x environments x recordings -> jobs, each with the reason it must run, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from polytab.errors import RecordingError
from polytab.model import CPU, Job
from polytab.pins import read_environment
from polytab.recordings import load_recording, recording_path
from polytab.snippets import load_scripts, make_key

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
    scripts = load_scripts(settings, pages, frameworks)
    return tuple(find(settings, script, device, stores).job for script in scripts)


def find(
    settings: Settings, script: Script, device: str = CPU, stores: Sequence[Path] = ()
) -> Found:
    """Find the recording a page shows: a fresh one first, the author's own before the committed.

    Where `stores` are named, only these are looked into.
    """
    environment = read_environment(settings, script.framework, device)
    package = settings.framework(script.framework).package
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
        if recording and recording.key.digest == job.key.digest:
            if [(cell.label, cell.code) for cell in recording.cells] != _code(script):
                message = "this recording has the key of other code than it holds"
                problem = RecordingError(message, file=path, hint=f"remove it, {_AGAIN}")
                continue
            return Found(replace(job, seconds=recording.provenance.seconds), recording)
        stale = stale or recording
    if stale is not None:
        reason = difference(stale.key, job.key)
    elif problem is not None:
        reason = problem.message
    else:
        reason = "there is no recording yet"
    seconds = None if stale is None else stale.provenance.seconds
    return Found(replace(job, reason=reason, seconds=seconds), stale, problem)


def _code(script: Script) -> list[tuple[str, str]]:
    return [(cell.label, cell.code) for cell in script.cells]


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
