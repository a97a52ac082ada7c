"""A recording that was cut off, edited, moved or made by another program is refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import RecordingError
from polytab.recordings import files as recordings
from polytab.recordings.files import (
    load_recording,
    notebook_of,
    recording_path,
    save_recording,
)
from polytab.recordings.limits import LARGEST_FILE, LARGEST_OUTPUT
from polytab.recordings.plan import find_recording
from polytab.scripts.load import load_scripts
from tests.support.handbook import job, recording
from tests.support.recorded import JSON, PNG, RECORDINGS, SHOWN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.settings import Settings


@pytest.fixture
def saved(handbook: Settings) -> Path:
    return save_recording(handbook.recordings, recording(job(handbook), SHOWN))


def _refusal(path: Path, content: bytes | None = None) -> str:
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with pytest.raises(RecordingError) as caught:
        load_recording(path)
    assert caught.value.file == path
    assert caught.value.hint == "make it again: `polytab record tour torch`"
    return caught.value.message


def test_a_recording_that_was_cut_off_is_refused_wherever_it_was_cut(saved: Path) -> None:
    whole = saved.stat().st_size - 1  # the last byte is the line's end
    for end in reversed(range(whole)):
        os.truncate(saved, end)
        assert _refusal(saved).startswith("this recording is damaged")


@given(st.data())
def test_a_recording_in_which_a_character_was_changed_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    made = data.draw(RECORDINGS)
    path = save_recording(tmp_path_factory.getbasetemp(), made)
    text = path.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.characters(exclude_categories=["Cs"]))
    path.write_text(text[:at] + put + text[at + 1 :], encoding="utf-8", newline="")
    try:
        loaded = load_recording(path)
    except RecordingError as error:
        assert error.hint  # noqa: PT017  # refusing is right, unless only layout was changed
    else:
        assert loaded == made


def _edited(saved: Path, edit: Callable[[dict[str, Any]], object], *, seal: bool = False) -> bytes:
    """Return a recording that was edited; with `seal`, by someone who knows the digest."""
    notebook = json.loads(saved.read_bytes())
    edit(notebook)
    if seal:
        notebook["metadata"]["polytab"]["digest"] = recordings._digest(notebook)
    return json.dumps(notebook).encode()


@pytest.mark.parametrize(
    "edit",
    [
        lambda book: book["cells"][0].update(source="x = 3"),
        lambda book: book["cells"][0]["outputs"][0].update(text="4\n"),
        lambda book: book["cells"][0]["outputs"].clear(),
        lambda book: book["cells"].pop(),
        lambda book: book["cells"].reverse(),
        lambda book: book["cells"].append({"cell_type": "markdown", "source": "so"}),
        lambda book: book["metadata"]["polytab"]["provenance"].update(hardware="Another"),
        lambda book: book["metadata"]["polytab"]["key"].pop(),
        lambda book: book["metadata"]["polytab"].update(digest="0"),
        lambda book: book["metadata"]["polytab"].pop("digest"),
        lambda book: book["metadata"]["kernelspec"].update(name="another"),
        lambda book: book.update(nbformat_minor=4),
    ],
)
def test_a_recording_that_was_edited_by_hand_is_refused(
    saved: Path, edit: Callable[[dict[str, Any]], object]
) -> None:
    message = "this recording was changed by hand: its digest does not match"
    assert _refusal(saved, _edited(saved, edit)) == message


@pytest.mark.parametrize("schema", [0, 2, "1", None])
def test_a_recording_of_another_schema_is_refused(saved: Path, schema: object) -> None:
    content = _edited(saved, lambda book: book["metadata"]["polytab"].update(schema=schema))
    assert _refusal(saved, content) == f"this recording has schema {schema!r}, this polytab reads 1"


@pytest.mark.parametrize(
    "content",
    [
        nbformat.writes(nbformat.v4.new_notebook()).encode(),
        *(b"{}", b"[]", b"null", b"1", b'"text"'),
        *(b'{"metadata": []}', b'{"metadata": {"polytab": 1}}', b'{"metadata": null}'),
    ],
)
def test_a_notebook_of_another_maker_is_refused(saved: Path, content: bytes) -> None:
    assert _refusal(saved, content) == "this recording was not made by polytab"


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\xfa", b"not JSON", b"[" * 100_000, b"9" * 5000, b"<<<<<<< HEAD\n{}\n"],
)
def test_a_file_that_is_not_json_is_refused(saved: Path, content: bytes) -> None:
    assert _refusal(saved, content).startswith("this recording is damaged")


def test_a_file_that_is_too_large_is_not_read(saved: Path) -> None:
    os.truncate(saved, LARGEST_FILE + 1)
    assert _refusal(saved) == "this recording is larger than 16 MiB"


def test_a_recording_with_an_output_that_is_too_long_is_refused(saved: Path) -> None:
    picture = "A" * (LARGEST_OUTPUT + 1)
    edit: Callable[[dict[str, Any]], object] = lambda book: (  # noqa: E731
        book["cells"][0]["outputs"][2]["data"].update({"image/png": picture})
    )
    message = "this recording has an output of more than 4,194,304 characters"
    assert _refusal(saved, _edited(saved, edit, seal=True)) == message


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_json_does_not_have_is_refused(saved: Path, number: str) -> None:
    value = 0.0
    edit: Callable[[dict[str, Any]], object] = lambda book: (  # noqa: E731
        book["metadata"]["polytab"]["provenance"].update(seconds=value)
    )
    zero = _edited(saved, edit, seal=True)
    saved.write_bytes(zero)
    assert load_recording(saved) is not None
    value = float(number)
    infinite = _edited(saved, edit, seal=True).replace(b"Infinity", number.strip("-").encode())
    refused = ("is damaged, it is not JSON to its end", "does not hold what its schema says")
    assert _refusal(saved, infinite).startswith(tuple(f"this recording {each}" for each in refused))


def test_a_number_too_large_for_python_is_refused_in_an_output_too(saved: Path) -> None:
    edit: Callable[[dict[str, Any]], object] = lambda book: (  # noqa: E731
        book["cells"][0]["outputs"][2]["metadata"].update(scale=float("inf"))
    )
    spelled = _edited(saved, edit, seal=True).replace(b"Infinity", b"1e999")
    message = "this recording is damaged, it is not JSON to its end (1e999 is no number of JSON)"
    assert _refusal(saved, spelled) == message


def test_a_recording_of_other_code_than_its_key_says_is_not_shown(
    handbook: Settings, saved: Path
) -> None:
    edit: Callable[[dict[str, Any]], object] = lambda book: book["cells"][0].update(source="x = 3")  # noqa: E731
    saved.write_bytes(_edited(saved, edit, seal=True))
    assert load_recording(saved) is not None
    [script] = load_scripts(handbook, ["tour"], ["torch"])
    found = find_recording(handbook, script)
    assert (found.recording, found.fresh) == (None, False)
    assert found.error is not None
    assert found.job.reason == "this recording has the key of other code than it holds"


def test_a_file_that_is_nested_too_deep_is_refused_however_deep(saved: Path) -> None:
    meta = b'{"metadata": {"polytab": {"schema": 1}}, "cells": %s%s}'
    for depth in range(800, 1000):  # somewhere here it can be read, but not be hashed
        assert _refusal(saved, meta % (b"[" * depth, b"]" * depth))


def test_a_pipe_in_its_place_holds_nobody_up(handbook: Settings) -> None:
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert _refusal(path) == "this recording is no file"


def test_a_folder_in_its_place_is_refused(handbook: Settings) -> None:
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    path.mkdir(parents=True)
    assert _refusal(path) == "this recording cannot be read: Is a directory"


@pytest.mark.parametrize("place", ["end/torch.cpu", "tour/mxnet.cpu", "tour/torch.cuda"])
def test_a_recording_in_the_place_of_another_is_refused(
    handbook: Settings, saved: Path, place: str
) -> None:
    path = handbook.recordings / f"{place}.ipynb"
    path.parent.mkdir(exist_ok=True)
    saved.rename(path)
    with pytest.raises(RecordingError, match=r"is the recording of 'tour/torch\.cpu'"):
        load_recording(path)


UNBELIEVABLE: list[tuple[str, object]] = [
    *(("cores", value) for value in (-5, 0, True, 2.0, 10**400)),
    *(("seconds", value) for value in (-1.0, 1e8, 3, True, "3")),
    ("hardware", "x" * 1_001),
]
"""What a provenance may not say: what pages show, and `plan --json` prints."""


@pytest.mark.parametrize(
    "edit",
    [
        lambda book: book["metadata"]["polytab"]["provenance"].update(cores="2"),
        lambda book: book["metadata"]["polytab"]["provenance"].update(seconds=None),
        lambda book: book["metadata"]["polytab"]["provenance"].update(date="yesterday"),
        lambda book: book["metadata"]["polytab"]["provenance"].update(mood="good"),
        lambda book: book["metadata"]["polytab"]["provenance"].pop("version"),
        *(
            lambda book, name=name, value=value: book["metadata"]["polytab"]["provenance"].update(
                {name: value}
            )
            for name, value in UNBELIEVABLE
        ),
        lambda book: book["metadata"]["polytab"].update(key=[["a", 1]]),
        lambda book: book["metadata"]["polytab"].update(page=1),
        lambda book: book.pop("cells"),
        lambda book: book["cells"][0].update(source=["x = 1\n", "print(x)"]),
        lambda book: book["cells"][0].update(metadata={"polytab": {"varies": 1}}),
        lambda book: book["cells"][0].update(metadata=[]),
        lambda book: book["cells"][0]["outputs"][0].update(output_type="pyout"),
        lambda book: book["cells"][0]["outputs"][0].update(text=["a", "b"]),
        lambda book: book["cells"][0]["outputs"][0].update(name="stdin"),
        lambda book: book["cells"][0]["outputs"][2]["data"].update({"image/png": [PNG]}),
        lambda book: book["cells"][1]["outputs"][1].update(traceback=[1]),
    ],
)
def test_a_recording_of_another_shape_is_refused(
    saved: Path, edit: Callable[[dict[str, Any]], object]
) -> None:
    message = "this recording does not hold what its schema says"
    assert _refusal(saved, _edited(saved, edit, seal=True)) == message


def _replace_somewhere(draw: st.DataObject, value: Any, put: object) -> Any:  # noqa: ANN401  # JSON
    """Put a value in the place of any part of a JSON document."""
    if isinstance(value, (dict, list)) and value and draw.draw(st.booleans()):
        names = list(value) if isinstance(value, dict) else list(range(len(value)))
        name = draw.draw(st.sampled_from(names))
        value[name] = _replace_somewhere(draw, value[name], put)
        return value
    return put


@given(st.data())
def test_whatever_json_a_file_holds_the_answer_is_a_recording_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = recording_path(tmp_path_factory.getbasetemp(), "tour", "torch", "cpu")
    notebook = notebook_of(replace(data.draw(RECORDINGS), page="tour", framework="torch"))
    document = _replace_somewhere(data, notebook, data.draw(JSON))
    if recordings._meta(document) is not None:
        document["metadata"]["polytab"]["digest"] = recordings._digest(document)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    try:
        loaded = load_recording(path)
    except RecordingError as error:
        assert error.hint  # noqa: PT017  # either outcome is right, another exception is not
    else:
        assert loaded is not None
        assert loaded.name.startswith("tour/torch")
