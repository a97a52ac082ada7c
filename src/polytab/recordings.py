"""The store of recordings: valid notebooks that machines write and nobody edits.

Schema history, newest first (kept in the notebook's metadata as `polytab.schema`):
1  cells by label, key part by part, provenance, digest over all of it.

Laws, guarded by tests/test_recordings.py: what is saved is what is loaded; a recording that was
cut off, edited or written by another program is refused; a save that fails leaves the old file.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab.errors import RecordingError
from polytab.model import Key, Provenance, RecordedCell, Recording, digest

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = 1
_OUTPUTS = {"stream", "error", "display_data", "execute_result"}


def recording_path(folder: Path, page: str, framework: str, device: str) -> Path:
    """Return where a recording lies in a store."""
    return folder / page / f"{framework}.{device}.ipynb"


def load_recording(path: Path) -> Recording | None:
    """Read a recording; None where there is none, an error where it cannot be trusted."""
    try:
        notebook = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refuse(path, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise _refuse(path, f"is damaged, it is not JSON to its end ({error})") from None
    meta = notebook.get("metadata", {}).get("polytab") if isinstance(notebook, dict) else None
    if not isinstance(meta, dict):
        raise _refuse(path, "was not made by polytab")
    if meta.get("schema") != SCHEMA:
        raise _refuse(path, f"has schema {meta.get('schema')!r}, this polytab reads {SCHEMA}")
    if meta.get("digest") != _digest(notebook):
        raise _refuse(path, "was changed by hand: its digest does not match")
    try:
        recording = _recording(notebook, meta)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _refuse(path, "does not hold what its schema says") from None
    if path.parts[-2:] != (recording.page, f"{recording.framework}.{recording.device}.ipynb"):
        raise _refuse(path, f"is the recording of {recording.name}")
    return recording


def save_recording(folder: Path, recording: Recording) -> Path:
    """Write a recording whole or not at all."""
    path = recording_path(folder, recording.page, recording.framework, recording.device)
    text = json.dumps(notebook_of(recording), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
        temporary = None
    except OSError as error:
        msg = f"the recording cannot be written: {error.strerror}"
        hint = "make room or mend the permissions; the earlier recording is as it was"
        raise RecordingError(msg, file=path, hint=hint) from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
    return path


def notebook_of(recording: Recording) -> dict[str, Any]:
    """Spell a recording as a notebook of format 4.5."""
    cells = [
        {
            "cell_type": "code",
            "id": cell.label,
            "execution_count": None,
            "metadata": {"polytab": {"varies": cell.varies}} if cell.varies else {},
            "source": cell.code,
            "outputs": [dict(output) for output in cell.outputs],
        }
        for cell in recording.cells
    ]
    meta: dict[str, Any] = {
        "schema": SCHEMA,
        "page": recording.page,
        "framework": recording.framework,
        "device": recording.device,
        "key": [list(part) for part in recording.key.parts],
        "provenance": asdict(recording.provenance),
    }
    notebook: dict[str, Any] = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python", "version": recording.provenance.python},
            "polytab": meta,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    meta["digest"] = _digest(notebook)
    return notebook


def _recording(notebook: Mapping[str, Any], meta: Mapping[str, Any]) -> Recording:
    cells = tuple(
        RecordedCell(
            cell["id"],
            cell["source"],
            tuple(_output(output) for output in cell["outputs"]),
            cell["metadata"].get("polytab", {}).get("varies"),
        )
        for cell in notebook["cells"]
    )
    key = Key(tuple((str(name), str(value)) for name, value in meta["key"]))
    provenance = Provenance(**meta["provenance"])
    return Recording(meta["page"], meta["framework"], meta["device"], key, provenance, cells)


def _output(output: Mapping[str, Any]) -> Mapping[str, Any]:
    if output["output_type"] not in _OUTPUTS:
        raise ValueError
    return output


def _digest(notebook: Mapping[str, Any]) -> str:
    """Hash everything but the digest itself."""
    metadata = notebook["metadata"]
    meta = {name: value for name, value in metadata["polytab"].items() if name != "digest"}
    whole = {**notebook, "metadata": {**metadata, "polytab": meta}}
    return digest(json.dumps(whole, sort_keys=True, ensure_ascii=True))


def _refuse(path: Path, what: str) -> RecordingError:
    framework, _, _ = path.name.partition(".")
    hint = f"make it again: `nox -s record -- {path.parent.name} {framework}`"
    return RecordingError(f"this recording {what}", file=path, hint=hint)
