"""A recording that holds more than the recorder keeps is refused; what it keeps is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import RecordingError
from polytab.recordings.files import notebook_of, read_recording, spell_recording
from polytab.recordings.limits import OUTPUT_LIMIT, first_lines, shows_too_much
from tests.support.handbook import job, recording, stream

if TYPE_CHECKING:
    from polytab.settings import Settings

_MESSAGE = "this recording has a cell with more than 200,000 characters of text"


def _error(*traceback: str, said: str = "") -> dict[str, Any]:
    return {"output_type": "error", "ename": "E", "evalue": said, "traceback": [*traceback]}


def _shown(mime: str, value: object) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {mime: value}, "metadata": {}}


LONG = "x" * 2 * OUTPUT_LIMIT
TOO_MUCH: dict[str, list[dict[str, Any]]] = {
    "stdout of 4 MB": [stream("x" * 4_000_000)],
    "stdout piece by piece": [stream("x" * OUTPUT_LIMIT), stream("x" * OUTPUT_LIMIT, "stderr")],
    "a text": [_shown("text/plain", LONG)],
    "markup": [_shown("text/html", LONG)],
    "a traceback": [_error(LONG)],
    "a traceback of many lines": [_error(*["x"] * 2 * OUTPUT_LIMIT)],
    "a message": [_error(said=LONG)],
}


@pytest.mark.parametrize("why", TOO_MUCH)
def test_more_text_than_the_recorder_keeps_is_refused(handbook: Settings, why: str) -> None:
    made = recording(job(handbook), {"add": TOO_MUCH[why]})
    with pytest.raises(RecordingError) as caught:
        read_recording(spell_recording(made))
    assert caught.value.message == _MESSAGE


@pytest.mark.parametrize(
    "outputs",
    [
        [stream("x" * OUTPUT_LIMIT + "\n[cut here: more than 200,000 characters]\n")],
        [_error("x" * OUTPUT_LIMIT, said="x" * OUTPUT_LIMIT), stream("x" * OUTPUT_LIMIT)],
        [_shown("image/png", LONG)],
        [_shown("application/json", [LONG])],
    ],
)
def test_what_the_recorder_keeps_is_read(handbook: Settings, outputs: list[dict[str, Any]]) -> None:
    made = recording(job(handbook), {"add": outputs})
    assert read_recording(spell_recording(made)) == made
    assert notebook_of(made)["cells"][0]["outputs"] == outputs


@given(st.lists(st.integers(0, OUTPUT_LIMIT), max_size=6))
def test_the_first_lines_of_a_traceback_are_always_accepted(lengths: list[int]) -> None:
    lines = ["x" * length for length in lengths]
    kept = first_lines(lines)
    assert not shows_too_much([_error(*kept)])
    assert "\n".join(lines).startswith("\n".join(kept))
    assert kept == lines or sum(map(len, kept)) + len(kept) > OUTPUT_LIMIT - 1
