"""The outputs of a cell in the one form that is recorded."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from polytab.recordings.normalise import normalise_outputs, warnings_of
from tests.support.handbook import stream
from tests.support.noise import ENVIRONMENT, PLACES, TEXTS


def _normal(*outputs: dict[str, Any]) -> list[dict[str, Any]]:
    return list(normalise_outputs(outputs, PLACES))


def _display(kind: str = "display_data", **data: object) -> dict[str, Any]:
    bundle = {mime.replace("_", "/"): value for mime, value in data.items()}
    return {"output_type": kind, "data": bundle, "metadata": {"isolated": True}}


def test_streams_are_joined_stdout_first() -> None:
    assert _normal(
        stream("late ", "stderr"),
        stream("a"),
        stream("lateer\n", "stderr"),
        stream("b\n"),
    ) == [stream("ab\n"), stream("late lateer\n", "stderr")]


def test_a_display_keeps_its_place_between_streams() -> None:
    shown = {"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}}
    assert _normal(
        stream("a\n"), _display(text_plain="x"), stream("e\n", "stderr"), stream("b\n")
    ) == [stream("a\n"), shown, stream("b\n"), stream("e\n", "stderr")]


def test_a_stream_of_noise_alone_disappears() -> None:
    assert _normal(stream("[IPKernelApp] WARNING | so\n\n", "stderr")) == []


def test_a_result_has_no_count_and_no_metadata() -> None:
    [result] = _normal(
        {**_display("execute_result", text_plain="<A at 0x1f>"), "execution_count": 7}
    )
    assert result == {
        "output_type": "execute_result",
        "data": {"text/plain": "<A at 0x…>"},
        "metadata": {},
        "execution_count": None,
    }


def test_only_text_is_normalised_in_a_display() -> None:
    png, numbers = "0x7f12ab34cd56", {"made": "2026-11-21 01:02:03"}
    data = {
        "image/png": png,
        "application/vnd.polytab.measurement+json": numbers,
        "text/html": "<p>0x7f12ab34cd56</p>",
        "image/svg+xml": "<svg><dc:date>2026-11-21T01:02:03.4</dc:date></svg>",
    }
    [shown] = _normal({"output_type": "display_data", "data": data, "metadata": {}})
    assert shown["data"] == {
        "image/png": png,
        "application/vnd.polytab.measurement+json": numbers,
        "text/html": "<p>0x…</p>",
        "image/svg+xml": "<svg><dc:date>(date)</dc:date></svg>",
    }


def test_an_error_keeps_its_frames_and_every_line_of_its_message() -> None:
    message = 'in user code:\n  File "../src/a.cc", line 3\n[01:23:45] src/a.cc:3: it failed'
    trace = [
        "\x1b[31mTraceback (most recent call last):",
        '  File "cell branch", line 8, in <module>\n    net(x)',
        f'  File "{ENVIRONMENT}/keras/a.py", line 8, in f',
        f"ValueError: {message}\n",
    ]
    error = {"output_type": "error", "ename": "ValueError", "evalue": message, "traceback": trace}
    assert _normal(error) == [
        {
            "output_type": "error",
            "ename": "ValueError",
            "evalue": message,
            "traceback": [
                "Traceback (most recent call last):",
                '  File "cell branch", line 8, in <module>',
                "    net(x)",
                '  File "site-packages/keras/a.py", line 8, in f',
                *f"ValueError: {message}".split("\n"),
            ],
        }
    ]


_CHUNKS = st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), TEXTS), max_size=5)


@given(_CHUNKS, st.data())
def test_how_a_stream_was_cut_makes_no_difference(
    chunks: list[tuple[str, str]], data: st.DataObject
) -> None:
    whole = [
        stream("".join(text for each, text in chunks if each == name), name)
        for name in ("stdout", "stderr")
    ]
    pieces: list[dict[str, Any]] = []
    for name, text in chunks:
        cut = data.draw(st.integers(0, len(text)))
        pieces += [stream(text[:cut], name), stream(text[cut:], name)]
    assert _normal(*pieces) == _normal(*whole)


@given(_CHUNKS)
def test_normalising_outputs_twice_is_normalising_them_once(
    chunks: list[tuple[str, str]],
) -> None:
    once = _normal(*(stream(text, name) for name, text in chunks), _display(text_plain="0x7f"))
    assert _normal(*once) == once


def test_the_outputs_of_the_kernel_are_left_as_they_were() -> None:
    given_ = [stream("a"), stream("b"), _display(text_plain="<A at 0x1f>")]
    copy = [dict(each) for each in given_]
    _normal(*given_)
    assert given_ == copy


LIMIT = "W1122 01:46:57.438000 31359 torch/_dynamo/convert_frame.py:1994] [1/8] "
OTHER = "W1122 01:46:58.438000 31359 torch/_dynamo/convert_frame.py:1994] [2/8] "
DRIVER = "W0000 00:00:1763690000.1    4711 cuda_dnn.cc:8310] Unable to register cuDNN factory\n"


def test_what_python_code_warns_of_in_its_log_is_told_once_by_its_first_line() -> None:
    message = f"{LIMIT}hit the limit (8)\n{LIMIT}   function: 'f'\n{LIMIT}\n{LIMIT}To log, set\n"
    again = f"{OTHER}hit the limit (8)\n{OTHER}   function: 'g'\n"
    printed = [stream(f"one\n{DRIVER}", "stderr"), stream(message, "stderr"), stream(again)]

    assert warnings_of([*printed, _display(text_plain=message)]) == ("hit the limit (8)",)
    assert _normal(*printed) == [stream("one\n", "stderr")]
