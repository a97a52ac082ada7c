"""Reading measurements: what is refused, what is pooled, what may be compared."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import MeasurementError
from polytab.measurements import (
    LONGEST,
    MIME,
    MOST_SAMPLES,
    SHORTEST,
    comparable,
    measurements_of,
    pool,
    read_measurement,
    spell_measurement,
)
from polytab.model import Case, Measurement
from polytab.ratios import Verdict, plain_text, ratio, summary, verdict
from tests.handbook import job, recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.model import Recording
    from polytab.settings import Settings

TIMES = st.floats(SHORTEST, LONGEST)
NAMES = st.sampled_from(["eager", "compiled", "whole graph", "編譯", "a/b", "x64"])


@st.composite
def measurements(draw: st.DrawFn, name: str = "forward") -> Measurement:
    processes = draw(st.integers(1, 4))
    rows = st.lists(TIMES, min_size=1, max_size=6).map(tuple)
    cases = []
    for case in draw(st.lists(NAMES, unique=True, min_size=1, max_size=3)):
        samples = tuple(draw(st.lists(rows, min_size=processes, max_size=processes)))
        first_calls = tuple(draw(st.lists(TIMES, min_size=processes, max_size=processes)))
        calls = sum(map(len, samples)) + draw(st.integers(0, 10**9))
        memory = draw(st.none() | st.integers(0, 2**40))
        cases.append(Case(case, calls, first_calls, samples, memory))
    return Measurement(name, tuple(cases))


def data(**changed: object) -> dict[str, Any]:
    """Return a good measurement of two cases in two processes; `changed` changes the first."""
    case = {
        "name": "eager",
        "calls": 400,
        "first_calls": [0.5, 0.25],
        "samples": [[1e-4, 2e-4], [3e-4, 4e-4]],
        "memory": None,
    }
    other = {**copy.deepcopy(case), "name": "compiled"}
    return {"schema": 1, "name": "forward", "cases": [{**case, **changed}, other]}


def without(entry: str) -> dict[str, Any]:
    made = data()
    del made["cases"][0][entry]
    return made


REFUSED = {
    "no JSON object": ([], "the measurement is not an object but a list"),
    "another schema": ({**data(), "schema": 2}, "has schema 2, this polytab reads 1"),
    "no schema": ({"name": "forward", "cases": []}, "has schema None"),
    "no name": ({"schema": 1, "cases": []}, "the measurement has no `name`"),
    "an unknown entry": ({**data(), "unit": "ms"}, "has an unknown entry `unit`"),
    "a name that is none": ({**data(), "name": 3}, "the measurement has a number for a name"),
    "an empty name": ({**data(), "name": ""}, "has the name '', which pages cannot say"),
    "a name with a colon": ({**data(), "name": "a: b"}, "has the name 'a: b'"),
    "a name of two lines": (data(name="a\nb"), r"has the name 'a\nb'"),
    "a name too long": (data(name="x" * 61), "which pages cannot say"),
    "a name with vs": (data(name="a vs b"), "has the name 'a vs b'"),
    "a name like a question": (data(name="a first call"), "has the name 'a first call'"),
    "no cases": ({**data(), "cases": []}, "`cases` is empty"),
    "cases that are none": ({**data(), "cases": "eager"}, "`cases` is not a list but text"),
    "a case that is none": ({**data(), "cases": [None]}, "a case is not an object but nothing"),
    "a case without memory": (without("memory"), "a case has no `memory`"),
    "two cases of one name": (data(name="compiled"), "has two cases `compiled`"),
    "no samples": (data(samples=[]), "`samples` is empty"),
    "an empty process": (data(samples=[[1e-4], []]), "`samples` of process 2 is empty"),
    "samples not by process": (data(samples=[1e-4]), "process 1 is not a list but a number"),
    "not a number": (data(samples=[[math.nan], [1e-4]]), "process 1: nan s is no time"),
    "an infinite time": (data(samples=[[1e-4], [math.inf]]), "process 2: inf s is no time"),
    "a negative time": (data(samples=[[-1e-4], [1e-4]]), "-0.0001 s is no time"),
    "no time at all": (data(first_calls=[0, 1]), "`first_calls`: 0 s is no time"),
    "an absurdly long time": (data(first_calls=[1e7, 1]), "it must be 1e-12 to 1e+06 s"),
    "an absurdly short time": (data(first_calls=[1e-300, 1]), "1e-300 s is no time"),
    "a time in words": (data(samples=[["1 ms"], [1e-4]]), "process 1: text is no time"),
    "a time that is true": (data(samples=[[True], [1e-4]]), "a truth value is no time"),
    "fewer first calls": (data(first_calls=[1]), "`first_calls` and `samples` differ"),
    "fewer processes": (
        data(first_calls=[1], samples=[[1e-4]]),
        "`compiled` and `eager` differ in processes",
    ),
    "too many samples": (
        data(calls=10**9, samples=[[1e-4] * (MOST_SAMPLES + 1), [1e-4]]),
        "process 1 is too long: 10,001, at most 10,000",
    ),
    "fewer calls than samples": (data(calls=3), "there are more samples than calls"),
    "calls by halves": (data(calls=400.5), "`calls` is no count: 400.5"),
    "calls that are true": (data(calls=True), "`calls` is no count: True"),
    "less than no memory": (data(memory=-1), "`memory` is no count: -1"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_bad_measurement_is_refused_with_one_clear_message(why: str, tmp_path: Path) -> None:
    bad, words = REFUSED[why]

    with pytest.raises(MeasurementError) as caught:
        read_measurement(bad, file=tmp_path / "jax.cpu.ipynb")

    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert str(caught.value).startswith(f"{tmp_path / 'jax.cpu.ipynb'}: the measurement")
    assert caught.value.hint


def test_the_measurement_that_the_bad_ones_were_made_from_is_good() -> None:
    read = read_measurement(data())

    assert [case.name for case in read.cases] == ["eager", "compiled"]
    assert read.cases[0].samples == ((1e-4, 2e-4), (3e-4, 4e-4))


@given(measurements())
def test_what_is_spelled_is_what_is_read(measurement: Measurement) -> None:
    spelled = json.loads(json.dumps(spell_measurement(measurement)))

    assert read_measurement(spelled) == measurement


@given(measurements())
def test_whatever_is_read_can_be_reckoned_with(measurement: Measurement) -> None:
    assert measurement.name in plain_text(measurement)
    for case in measurement.cases:
        of = summary(case)
        assert of.low_quartile <= of.median <= of.high_quartile
        measured = ratio(measurement, case.name, measurement.cases[0].name)
        assert 0 <= measured.low <= measured.value <= measured.high
        assert verdict(measured) in Verdict


@given(measurements(), st.data())
def test_a_pool_has_the_samples_of_its_parts_process_by_process(
    first: Measurement, draw: st.DataObject
) -> None:
    def again(case: Case) -> Case:
        row = tuple(draw.draw(st.lists(TIMES, min_size=1, max_size=4)))
        return Case(case.name, len(row), (row[0],), (row,), draw.draw(st.none() | st.just(7)))

    second = Measurement(first.name, tuple(again(case) for case in first.cases))

    pooled = pool([first, second])

    assert pooled.name == first.name
    for whole, a, b in zip(pooled.cases, first.cases, second.cases, strict=True):
        assert (whole.name, whole.calls) == (a.name, a.calls + b.calls)
        assert whole.samples == a.samples + b.samples
        assert whole.first_calls == a.first_calls + b.first_calls
        known = [each for each in (a.memory, b.memory) if each is not None]
        assert whole.memory == max(known, default=None)


def test_other_cases_are_not_pooled() -> None:
    one = read_measurement(data())
    other = read_measurement(data(name="script"))

    with pytest.raises(MeasurementError, match="cannot be pooled") as caught:
        pool([one, one, other])

    assert "`forward` (eager, compiled)" in caught.value.message
    assert "`forward` (script, compiled)" in caught.value.message


def test_another_benchmark_is_not_pooled() -> None:
    with pytest.raises(MeasurementError, match=r"`forward` .* cannot be pooled with `backward`"):
        pool([read_measurement(data()), read_measurement({**data(), "name": "backward"})])


def shown(made: object) -> dict[str, Any]:
    bundle = {MIME: made, "text/plain": "a table"}
    return {"output_type": "display_data", "metadata": {}, "data": bundle}


@pytest.fixture
def recorded(handbook: Settings) -> Callable[..., Recording]:
    """Return recordings whose two cells displayed what they are told to."""

    def make(*outputs: object, **provenance: object) -> Recording:
        cells = {"add": [shown(each) for each in outputs[:1]], "twice": map(shown, outputs[1:])}
        made = recording(job(handbook), {label: tuple(each) for label, each in cells.items()})
        device = str(provenance.pop("device", made.device))
        changed: Any = provenance
        return replace(made, device=device, provenance=replace(made.provenance, **changed))

    return make


def test_benchmarks_are_read_in_the_order_in_which_they_ran(
    recorded: Callable[..., Recording],
) -> None:
    found = measurements_of(recorded(data(), {**data(), "name": "backward"}))

    assert [each.name for each in found] == ["forward", "backward"]
    assert found[0] == read_measurement(data())


def test_other_outputs_are_no_benchmarks(handbook: Settings) -> None:
    assert measurements_of(recording(job(handbook))) == ()


def test_two_benchmarks_of_one_name_are_refused(recorded: Callable[..., Recording]) -> None:
    with pytest.raises(
        MeasurementError, match=r"tour/torch.cpu, cell `twice`: .*`forward` is already"
    ):
        measurements_of(recorded(data(), data()))


def test_a_bad_measurement_in_a_recording_is_found_by_its_cell(
    recorded: Callable[..., Recording],
) -> None:
    with pytest.raises(
        MeasurementError, match=r"^tour/torch.cpu, cell `twice`: .* `samples` is empty\n"
    ):
        measurements_of(recorded(data(), {**data(samples=[]), "name": "backward"}))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"hardware": "B Processor"}, "they differ in hardware (A Processor and B Processor)"),
        ({"device": "cuda"}, "they differ in device (cpu and cuda)"),
        ({"cores": 64}, "they differ in cores (2 and 64)"),
        (
            {"device": "cuda", "hardware": "B Card"},
            "they differ in device (cpu and cuda), hardware (A Processor and B Card)",
        ),
    ],
)
def test_measurements_of_different_machines_are_not_compared(
    recorded: Callable[..., Recording], changed: dict[str, object], words: str
) -> None:
    with pytest.raises(MeasurementError) as caught:
        comparable("forward", [recorded(data()), recorded(data(), **changed)])

    assert caught.value.message.startswith("`forward` of tour/torch.cpu and of tour/torch.")
    assert caught.value.message.endswith(words)


def test_measurements_of_different_cases_are_not_compared(
    recorded: Callable[..., Recording],
) -> None:
    with pytest.raises(
        MeasurementError, match=r"differ in cases \(compiled, eager and compiled, script\)"
    ):
        comparable("forward", [recorded(data()), recorded(data(name="script"))])


def test_measurements_of_another_schema_are_not_compared(
    recorded: Callable[..., Recording],
) -> None:
    with pytest.raises(MeasurementError, match="has schema 2, this polytab reads 1"):
        comparable("forward", [recorded(data()), recorded({**data(), "schema": 2})])


def test_what_differs_only_in_date_and_version_is_compared(
    recorded: Callable[..., Recording],
) -> None:
    again = recorded(data(calls=500), date="2026-05-06", version="8.0")

    old, new = comparable("forward", [recorded(data()), again])

    assert (old.cases[0].calls, new.cases[0].calls) == (400, 500)


def test_cases_beyond_those_asked_for_may_differ(recorded: Callable[..., Recording]) -> None:
    pair = [recorded(data()), recorded(data(name="script"))]

    assert len(comparable("forward", pair, cases=["compiled"])) == 2
    with pytest.raises(MeasurementError, match="lacks the cases eager\n  it has compiled, script"):
        comparable("forward", pair, cases=["eager", "compiled"])


def test_an_unknown_benchmark_is_refused_with_those_there_are(
    recorded: Callable[..., Recording],
) -> None:
    with pytest.raises(MeasurementError, match="no benchmark `backward`\n  it has `forward`"):
        comparable("backward", [recorded(data())])
