"""Recordings are saved whole or not at all, and loaded only as they were saved."""

from __future__ import annotations

import errno
import json
import os
import resource
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from hypothesis import given

from polytab.errors import RecordingError
from polytab.model import Key, RecordedCell, Recording
from polytab.recordings import files as recordings
from polytab.recordings.files import (
    load_recording,
    notebook_of,
    recording_path,
    save_recording,
)
from polytab.recordings.limits import LARGEST_OUTPUT
from tests.support.handbook import GPU, job, recording, stream, with_cuda, write
from tests.support.recorded import RECORDINGS, SHOWN

if TYPE_CHECKING:
    from polytab.settings import Settings


@pytest.fixture
def made(handbook: Settings) -> Recording:
    return recording(job(handbook), SHOWN)


@pytest.fixture
def saved(handbook: Settings, made: Recording) -> Path:
    return save_recording(handbook.recordings, made)


# Loading what was saved


@given(RECORDINGS)
def test_what_is_saved_is_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, any_: Recording
) -> None:
    path = save_recording(tmp_path_factory.getbasetemp(), any_)
    assert load_recording(path) == any_
    nbformat.validate(nbformat.from_dict(json.loads(path.read_bytes())))


def test_a_recording_lies_where_its_page_framework_and_device_say(
    handbook: Settings, saved: Path
) -> None:
    assert saved == handbook.recordings / "tour" / "torch.cpu.ipynb"
    assert saved == recording_path(handbook.recordings, "tour", "torch", "cpu")
    assert saved.stat().st_mode & 0o777 == 0o644


def test_any_notebook_viewer_can_read_a_recording(saved: Path) -> None:
    notebook = nbformat.read(saved, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert notebook.cells[0].source == 'x = 1 + 2\nprint("torch", x)'
    assert notebook.cells[0].outputs[0].text == "3 é 中文 🙂\n"


def test_equal_recordings_are_equal_files_that_read_well_in_a_diff(
    handbook: Settings, made: Recording, saved: Path
) -> None:
    first = saved.read_text(encoding="utf-8")
    assert save_recording(handbook.recordings, made).read_text(encoding="utf-8") == first
    assert first.startswith('{\n "cells": [\n  {\n   "cell_type": "code",\n')
    assert first.endswith("\n}\n")
    assert "中文" in first


def test_half_a_character_is_saved_as_it_is(handbook: Settings, made: Recording) -> None:
    half = replace(made, cells=(RecordedCell("a", "x", (stream("a\ud83d\\"),)),))
    path = save_recording(handbook.recordings, half)
    path.read_text(encoding="utf-8")
    assert load_recording(path) == half


def test_where_there_is_no_recording_there_is_none(handbook: Settings) -> None:
    assert load_recording(recording_path(handbook.recordings, "tour", "torch", "cpu")) is None


# Saving whole or not at all


def _files(handbook: Settings) -> list[str]:
    return [path.name for path in handbook.recordings.rglob("*") if path.is_file()]


def test_a_new_recording_takes_the_place_of_the_old(
    handbook: Settings, made: Recording, saved: Path
) -> None:
    new = replace(made, key=Key((("a", "b"),)))
    assert save_recording(handbook.recordings, new) == saved
    assert load_recording(saved) == new
    assert _files(handbook) == ["torch.cpu.ipynb"]


def _longer(made: Recording) -> Recording:
    return replace(made, cells=(*made.cells, RecordedCell("more", "x" * 10_000)))


@pytest.mark.parametrize(
    ("pictures", "message"),
    [
        ([LARGEST_OUTPUT + 1], "this recording has an output of more than 4,194,304 characters"),
        ([LARGEST_OUTPUT] * 4, "this recording is larger than 16 MiB"),
    ],
)
def test_what_would_be_refused_is_not_saved(
    handbook: Settings, made: Recording, saved: Path, pictures: list[int], message: str
) -> None:
    before = saved.read_bytes()
    outputs = tuple(
        {"output_type": "display_data", "data": {"image/png": "A" * length}, "metadata": {}}
        for length in pictures
    )
    cells = (replace(made.cells[0], outputs=outputs), *made.cells[1:])
    with pytest.raises(RecordingError) as caught:
        save_recording(handbook.recordings, replace(made, cells=cells))
    assert (caught.value.message, caught.value.file) == (message, saved)
    assert caught.value.hint == "have its cells show less; the earlier recording is as it was"
    assert saved.read_bytes() == before


def test_a_disk_without_room_leaves_the_old_recording(
    handbook: Settings, made: Recording, saved: Path
) -> None:
    before = saved.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limits[1]))
        with pytest.raises(RecordingError) as caught:
            save_recording(handbook.recordings, _longer(made))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.message == "the recording cannot be written: File too large"
    assert caught.value.file == saved
    assert caught.value.hint
    assert saved.read_bytes() == before
    assert _files(handbook) == ["torch.cpu.ipynb"]


@pytest.mark.parametrize(
    "broken", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr
)
@pytest.mark.parametrize("moment", [(os, "fsync"), (Path, "chmod"), (Path, "replace")])
def test_a_save_that_is_broken_off_leaves_the_old_recording(
    handbook: Settings,
    made: Recording,
    monkeypatch: pytest.MonkeyPatch,
    moment: tuple[object, str],
    broken: BaseException,
) -> None:
    saved = save_recording(handbook.recordings, made)
    before = saved.read_bytes()

    def break_off(*_: object) -> None:
        raise broken

    with monkeypatch.context() as patch:
        patch.setattr(*moment, break_off)
        with pytest.raises(RecordingError if isinstance(broken, OSError) else KeyboardInterrupt):
            save_recording(handbook.recordings, _longer(made))
    assert saved.read_bytes() == before
    assert _files(handbook) == ["torch.cpu.ipynb"]


def test_a_store_that_cannot_be_written(handbook: Settings, made: Recording) -> None:
    handbook.recordings.write_text("a file", encoding="utf-8")
    with pytest.raises(RecordingError, match="the recording cannot be written: "):
        save_recording(handbook.recordings, made)


def test_what_a_provenance_lacks_is_not_mentioned(handbook: Settings) -> None:
    on_cpu = save_recording(handbook.recordings, recording(job(handbook)))
    settings = with_cuda(handbook)
    made = recording(job(settings, device="cuda"))
    on_cuda = save_recording(handbook.recordings, made)
    keys = [set(json.loads(each.read_bytes())["metadata"]["polytab"]["provenance"])
            for each in (on_cpu, on_cuda)]  # fmt: skip
    assert keys[1] - keys[0] == {"accelerator"}
    assert load_recording(on_cuda) == made
    assert made.provenance.accelerator == GPU


@pytest.mark.parametrize(
    "accelerator", [1, {}, {"name": 1}, {"name": "", "count": "1", "driver": "", "cuda": ""}]
)
def test_gpus_that_are_none_are_refused(handbook: Settings, accelerator: object) -> None:
    made = recording(job(handbook))
    notebook = notebook_of(made)
    meta = notebook["metadata"]["polytab"]
    meta["provenance"]["accelerator"] = accelerator
    meta["digest"] = recordings._digest(notebook)
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    write(path.parent, {path.name: json.dumps(notebook)})
    with pytest.raises(RecordingError, match="does not hold what its schema says"):
        load_recording(path)


def test_what_is_known_of_a_machine_is_kept(handbook: Settings) -> None:
    plain = recording(job(handbook))
    known = (("family", "25"), ("instructions", "AVX AVX2"), ("virtual", "yes"))
    made = replace(plain, provenance=replace(plain.provenance, machine=known))
    assert load_recording(save_recording(handbook.recordings, made)) == made
    assert made.provenance.machine_kind != plain.provenance.machine_kind


@pytest.mark.parametrize(
    "machine",
    [
        *(1, [], "AMD", {"host": "me"}, {"family": 25}, {"family": "25\n"}, {"family": ""}),
        *({"cores": "0"}, {"cores": "100000"}, {"cores": "-1"}, {"memory": "1e9 GiB"}),
        *({"libraries": "<b>"}, {"libraries": "a" * 61}, {"caches": "L1d 32 KiB; L2 1 MiB"}),
        *({"instructions": "AVX\u202e"}, {"governor": "per formance"}, {"quota": "NaN"}),
    ],
)
def test_a_machine_that_is_none_is_refused(handbook: Settings, machine: object) -> None:
    notebook = notebook_of(recording(job(handbook)))
    meta = notebook["metadata"]["polytab"]
    meta["provenance"]["machine"] = machine
    meta["digest"] = recordings._digest(notebook)
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    write(path.parent, {path.name: json.dumps(notebook)})
    with pytest.raises(RecordingError, match="does not hold what its schema says"):
        load_recording(path)


def test_memory_and_libraries_make_no_other_kind_of_machine(handbook: Settings) -> None:
    made = recording(job(handbook)).provenance
    one, other, newer = (
        replace(made, machine=(("family", family), ("libraries", name), ("memory", "1 GiB")))
        for family, name in (("25", "MKL"), ("25", "OpenBLAS"), ("26", "MKL"))
    )
    assert one.machine_kind == other.machine_kind != newer.machine_kind
