"""Recordings as files: valid notebooks that machines write and nobody edits.

Schema history, newest first (kept in the notebook's metadata as `polytab.schema`):
1  cells by label, key part by part, provenance, digest over all of it. Provenance may hold, since
   there are devices, `accelerator` and `found`: what lacks them was made on a CPU, from its pins.
   It may hold `machine`: what lacks it names its processor and counts its cores, and no more;
   and `confined`, how its kernels were: what lacks it does not know.

Laws, guarded by tests/recordings/test_files.py: what is saved is what is loaded; a save that fails
leaves the old file; and by tests/recordings/test_files_refused.py: a recording that was cut off,
edited, moved or written by another program is refused.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import stat
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn

from polytab.errors import RecordingError, command
from polytab.model import Accelerator, Key, Provenance, RecordedCell, Recording, digest
from polytab.recordings.atomic import write_atomic
from polytab.recordings.limits import (
    LARGEST_FILE,
    LARGEST_OUTPUT,
    OUTPUT_LIMIT,
    check_fact,
    check_machine,
    shows_too_much,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA = 1


def recording_path(folder: Path, page: str, framework: str, device: str) -> Path:
    """Return where a recording lies in a folder of recordings."""
    return folder / page / f"{framework}.{device}.ipynb"


def load_recording(path: Path) -> Recording | None:
    """Read a recording; None where there is none. Raises RecordingError where it is not whole."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe would be read for ever
            raise _refused("is no file")
        with path.open("rb") as file:
            recording = read_recording(file.read(LARGEST_FILE + 1))
        if path.parts[-2:] != (recording.page, f"{recording.framework}.{recording.device}.ipynb"):
            raise _refused(f"is the recording of {recording.name[:60]!r}")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _at(path, _refused(f"cannot be read: {error.strerror}")) from None
    except RecordingError as error:
        raise _at(path, error) from None
    return recording


def read_recording(content: bytes) -> Recording:
    """Read the bytes of a recording, wherever they lay; raises RecordingError without a place."""
    if len(content) > LARGEST_FILE:
        raise _refused(f"is larger than {LARGEST_FILE // 2**20} MiB")
    try:
        notebook = json.loads(content, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise _refused(f"is damaged, it is not JSON to its end ({error})") from None
    meta = _meta(notebook)
    if meta is None:
        raise _refused("was not made by polytab")
    if meta.get("schema") != SCHEMA:
        said = repr(meta.get("schema"))[:20]
        raise _refused(f"has schema {said}, this polytab reads {SCHEMA}")
    try:
        if meta.get("digest") != _digest(notebook):
            raise _refused("was changed by hand: its digest does not match")
        return _recording(notebook, meta)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise _refused("does not hold what its schema says") from None


def save_recording(folder: Path, recording: Recording) -> Path:
    """Write a recording to its place in a folder of recordings; return where it lies.

    Raises RecordingError where it cannot be written or would be refused when it is read; the
    earlier recording is then as it was.
    """
    path = recording_path(folder, recording.page, recording.framework, recording.device)
    content = spell_recording(recording)
    try:
        read_recording(content)
    except RecordingError as error:
        hint = "have its cells show less; the earlier recording is as it was"
        raise RecordingError(error.message, file=path, hint=hint) from None
    try:
        write_atomic(path, content, durable=True)
    except OSError as error:
        msg = f"the recording cannot be written: {error.strerror}"
        hint = "make room or mend the permissions; the earlier recording is as it was"
        raise RecordingError(msg, file=path, hint=hint) from None
    return path


def spell_recording(recording: Recording) -> bytes:
    """Return the bytes of the file of a recording."""
    text = json.dumps(notebook_of(recording), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    return text.encode(errors="backslashreplace")  # half a character: JSON's escape


def notebook_of(recording: Recording) -> dict[str, Any]:
    """Return a recording as a notebook of format 4.5, with the digest over all of it."""
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
        "provenance": _spelled(recording.provenance),
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


def _no_number(name: str) -> NoReturn:
    """Refuse what Python writes into JSON, and JSON does not have: NaN and infinities."""
    raise ValueError(f"{name} is no number of JSON")


def _finite(spelled: str) -> float:
    """Read a number; one that is too large for Python would become an infinity."""
    number = float(spelled)
    if math.isinf(number):
        return _no_number(spelled[:20])
    return number


def _meta(notebook: object) -> Mapping[str, Any] | None:
    """Return what polytab has written beside the cells, if it wrote this notebook."""
    found = notebook
    for name in ("metadata", "polytab"):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _recording(notebook: Mapping[str, Any], meta: Mapping[str, Any]) -> Recording:
    """Read a notebook of our schema; any other shape is one of the errors `load` expects."""
    cells = tuple(_cell(cell) for cell in notebook["cells"])
    key = Key(tuple((_text(name), _text(value)) for name, value in meta["key"]))
    page, framework, device = (_text(meta[name]) for name in ("page", "framework", "device"))
    return Recording(page, framework, device, key, _provenance(meta["provenance"]), cells)


def _cell(cell: Mapping[str, Any]) -> RecordedCell:
    varies = cell["metadata"].get("polytab", {}).get("varies")
    outputs = tuple(_output(output) for output in cell["outputs"])
    if shows_too_much(outputs):
        raise _refused(f"has a cell with more than {OUTPUT_LIMIT:,} characters of text")
    label, code = _text(cell["id"]), _text(cell["source"])
    return RecordedCell(label, code, outputs, None if varies is None else _text(varies))


def _output(output: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = output["output_type"]
    if kind == "stream":
        texts = [_name(output["name"]), output["text"]]
    elif kind == "error":
        texts = [output["ename"], output["evalue"], "\n".join(output["traceback"])]
    elif kind in {"display_data", "execute_result"}:
        texts = [data for mime, data in output["data"].items() if not mime.endswith("json")]
    else:
        raise ValueError(kind)
    for text in texts:
        if len(_text(text)) > LARGEST_OUTPUT:
            raise _refused(f"has an output of more than {LARGEST_OUTPUT:,} characters")
    return output


def _name(value: object) -> str:
    if value not in {"stdout", "stderr"}:
        raise ValueError(value)
    return str(value)


def _spelled(provenance: Provenance) -> dict[str, Any]:
    """Spell a provenance; what it does not have is not mentioned."""
    spelled = asdict(provenance)
    for name in ("accelerator", "found", "machine", "confined", "imported"):
        if not spelled[name]:
            del spelled[name]
    for name in ("found", "machine", "imported"):
        if name in spelled:
            spelled[name] = dict(spelled[name])
    if provenance.accelerator:
        spelled["accelerator"]["libraries"] = dict(provenance.accelerator.libraries)
    return spelled


def _provenance(meta: Mapping[str, Any]) -> Provenance:
    facts = dict(meta)
    found = _versions(facts.pop("found", {}))
    machine = _versions(facts.pop("machine", {}))
    imported = _versions(facts.pop("imported", {}))
    for name, value in machine:
        check_machine(name, value)
    accelerator: Accelerator | None = None
    if "accelerator" in facts:
        gpus = dict(facts.pop("accelerator"))
        libraries = _versions(gpus.pop("libraries"))
        accelerator = Accelerator(**_facts(gpus), libraries=libraries)
    provenance = Provenance(
        **_facts(facts), accelerator=accelerator, found=found, machine=machine, imported=imported
    )
    dt.date.fromisoformat(provenance.date)
    return provenance


def _facts(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    for name, value in meta.items():
        check_fact(name, value)
    return meta


def _versions(meta: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((_text(name), _text(version)) for name, version in meta.items()))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _digest(notebook: Mapping[str, Any]) -> str:
    """Hash everything but the digest itself."""
    metadata = notebook["metadata"]
    meta = {name: value for name, value in metadata["polytab"].items() if name != "digest"}
    whole = {**notebook, "metadata": {**metadata, "polytab": meta}}
    return digest(json.dumps(whole, sort_keys=True, ensure_ascii=True))


def _refused(what: str) -> RecordingError:
    return RecordingError(f"this recording {what}")


def _at(path: Path, error: RecordingError) -> RecordingError:
    """Say where what is refused lies, and how to make it again."""
    framework, _, _ = path.name.partition(".")
    hint = f"make it again: {command('record', path.parent.name, framework)}"
    return RecordingError(error.message, file=path, hint=hint)
