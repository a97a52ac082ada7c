"""What can be said of the recordings of a book without running anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import RecordingError
from polytab.model import CPU, CUDA, DEVICES, Finding
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.plain_text import doubts_of
from polytab.recordings.plan import find_if_recorded, find_recording, may_be_recorded
from polytab.recordings.strays import find_strays
from polytab.scripts.load import load_scripts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from polytab.model import Script
    from polytab.settings import Settings


@dataclass(frozen=True)
class RecordingsCheck:
    """What is wrong with recordings; in `notes` what is stale, varies or misleads, a line each."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


def check_recordings(settings: Settings) -> RecordingsCheck:
    """Compare the committed recordings with the scripts; raises ScriptError and PinsError."""
    scripts = load_scripts(settings)
    findings = list(_strays(settings, scripts))
    notes: list[str] = []
    folders = (settings.recordings,)
    for script in scripts:
        on_cuda = find_if_recorded(settings, script, CUDA, folders)
        for state in filter(None, (find_recording(settings, script, CPU, folders), on_cuda)):
            if state.error is not None:
                findings.append(_unreadable(state.error, script))
                continue
            if state.recording is not None:
                doubts = doubts_of(state.recording)
                notes += [f"doubtful: {state.job.name}: {doubt}" for doubt in doubts]
            if state.job.reason:
                notes.append(f"stale: {state.job.name}: {state.job.reason}")
        notes += [
            f"varies: {script.name} `{cell.label}`: {cell.varies}: {cell.why}"
            for cell in script.cells
            if cell.varies
        ]
    return RecordingsCheck(tuple(findings), tuple(notes))


def find_unreadable(settings: Settings) -> Iterator[Finding]:
    """Find committed recordings that are damaged or changed by hand; no script is read."""
    for path in sorted(settings.recordings.glob("*/*.ipynb")):
        try:
            load_recording(path)
        except RecordingError as error:
            yield Finding(path, None, "recording", error.in_a_line)


def _unreadable(error: RecordingError, script: Script) -> Finding:
    return Finding(error.file or script.path, None, "recording", error.in_a_line)


def _strays(settings: Settings, scripts: Sequence[Script]) -> Iterator[Finding]:
    known = {
        recording_path(settings.recordings, script.page, script.framework, device)
        for script in scripts
        for device in DEVICES
        if may_be_recorded(settings, script, device)
    }
    kind = "recording of a script and a device it runs on"
    yield from find_strays(settings.recordings, known, kind, "rename it with its script")
