"""Reading measurements: what is refused, what is pooled."""

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
from polytab.model import Case, Measurement, Note
from polytab.recordings.measurements import (
    ADVICE,
    LARGEST,
    LONGEST,
    MIME,
    MOST_SAMPLES,
    SHORTEST,
    SMALLEST,
    measurements_of,
    read_measurement,
    spell_measurement,
)
from polytab.recordings.plain_text import plain_text
from polytab.recordings.pooling import pool
from polytab.recordings.verdicts import Verdict, ratio, summary, verdict
from tests.support.handbook import job, recording

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.model import Recording
    from polytab.settings import Settings

TIMES = st.floats(SHORTEST, LONGEST)
VALUES = st.integers(1, 10**9).map(float) | st.floats(SMALLEST, LARGEST)
NAMES = st.sampled_from(["eager", "compiled", "whole graph", "編譯", "a/b", "x64"])


@st.composite
def measurements(draw: st.DrawFn, name: str = "forward") -> Measurement:
    processes = draw(st.integers(1, 4))
    rows = st.lists(TIMES, min_size=1, max_size=6).map(tuple)
    cases = []
    for case in draw(st.lists(NAMES, unique=True, min_size=1, max_size=3)):
        samples = tuple(draw(st.lists(rows, min_size=processes, max_size=processes)))
        firsts = st.lists(TIMES, min_size=processes, max_size=processes)
        first_calls = tuple(draw(firsts | st.just([])))
        calls = sum(map(len, samples)) + draw(st.integers(0, 10**9))
        memory = draw(st.none() | st.integers(0, 2**40))
        threads = tuple(draw(st.dictionaries(NAMES, st.integers(0, 64), max_size=2)).items())
        fresh, cores = draw(st.booleans()), draw(st.none() | st.floats(0, 64))
        known = (case, calls, first_calls, samples, memory)
        cases.append(Case(*known, fresh=fresh, threads=threads, cores=cores))
    reason = draw(st.none() | NAMES)
    if not draw(st.booleans()):
        rules = draw(st.lists(st.sampled_from(sorted(ADVICE)), max_size=2))
        notes = tuple(Note(cases[0].name, rule, "so") for rule in rules)
        return Measurement(name, tuple(cases), None, reason, notes)
    values = draw(st.lists(VALUES, unique=True, min_size=1, max_size=3))
    counts = st.none() | st.integers(0, 10**15)
    points = (
        replace(case, at=value, operations=draw(counts), traffic=draw(counts))
        for value in values
        for case in cases
    )
    return Measurement(name, tuple(points), "batch size", reason)


def data(**changed: object) -> dict[str, Any]:
    """Return a good measurement of two cases in two processes; `changed` changes the first."""
    case = {
        "name": "eager",
        "calls": 400,
        "first_calls": [0.5, 0.25],
        "samples": [[1e-4, 2e-4], [3e-4, 4e-4]],
        "memory": None,
        "at": None,
        "operations": None,
        "traffic": None,
        "fresh": False,
        "threads": {"torch": 2},
        "cores": 1.5,
    }
    other = {**copy.deepcopy(case), "name": "compiled"}
    cases = [{**case, **changed}, other]
    about: dict[str, object] = {"threads": None, "notes": []}
    return {"schema": 3, "name": "forward", "over": None, "cases": cases, **about}


def noted(**changed: object) -> dict[str, Any]:
    """Return a good measurement with a note; `changed` changes it."""
    note = {"case": "eager", "rule": "works on", "detail": "1.0 cores", **changed}
    return {**data(), "notes": [note]}


def curve(*values: object) -> dict[str, Any]:
    """Return a good curve of one case."""
    point = data()["cases"][0]
    points = [{**copy.deepcopy(point), "at": value} for value in values]
    return {**data(), "over": "batch size", "cases": points}


def without(entry: str) -> dict[str, Any]:
    made = data()
    del made["cases"][0][entry]
    return made


REFUSED = {
    "no JSON object": ([], "the measurement is not an object but a list"),
    "another schema": ({**data(), "schema": 4}, "has schema 4, this polytab reads 3"),
    "a newer entry in an old schema": ({**data(), "schema": 1}, "has an unknown entry 'over'"),
    "notes in an old schema": ({**data(), "schema": 2}, "has an unknown entry 'threads'"),
    "notes that are none": ({**data(), "notes": {}}, "`notes` is not a list but an object"),
    "a note on nothing": (noted(case="x"), "a note is on `x`, which is no case"),
    "a note of a kind of its own": (noted(rule="x"), "a note has the unknown rule `x`"),
    "a note of two lines": (noted(detail="a\nb"), r"a note holds 'a\nb', which is no line of text"),
    "a reason that is none": ({**data(), "threads": 3}, "`threads` holds 3, which is no line"),
    "fresh, more or less": (data(fresh=0.5), "`fresh` is a number, not a truth value"),
    "threads by halves": (data(threads={"a": 0.5}), "`threads` is no count: 0.5"),
    "threads of nobody": (data(threads=[2]), "`threads` is not an object but a list"),
    "cores below none": (data(cores=-1), "`cores`: -1 is no number of cores"),
    "cores in words": (data(cores="two"), "`cores`: two is no number of cores"),
    "a curve of nothing": ({**data(), "over": "size"}, "`over` and `at` of `eager` must be given"),
    "a value of nothing": (data(at=8), "`over` and `at` of `eager at 8` must be given together"),
    "a curve with no name": ({**curve(8), "over": ""}, "`over` has the name ''"),
    "a point twice": (curve(8, 8.0), "has two cases `eager at 8`"),
    "a value of zero": (curve(0), "0 is no value of a curve: use 0.001 to 1e+15"),
    "a value that is none": (curve(math.nan), "nan is no value of a curve"),
    "a value in words": (curve("eight"), "`at`: text is no value of a curve"),
    "operations by halves": (data(operations=0.5), "`operations` is no count: 0.5"),
    "less than no traffic": (data(traffic=-1), "`traffic` is no count: -1"),
    "a name like a point": (data(name="eager at 8"), "has the name 'eager at 8'"),
    "a name like a rate": (data(name="eager rate"), "has the name 'eager rate'"),
    "no schema": ({"name": "forward", "cases": []}, "has schema None"),
    "no name": ({"schema": 2, "over": None, "cases": []}, "the measurement has no `name`"),
    "an unknown entry": ({**data(), "unit": "ms"}, "has an unknown entry 'unit'"),
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
    "memory that no machine has": (
        data(memory=10**400),
        f"`memory` is no count: 1{'0' * 23}",
    ),
    "more operations than can be": (
        data(operations=10**18 + 1),
        "is no count: 1000000000000000001",
    ),
    "traffic in words": (data(traffic="much"), "`traffic` is no count: text"),
    "a value of many digits": (curve(10**400), "000 is no value of a curve: use 0.001 to 1e+15"),
    "a time of many digits": (data(first_calls=[10**400, 1]), "000 s is no time: it must be"),
    "an entry of two lines": ({**data(), "a\nb": 1}, r"has an unknown entry 'a\nb'"),
    "a schema in two lines": ({**data(), "schema": "1\n"}, r"has schema '1\n'"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_bad_measurement_is_refused_with_one_clear_message(why: str) -> None:
    bad, words = REFUSED[why]

    with pytest.raises(MeasurementError) as caught:
        read_measurement(bad)

    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.message.startswith("the measurement")
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
        measured = ratio(measurement, case.full_name, measurement.cases[0].full_name)
        assert 0 <= measured.low <= measured.value <= measured.high
        assert verdict(measured) in Verdict


@given(measurements(), st.data())
def test_a_pool_has_the_samples_of_its_parts_process_by_process(
    first: Measurement, draw: st.DataObject
) -> None:
    def again(case: Case) -> Case:
        row = tuple(draw.draw(st.lists(TIMES, min_size=1, max_size=4)))
        memory = draw.draw(st.none() | st.just(7))
        first = row[:1] if case.first_calls else ()
        return replace(case, calls=len(row), first_calls=first, samples=(row,), memory=memory)

    second = replace(first, cases=tuple(again(case) for case in first.cases))

    pooled = pool([first, second])

    assert (pooled.name, pooled.over) == (first.name, first.over)
    for whole, a, b in zip(pooled.cases, first.cases, second.cases, strict=True):
        assert (whole.full_name, whole.calls) == (a.full_name, a.calls + b.calls)
        assert (whole.operations, whole.traffic) == (a.operations, a.traffic)
        assert whole.samples == a.samples + b.samples
        assert whole.first_calls == a.first_calls + b.first_calls
        known = [each for each in (a.memory, b.memory) if each is not None]
        assert whole.memory == max(known, default=None)


def test_the_first_schema_is_still_read() -> None:
    case = {"name": "eager", "calls": 4, "first_calls": [1], "samples": [[1, 2]], "memory": None}

    read = read_measurement({"schema": 1, "name": "forward", "cases": [case]})

    assert read.over is None
    assert (read.cases[0].full_name, read.cases[0].operations) == ("eager", None)


def test_a_point_of_a_curve_is_called_by_its_value() -> None:
    read = read_measurement(curve(8, 0.5, 1 << 40))

    assert [case.full_name for case in read.cases] == [
        "eager at 8",
        "eager at 0.5",
        f"eager at {1 << 40}",
    ]


def test_processes_that_count_otherwise_are_not_pooled() -> None:
    with pytest.raises(MeasurementError, match="cannot be pooled"):
        pool([read_measurement(data(operations=7)), read_measurement(data(operations=8))])


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
