"""What must repeat: text and integers exactly, floats nearly, and what varies but for numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.model import Case, Measurement, RecordedCell
from polytab.recordings.compare import (
    Differences,
    compare,
    differences,
    differences_again,
    output_text,
    same_text,
)
from polytab.recordings.factors import Move
from polytab.recordings.measurements import MIME, spell_measurement
from tests.support.handbook import job, recording, stream

if TYPE_CHECKING:
    from polytab.model import Recording
    from polytab.settings import Settings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("0.16526186", "0.16526175"),
        ("loss 1.00001.", "loss 1.00002."),
        ("[[ 0.16526, -0.14006]]", "[[ 0.16526, -0.14005]]"),
        ("[ 1.  -0.5]", "[0.99999999 -0.5]"),
        ("1e-09", "-2e-12"),
        ("0.00001", "1e-5"),
        ("1e5", "100000.1"),
        ("x=-.5", "x=-0.50001"),
        ("约0.5秒", "约0.500001秒"),
        ("tensor(  0.5)", "tensor( 0.50001)"),
        ("0.5\n  0.25", "0.50001\n 0.25"),
        ("� 0.5", "� 0.50001"),
    ],
)
def test_floats_repeat_nearly(before: str, after: str) -> None:
    assert same_text(before, after)
    assert same_text(after, before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a", "b"),
        ("a", ""),
        (" a", "a"),
        ("a ", "a"),
        ("a  b", "a b"),
        ("512", "513"),
        ("512", "512.0"),
        ("(1, 512)", "(1, 256)"),
        ("0.5", "0.5001"),
        ("0.5", "-0.5"),
        ("100.0", "100.1"),
        ("1e-5", "2e-5"),
        ("0.5", "0.5 0.5"),
        ("0.5", "�"),
        ("[0.5, 1]", "[0.5, 2]"),
        ("0.5\n0.25", "0.5 0.25"),
        ("2.13.0", "2.13.1"),
        ("0.5.x", "0.6.x"),
        ("float16.5", "float16.6"),
        ("1.5GB", "1.50001GB"),
        ("0x1.5", "0x1.50001"),
        ("nan", "0.5"),
        ("True", "False"),
    ],
)
def test_everything_else_repeats_exactly(before: str, after: str) -> None:
    assert not same_text(before, after)
    assert not same_text(after, before)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("net.pt 96", "net.pt 100", True),
        ("net.pt   96 bytes", "net.pt 1000 bytes", True),
        ("0.5 s, 3 times", "12 s, 4.5e-3 times", True),
        ("linear_3", "linear_17", True),
        ("net.pt 96", "net.pb 96", False),
        ("96", "96 97", False),
        ("a", "b", False),
        (" a", "a", False),
        ("a\n1", "a 1", False),
        ("1\n2\n", "1\n", False),
    ],
)
def test_a_cell_that_varies_repeats_but_for_its_numbers(
    before: str, after: str, *, same: bool
) -> None:
    assert same_text(before, after, varies=True) is same


_FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=32)
_WORDS = st.text("ab .\n(-", max_size=3)


@given(st.lists(st.tuples(_WORDS, _FLOATS)), st.booleans())
def test_every_text_is_the_same_as_itself_but_for_the_last_digits(
    parts: list[tuple[str, float]],
    varies: bool,  # noqa: FBT001  # drawn
) -> None:
    text = "".join(f"{word} {number!r}," for word, number in parts)
    near = "".join(f"{word} {number * (1 + 1e-6)!r}," for word, number in parts)
    assert same_text(text, text, varies=varies)
    assert same_text(text, near, varies=varies)


@given(st.text("a0.5e- \n\t�", max_size=12), st.text("a0.5e- \n\t�", max_size=12))
def test_agreement_has_no_direction(one: str, other: str) -> None:
    for varies in (False, True):
        assert same_text(one, other, varies=varies) is same_text(other, one, varies=varies)
    assert not (same_text(one, other) and not same_text(one, other, varies=True))


# Recordings


def _recorded(handbook: Settings, *outputs: dict[str, Any], varies: str | None = None) -> Recording:
    made = recording(job(handbook), {"add": outputs})
    cells = (replace(made.cells[0], varies=varies), *made.cells[1:])
    return replace(made, cells=cells)


def test_recordings_that_repeat_have_no_difference(handbook: Settings) -> None:
    one = _recorded(handbook, stream("loss 0.5000001\n"))
    assert compare(one, _recorded(handbook, stream("loss 0.5000002\n"))) == ""


def test_a_difference_is_a_unified_diff_that_names_the_cell(handbook: Settings) -> None:
    one = _recorded(handbook, stream("loss 0.5000001\nshape 512\n"), stream("careful\n", "stderr"))
    other = _recorded(handbook, stream("loss 0.5000002\nshape 513\n"))
    assert compare(one, other) == (
        "--- tour/torch.cpu cell `add` recorded\n"
        "+++ tour/torch.cpu cell `add` now\n"
        "@@ -1,7 +1,4 @@\n"
        " [stdout]\n"
        " loss 0.5000001\n"
        "-shape 512\n"
        "+shape 513\n"
        " \n"
        "-[stderr]\n"
        "-careful\n"
        "-\n"
    )


@pytest.mark.parametrize(
    ("varies", "told"), [(None, ["-1 a", "-2 a", "+3 a", "+4 a", "+x"]), ("counts", ["+x"])]
)
def test_lines_that_agree_are_not_told(
    handbook: Settings, varies: str | None, told: list[str]
) -> None:
    one = _recorded(handbook, stream("0.50001\n1 a\n2 a"), varies=varies)
    other = _recorded(handbook, stream("0.50002\n3 a\n4 a\nx"))
    lines = compare(one, other).split("\n")[3:]
    assert [line for line in lines if line[:1] in {"-", "+"}] == told


def test_every_cell_that_differs_is_told(handbook: Settings) -> None:
    one = recording(job(handbook))
    other = recording(job(handbook), {"add": [stream("x")], "twice": []})
    said = compare(one, other)
    assert [line for line in said.split("\n") if line.startswith("---")] == [
        "--- tour/torch.cpu cell `add` recorded",
        "--- tour/torch.cpu cell `twice` recorded",
    ]


def test_a_cell_that_was_not_run_again_differs(handbook: Settings) -> None:
    one = recording(job(handbook))
    assert "-twice\n" in compare(one, replace(one, cells=one.cells[:1]))


@pytest.mark.parametrize("outputs", [(), (stream("three\n"),)])
def test_a_cell_that_is_new_or_gone_differs_though_it_prints_nothing(
    handbook: Settings, outputs: tuple[dict[str, Any], ...]
) -> None:
    one = recording(job(handbook))
    more = replace(one, cells=(*one.cells, RecordedCell("thrice", "x = 3", outputs)))
    assert compare(one, more).startswith(
        "--- tour/torch.cpu cell `thrice` code recorded\n"
        "+++ tour/torch.cpu cell `thrice` code now\n"
        "@@ -0,0 +1 @@\n+x = 3\n"
    )
    assert ("+three\n" in compare(one, more)) is bool(outputs)
    assert "\n-x = 3\n" in compare(more, one)


def test_code_that_is_another_differs_though_it_prints_the_same(handbook: Settings) -> None:
    one = recording(job(handbook))
    code = f"{one.cells[0].code}\npass"
    other = replace(one, cells=(replace(one.cells[0], code=code), *one.cells[1:]))
    said = compare(one, other)
    assert said.startswith("--- tour/torch.cpu cell `add` code recorded\n")
    assert [line for line in said.split("\n")[2:] if line[:1] in {"-", "+"}] == ["+pass"]


def test_cells_in_another_order_repeat(handbook: Settings) -> None:
    one = recording(job(handbook))
    assert compare(one, replace(one, cells=one.cells[::-1])) == ""


@pytest.mark.parametrize(
    ("now", "repeats"), [("97 bytes\n", True), ("97 bits\n", False), ("97 98 bytes\n", False)]
)
def test_the_recording_says_what_varies(handbook: Settings, now: str, *, repeats: bool) -> None:
    one = _recorded(handbook, stream("96 bytes\n"), varies="the size")
    assert (compare(one, _recorded(handbook, stream(now))) == "") is repeats
    unmarked = _recorded(handbook, stream("96 bytes\n"))
    assert compare(unmarked, _recorded(handbook, stream(now))) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (stream("x"), stream("x", "stderr")),
        (stream("x"), {"output_type": "display_data", "data": {"text/plain": "x"}}),
        (
            {"output_type": "display_data", "data": {"text/plain": "x"}},
            {"output_type": "display_data", "data": {"text/html": "x"}},
        ),
        (
            {"output_type": "error", "ename": "E", "evalue": "x", "traceback": ["E: x"]},
            {"output_type": "error", "ename": "E", "evalue": "y", "traceback": ["E: y"]},
        ),
        (
            {"output_type": "display_data", "data": {"application/json": {"a": 1}}},
            {"output_type": "display_data", "data": {"application/json": {"a": 2}}},
        ),
    ],
)
def test_the_kind_and_the_content_of_an_output_must_repeat(
    handbook: Settings, one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert compare(_recorded(handbook, one), _recorded(handbook, one)) == ""
    assert compare(_recorded(handbook, one), _recorded(handbook, other)) != ""


# Measurements


def _measured(handbook: Settings, name: str = "sum", **seconds: float) -> Recording:
    """Return a recording with a benchmark: for each case, how long a call takes."""
    cases = tuple(
        Case(case, 1000, (each,) * 3, ((each, each * 1.01, each * 0.99) * 10,) * 3)
        for case, each in seconds.items()
    )
    data = {MIME: spell_measurement(Measurement(name, cases)), "text/plain": repr(seconds)}
    return _recorded(handbook, {"output_type": "display_data", "data": data, "metadata": {}})


def test_measurements_repeat_where_no_factor_has_moved(handbook: Settings) -> None:
    one = _measured(handbook, eager=2.0, compiled=1.0)
    assert compare(one, _measured(handbook, eager=9.0, compiled=4.0)) == ""
    assert differences(one, one) == Differences("", ())


def test_a_factor_that_has_vanished_is_told(handbook: Settings) -> None:
    one = _measured(handbook, eager=13.6, compiled=1.0)
    found = differences(one, _measured(handbook, eager=1.0, compiled=1.0))
    assert found.fixed == ""
    [moved] = found.moved
    assert (moved.name, moved.way) == ("sum: compiled vs eager", Move.DOWN)
    assert (
        found.text
        == moved.text
        == (
            "--- tour/torch.cpu `sum`\n"
            "-compiled vs eager: 13.6 (13.6 to 13.6), faster\n"
            "+compiled vs eager: 1 (1 to 1), same\n"
        )
    )


def test_a_verdict_that_has_turned_round_is_told(handbook: Settings) -> None:
    one = _measured(handbook, eager=2.0, compiled=1.0)
    said = compare(one, _measured(handbook, eager=1.0, compiled=2.0))
    assert "\n-compiled vs eager: 2 (" in said
    assert ", faster\n+compiled vs eager: 0.5 (" in said
    assert said.endswith(", slower\n")


def test_what_moved_again_the_same_way_is_left(handbook: Settings) -> None:
    one = _measured(handbook, eager=2.0, compiled=1.0)
    less, more = (_measured(handbook, eager=each, compiled=1.0) for each in (1.0, 4.0))
    assert differences_again(one, less, less) == differences(one, less)
    assert differences_again(one, less, more).text == ""
    assert differences_again(one, less, one).text == ""
    other = _recorded(handbook, stream("three\n"))
    assert "no such benchmark" in differences_again(one, less, other).text


def _paid_back(handbook: Settings, calls: float) -> Recording:
    """Return a recording whose compiled case is paid back after so many calls."""
    samples = ((1.0, 1.01, 0.99) * 10,) * 3
    halved = tuple(tuple(each / 2 for each in process) for process in samples)
    cases = (
        Case("eager", 1000, (1.0,) * 3, samples, fresh=True),
        Case("compiled", 1000, (1.0 + (calls - 1) / 2,) * 3, halved, fresh=True),
    )
    data = {MIME: spell_measurement(Measurement("sum", cases)), "text/plain": "a table"}
    return _recorded(handbook, {"output_type": "display_data", "data": data, "metadata": {}})


def test_a_break_even_that_is_another_is_told_and_measured_again(handbook: Settings) -> None:
    one, other = _paid_back(handbook, 80), _paid_back(handbook, 400)
    found = differences(one, other)
    assert [(each.name, each.way) for each in found.moved] == [
        ("sum: compiled vs eager break-even", Move.UP)
    ]
    assert found.text.startswith(
        "--- tour/torch.cpu `sum`\n-compiled vs eager break-even: 80 calls ("
    )
    assert differences(one, _paid_back(handbook, 100)).text == ""
    assert differences_again(one, other, other) == found
    assert differences_again(one, other, one).text == ""


def test_on_another_machine_a_factor_of_another_size_repeats(handbook: Settings) -> None:
    one = _measured(handbook, eager=4.0, compiled=1.0)
    less, none = (_elsewhere(_measured(handbook, eager=each, compiled=1.0)) for each in (2.0, 1.0))
    assert compare(one, less) == ""
    assert "\n+compiled vs eager: 1 (" in compare(one, none)


def _elsewhere(made: Recording) -> Recording:
    known = (("family", "26"),)
    return replace(made, provenance=replace(made.provenance, machine=known))


def test_a_benchmark_or_a_case_that_is_gone_is_told(handbook: Settings) -> None:
    one = _measured(handbook, eager=2.0, compiled=1.0)
    assert compare(one, _measured(handbook, eager=2.0)) == (
        "--- tour/torch.cpu `sum`\n-eager, compiled\n+eager\n"
    )
    assert compare(one, _measured(handbook, "product", eager=2.0, compiled=1.0)) == (
        "--- tour/torch.cpu `sum`\n-eager, compiled\n+no such benchmark\n"
        "--- tour/torch.cpu `product`\n-no such benchmark\n+eager, compiled\n"
    )


def test_a_benchmark_that_is_new_is_told(handbook: Settings) -> None:
    one = _measured(handbook, eager=2.0, compiled=1.0)
    [output] = one.cells[0].outputs
    more = {"data": {MIME: {**output["data"][MIME], "name": "product"}}, "metadata": {}}
    cells = (replace(one.cells[0], outputs=(output, {**output, **more})), *one.cells[1:])
    silent = replace(one, cells=cells)
    said = compare(one, silent)
    assert said == "--- tour/torch.cpu `product`\n-no such benchmark\n+eager, compiled\n"


def test_outputs_as_text_name_their_kinds() -> None:
    error = {"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["E: no", ""]}
    shown = {
        "output_type": "display_data",
        "data": {"text/plain": "<p>", "application/json": {"a": [1]}},
    }
    cell = RecordedCell("a", "x", (stream("one\ntwo"), stream("e", "stderr"), shown, error))
    assert output_text(cell).split("\n") == [
        *("[stdout]", "one", "two", "[stderr]", "e"),
        *("[application/json]", '{"a": [1]}', "[text/plain]", "<p>", "[error]", "E: no", ""),
    ]
