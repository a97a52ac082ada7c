"""What a worker answers is the recording of the very job that was asked, or an error of ours."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from polytab.errors import (
    InstallError,
    JobCancelledError,
    PolytabError,
    RecordingError,
    RunError,
    WorkerError,
)
from polytab.recordings.limits import LARGEST_FILE, LARGEST_OUTPUT
from polytab.runner.cluster.answers import LONGEST_WORDS, answer, read_answer
from tests.support.handbook import job, recording, stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.model import Job, Recording
    from polytab.settings import Settings

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                ["error", "recording", "warned", "kind", "message", "line", "file", "hint"]
            ),
            inner,
        )
    ),
)


def _raising(error: Exception) -> Callable[[], NoReturn]:
    def do() -> NoReturn:
        raise error

    return do


def test_a_recording_arrives_with_what_its_cells_warned_of(handbook: Settings) -> None:
    asked = job(handbook)
    made = recording(asked)
    first = replace(made.cells[0], warned=("the log says so",))
    made = replace(made, cells=(first, *made.cells[1:]))
    got = read_answer(answer(asked, lambda: made), asked, makes=False).recording
    assert got == made
    assert got is not None
    assert [cell.warned for cell in got.cells] == [cell.warned for cell in made.cells]


@pytest.mark.parametrize("kind", [RunError, InstallError, JobCancelledError, WorkerError])
@pytest.mark.parametrize("file", ["script", "environment", None])
def test_an_error_arrives_with_its_kind_place_and_hint(
    kind: type[PolytabError], file: str | None, handbook: Settings
) -> None:
    asked = job(handbook)
    place = {"script": asked.script.path, "environment": asked.environment.path, None: None}[file]
    error = kind("it failed", file=place, line=3, hint="mend it")
    got = read_answer(answer(asked, _raising(error)), asked, makes=False).error
    assert type(got) is kind
    assert (got.message, got.file, got.line, got.hint) == ("it failed", place, 3, "mend it")


def test_whatever_else_is_raised_is_an_error_in_words(handbook: Settings) -> None:
    asked = job(handbook)
    sent = answer(asked, _raising(ModuleNotFoundError("No module named 'x'")))
    error = read_answer(sent, asked, makes=False).error
    assert isinstance(error, WorkerError)
    assert "ModuleNotFoundError" in error.message


def test_what_would_be_refused_is_the_error_of_its_script(handbook: Settings) -> None:
    asked = job(handbook, "end", "python")
    made = recording(asked, {"last": [stream("x" * (LARGEST_OUTPUT + 1))]})
    error = read_answer(answer(asked, lambda: made), asked, makes=False).error
    assert isinstance(error, RecordingError)
    assert error.file == asked.script.path


def _other_code(made: Recording) -> Recording:
    return replace(made, cells=(replace(made.cells[0], code="print(666)"), *made.cells[1:]))


def _other_page(made: Recording) -> Recording:
    return replace(made, page="end")


def _found(made: Recording) -> Recording:
    return replace(made, provenance=replace(made.provenance, found=(("torch", "0"),)))


@pytest.mark.parametrize("change", [_other_code, _other_page, _found])
def test_the_recording_of_another_job_is_not_taken(
    change: Callable[[Recording], Recording], handbook: Settings
) -> None:
    asked = job(handbook)
    sent = answer(asked, lambda: change(recording(asked)))
    with pytest.raises(WorkerError, match="what the worker sent is not taken"):
        read_answer(sent, asked, makes=False)


def _asked(handbook: Settings) -> tuple[Job, dict[str, object]]:
    asked = job(handbook)
    said: dict[str, object] = json.loads(answer(asked, lambda: recording(asked)))
    return asked, said


def test_what_is_too_long_is_cut_or_refused(handbook: Settings) -> None:
    asked, _ = _asked(handbook)
    error = read_answer(answer(asked, _raising(RunError("x" * 10**6))), asked, makes=False).error
    assert error is not None
    assert len(error.message) == LONGEST_WORDS
    with pytest.raises(WorkerError, match="it is too large"):
        read_answer(b" " * (2 * LARGEST_FILE + 1), asked, makes=True)


@pytest.mark.parametrize(
    "warned", [None, [], {"add": None}, {"add": [1]}, {"add": {"x": 1}}, {"add": "x"}]
)
def test_what_is_no_warning_is_refused_or_text(warned: object, handbook: Settings) -> None:
    asked, said = _asked(handbook)
    sent = json.dumps({**said, "warned": warned}).encode()
    try:
        got = read_answer(sent, asked, makes=False).recording
    except WorkerError:
        return
    assert got is not None
    assert all(isinstance(word, str) for cell in got.cells for word in cell.warned)


def _read(sent: object, asked: Job) -> PolytabError | None:
    try:
        return read_answer(sent, asked, makes=False).error
    except WorkerError as error:
        return error


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=JSON.map(lambda said: json.dumps(said).encode()) | st.binary() | JSON)
def test_whatever_is_sent_is_an_error_of_ours(sent: object, handbook: Settings) -> None:
    assert _read(sent, job(handbook)) is not None
