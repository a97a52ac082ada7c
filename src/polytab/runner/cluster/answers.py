"""What a worker answers, as bytes: a recording or an error, spelled and read with suspicion.

Law, guarded by tests/runner/cluster/test_answers.py: what is read is the recording of the very job
that was asked, or an error of ours; whatever else a worker sends is a WorkerError.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from polytab import errors
from polytab.errors import MeasurementError, PolytabError, RecordingError, WorkerError
from polytab.recordings.files import read_recording, spell_recording
from polytab.recordings.limits import LARGEST_FILE
from polytab.recordings.plan import must_be_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.model import Job, Recording

LONGEST_WORDS = 200_000
"""Characters of an error, a hint or a warning that are taken; what comes after is cut."""

_ERRORS = {
    kind.__name__: kind
    for kind in (
        errors.ConfineError,
        errors.DeviceError,
        errors.InstallError,
        errors.JobCancelledError,
        errors.MeasurementError,
        errors.PlatformError,
        errors.RecordingError,
        errors.RunError,
        errors.WorkerError,
    )
}


@dataclass(frozen=True)
class Answer:
    """How a task ended: with a recording, with an error, or, if it made an environment, well."""

    recording: Recording | None = None
    error: PolytabError | None = None


def answer(job: Job, do: Callable[[], Recording | None]) -> bytes:
    """Do a job's task and spell how it ended; nothing that it raises leaves this function."""
    try:
        made = do()
        return _spell({} if made is None else _spelled_recording(made, job))
    except PolytabError as error:
        return _spell({"error": _spelled_error(error, job)})
    except Exception as error:  # noqa: BLE001  # a worker never raises: that would be an object
        msg = f"{job.name}: the worker could not run it: {error!r}"
        hint = "it must have the same polytab and Dask as the recorder"
        return _spell({"error": _spelled_error(WorkerError(msg, hint=hint), job)})


def read_answer(sent: object, job: Job, *, makes: bool) -> Answer:
    """Read what a worker has sent; WorkerError if that is not an answer to this very task."""
    try:
        return _read(sent, job, makes=makes)
    except (RecordingError, MeasurementError) as error:
        why = error.message
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        why = "it is not spelled as an answer"
    msg = f"{job.name}: what the worker sent is not taken: {why}"
    hint = "look at who runs that worker; it must have the same polytab as this machine"
    raise WorkerError(msg, file=job.script.path, hint=hint)


def _read(sent: object, job: Job, *, makes: bool) -> Answer:
    if type(sent) is not bytes:
        raise TypeError(sent)
    if len(sent) > 2 * LARGEST_FILE:  # a recording within JSON is a little longer than a file
        raise RecordingError("it is too large")
    said = json.loads(sent)
    if "error" in said:
        return Answer(error=_read_error(said["error"], job))
    if makes:
        return Answer()
    recording = read_recording(said["recording"].encode())
    must_be_of(recording, job)
    warned = {_words(label): tuple(map(_words, each)) for label, each in said["warned"].items()}
    cells = (replace(cell, warned=warned.get(cell.label, ())) for cell in recording.cells)
    return Answer(replace(recording, cells=tuple(cells)))


def _spell(content: dict[str, Any]) -> bytes:
    return json.dumps(content).encode()


def _spelled_recording(recording: Recording, job: Job) -> dict[str, Any]:
    """Spell a recording with what its frameworks warned of, which its file does not keep."""
    content = spell_recording(recording)
    try:
        read_recording(content)  # what is refused when it arrives is told here, as the script's
    except RecordingError as error:
        msg, hint = f"{job.name}: {error.message}", "have its cells show less"
        raise RecordingError(msg, file=job.script.path, hint=hint) from None
    warned = {cell.label: list(cell.warned) for cell in recording.cells if cell.warned}
    return {"recording": content.decode(), "warned": warned}


def _spelled_error(error: PolytabError, job: Job) -> dict[str, Any]:
    """Spell an error; of its file is said which of the job's own files it is."""
    files = {job.script.path: "script", job.environment.path: "environment"}
    return {
        "kind": type(error).__name__,
        "message": error.message,
        "file": files.get(error.file) if error.file else None,
        "line": error.line,
        "hint": error.hint,
    }


def _read_error(said: dict[str, Any], job: Job) -> PolytabError:
    files: dict[str | None, Path | None] = {
        "script": job.script.path,
        "environment": job.environment.path,
        None: None,
    }
    line, hint = said["line"], said["hint"]
    if line is not None and type(line) is not int:
        raise TypeError(line)
    return _ERRORS[said["kind"]](
        _words(said["message"]),
        file=files[said["file"]],
        line=line,
        hint=None if hint is None else _words(hint),
    )


def _words(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError(said)
    return said[:LONGEST_WORDS]
