"""The module that scripts measure with, run against a clock that the test sets."""

from __future__ import annotations

import gc
import importlib
import json
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from IPython.core.formatters import DisplayFormatter

from polytab.recordings.measurements import MIME, read_measurement, spell_measurement
from polytab.recordings.plain_text import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Machine:
    """A clock that moves only while one of its functions runs, and a log of what ran."""

    now: float = 0.0
    ran: list[str] = field(default_factory=list)
    collecting: list[bool] = field(default_factory=list)

    def function(self, name: str, seconds: float, first: float = 0.0) -> Callable[[], str]:
        """Return a function that takes so long, and longer on its first call."""

        def run() -> str:
            self.now += seconds + (first if name not in self.ran else 0.0)
            self.ran.append(name)
            self.collecting.append(gc.isenabled())
            return f"result of {name}"

        return run


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def measure(machine: Machine, kit: None) -> ModuleType:  # noqa: ARG001  # where it is imported from
    """Import the kit's `measure`, with the clock of our own."""
    module = importlib.import_module("measure")
    module.time = SimpleNamespace(perf_counter=lambda: machine.now)  # type: ignore[attr-defined]  # the module imports it
    return module


def cases(comparison: Any) -> dict[str, dict[str, Any]]:  # noqa: ANN401  # the helper has no types
    return {case["name"]: case for case in comparison.data["cases"]}


def test_the_seconds_of_one_call_are_found(machine: Machine, measure: ModuleType) -> None:
    made = measure.compare(
        "forward",
        eager=machine.function("eager", 0.002),
        compiled=machine.function("compiled", 0.001),
    )

    found = cases(made)
    assert list(found) == ["eager", "compiled"]
    assert found["eager"]["samples"] == [[pytest.approx(0.002)] * 20]
    assert found["compiled"]["samples"] == [[pytest.approx(0.001)] * 20]


def test_a_sample_is_as_many_calls_as_fit_into_5_milliseconds(
    machine: Machine, measure: ModuleType
) -> None:
    made = measure.compare("forward", eager=machine.function("eager", 0.0005))

    assert cases(made)["eager"]["calls"] == 20 * 10


def test_a_disturbance_while_warming_up_makes_no_shorter_samples(
    machine: Machine, measure: ModuleType
) -> None:
    run = machine.function("a", 0.0005)

    def disturbed() -> None:
        run()
        machine.now += 1.0 if len(machine.ran) == 3 else 0.0

    made = measure.compare("forward", a=disturbed)

    assert cases(made)["a"]["calls"] == 20 * 10


def test_the_call_that_may_compile_stays_out_of_the_samples(
    machine: Machine, measure: ModuleType
) -> None:
    made = measure.compare(
        "forward",
        eager=machine.function("eager", 0.001),
        compiled=machine.function("compiled", 0.001, first=15.0),
    )

    found = cases(made)["compiled"]
    assert (found["first_calls"], found["fresh"]) == ([], False)
    assert max(found["samples"][0]) == pytest.approx(0.001)


def test_every_case_is_warm_before_the_first_sample(machine: Machine, measure: ModuleType) -> None:
    measure.compare("forward", a=machine.function("a", 0.001), b=machine.function("b", 0.001))

    before = machine.collecting.index(False)
    assert machine.ran[:before].count("a") * 0.001 >= 0.02
    assert machine.ran[:before].count("b") * 0.001 >= 0.02


def test_cases_are_sampled_in_turn_and_none_is_always_first(
    machine: Machine, measure: ModuleType
) -> None:
    measure.compare("forward", {name: machine.function(name, 0.005) for name in "abc"})

    sampled = [name for name, on in zip(machine.ran, machine.collecting, strict=True) if not on]
    rounds = ["".join(sampled[at : at + 3]) for at in range(0, len(sampled), 3)]
    assert rounds[:4] == ["abc", "bca", "cab", "abc"]
    assert len(rounds) == 20


@pytest.mark.parametrize(
    ("a", "b", "samples"), [(0.0003, 0.01, 20), (0.001, 0.025, 14), (0.04, 3.0, 10), (3.0, 3.0, 10)]
)
def test_slow_cases_have_fewer_samples_and_all_of_a_comparison_the_same(
    machine: Machine, measure: ModuleType, a: float, b: float, samples: int
) -> None:
    made = measure.compare("slow", a=machine.function("a", a), b=machine.function("b", b))

    assert [len(each["samples"][0]) for each in cases(made).values()] == [samples] * 2


def test_two_quick_cases_take_less_than_half_a_second(
    machine: Machine, measure: ModuleType
) -> None:
    measure.compare("forward", a=machine.function("a", 0.0003), b=machine.function("b", 0.0101))

    assert machine.now < 0.5


def test_a_call_is_over_when_its_result_is_there(machine: Machine, measure: ModuleType) -> None:
    seen: list[str] = []

    def wait(result: str) -> None:
        machine.now += 0.1
        seen.append(result)

    made = measure.compare("forward", queued=machine.function("queued", 0.0001), wait=wait)

    assert cases(made)["queued"]["samples"][0][0] == pytest.approx(0.1001)
    assert set(seen) == {"result of queued"}
    assert len(seen) == len(machine.ran)


def test_no_garbage_is_collected_in_a_sample(
    machine: Machine, measure: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(len(machine.ran)))

    measure.compare("forward", a=machine.function("a", 0.01), b=machine.function("b", 0.01))

    sampled = [at for at, on in enumerate(machine.collecting) if not on]
    assert len(sampled) == 40
    assert set(sampled) <= set(collected)
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_what_a_case_raises_reaches_the_reader_and_garbage_is_collected_again(
    machine: Machine, measure: ModuleType
) -> None:
    run = machine.function("a", 0.01)

    def fails_later() -> None:
        run()
        if not gc.isenabled():
            raise FloatingPointError

    with pytest.raises(FloatingPointError):
        measure.compare("forward", a=fails_later)

    assert gc.isenabled()


def test_names_are_shown_with_spaces_and_may_be_any_text(
    machine: Machine, measure: ModuleType
) -> None:
    run = machine.function("run", 0.01)

    made = measure.compare("forward", {"jit.script": run}, whole_graph=run)

    assert list(cases(made)) == ["jit.script", "whole graph"]


def test_the_peak_of_memory_is_asked_for_case_by_case(
    machine: Machine, measure: ModuleType
) -> None:
    def memory(run: Callable[[], str]) -> int:
        run()
        return {"a": 2**20, "b": 3 * 2**20}[machine.ran[-1]]

    made = measure.compare(
        "forward", a=machine.function("a", 0.01), b=machine.function("b", 0.01), memory=memory
    )

    assert [case["memory"] for case in made.data["cases"]] == [2**20, 3 * 2**20]
    assert "3.00 MiB" in str(made)


def test_a_curve_has_each_case_at_each_value(machine: Machine, measure: ModuleType) -> None:
    def at(size: int) -> dict[str, Callable[[], str]]:
        return {
            "eager": machine.function(f"eager {size}", size * 1e-3),
            "compiled": machine.function(f"compiled {size}", size * 1e-4),
        }

    made = measure.sweep(
        "forward", "size", [1, 8], at, operations=lambda size: 2 * size, traffic=lambda size: size
    )

    points = [(each["name"], each["at"]) for each in made.data["cases"]]
    assert points == [("eager", 1), ("compiled", 1), ("eager", 8), ("compiled", 8)]
    assert made.data["over"] == "size"
    assert made.data["cases"][3]["samples"][0][0] == pytest.approx(8e-4)
    assert [each["operations"] for each in made.data["cases"]] == [2, 2, 16, 16]
    assert [each["traffic"] for each in made.data["cases"]] == [1, 1, 8, 8]
    assert str(made).split("\n")[-2:] == [
        "eager at 1 / compiled at 1 = 10",
        "eager at 8 / compiled at 8 = 10",
    ]


def test_a_point_of_a_curve_is_measured_before_the_next_is_made(
    machine: Machine, measure: ModuleType
) -> None:
    made: list[int] = []

    def at(size: int) -> dict[str, Callable[[], str]]:
        made.append(len(machine.ran))
        return {"a": machine.function(str(size), 0.01)}

    measure.sweep("forward", "size", [1, 2], at)

    assert made[0] == 0
    assert made[1] == machine.ran.index("2")


def test_times_that_a_script_took_are_shown_as_they_are(measure: ModuleType) -> None:
    made = measure.taken("queue", calls=10, finished=[0.3, 0.2], came_back=[0.1, 0.1])

    found = cases(made)
    assert found["finished"]["samples"] == [[0.3, 0.2]]
    assert found["came back"]["calls"] == 20
    assert "first call" not in str(made)


@pytest.fixture
def comparison(machine: Machine, measure: ModuleType) -> Any:  # noqa: ANN401  # the helper has no types
    return measure.compare(
        "forward",
        eager=machine.function("eager", 62.1e-6, first=0.0123),
        compiled=machine.function("compiled", 0.103, first=15.0),
    )


def test_a_terminal_shows_an_aligned_table(comparison: object) -> None:
    assert str(comparison).split("\n") == [
        "forward    median  quartiles           calls  samples",
        "eager     62.1 µs    62.1 µs  62.1 µs    810       10",
        "compiled   103 ms     103 ms   103 ms     10       10",
        "eager / compiled = 0.000603",
    ]


def test_a_notebook_shows_the_same_table_and_our_json(comparison: Any) -> None:  # noqa: ANN401
    bundle, metadata = DisplayFormatter().format(comparison)  # type: ignore[no-untyped-call]  # IPython's

    assert set(bundle) == {MIME, "text/plain"}
    assert bundle["text/plain"] == str(comparison)
    assert bundle[MIME] == comparison.data
    assert metadata == {}


def test_the_engine_reads_what_the_helper_writes(
    comparison: Any,  # noqa: ANN401
    machine: Machine,
    measure: ModuleType,
) -> None:
    curve = measure.sweep("c", "size", [1, 2], lambda _: {"a": machine.function("a", 0.01)})
    for made in (comparison, curve, measure.taken("t", a=[0.1, 0.2], b=[0.2, 0.4])):
        written = json.loads(json.dumps(made.data))

        measurement = read_measurement(written)

        assert spell_measurement(measurement) == written
        assert plain_text(measurement) == str(made)
