"""What measurements say: simulated ones, so that the right answer is known."""

from __future__ import annotations

import functools
import math
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polytab.errors import MeasurementError
from polytab.model import Case, Measurement
from polytab.recordings.plain_text import plain_text
from polytab.recordings.verdicts import (
    Ratio,
    Verdict,
    find_case,
    ratio,
    summary,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Noise = Callable[[random.Random], float]

SIMULATIONS = 100
SOAKED = 1000


def steady(source: random.Random) -> float:
    """Return a factor with 10 % noise."""
    return max(0.1, source.gauss(1, 0.1))


def calm(source: random.Random) -> float:
    """Return a factor with 5 % noise, as samples have that are long."""
    return source.gauss(1, 0.05)


def heavy_tailed(source: random.Random) -> float:
    """Return a factor that is now and then many times too large, as on a disturbed machine."""
    return 1 + 0.05 * source.paretovariate(1.1)


def two_modes(source: random.Random) -> float:
    """Return a factor of a processor that changes between two clock rates."""
    return source.gauss(1.5 if source.random() < 0.2 else 1, 0.02)


def simulate(  # noqa: PLR0913  # each is a knob of the simulated machine
    source: random.Random,
    factor: float,
    noise: Noise = steady,
    *,
    between: float = 0.0,
    shared: float = 0.0,
    processes: int = 3,
    samples: int = 40,
) -> Measurement:
    """Measure an old and a new case on a simulated machine; old takes `factor` times as long.

    Processes differ by `between` from case to case and by `shared` in all cases alike.
    """
    alike = [math.exp(source.gauss(0, shared)) for _ in range(processes)]

    def case(name: str, seconds: float) -> Case:
        rows: list[tuple[float, ...]] = []
        for process in alike:
            base = seconds * process * math.exp(source.gauss(0, between))
            rows.append(tuple(base * noise(source) for _ in range(samples)))
        return Case(name, processes * samples, (seconds,) * processes, tuple(rows))

    return Measurement("forward", (case("old", 1e-4 * factor), case("new", 1e-4)))


MACHINES: dict[str, tuple[Noise, dict[str, float]]] = {
    "20 samples with 10 % noise": (steady, {"samples": 20}),
    "processes that differ by 10 %, in all cases alike": (steady, {"shared": 0.1}),
    "processes that differ by 3 %, from case to case": (steady, {"between": 0.03}),
    "five such processes": (steady, {"between": 0.03, "processes": 5}),
    "heavy tails": (heavy_tailed, {}),
    "two modes": (two_modes, {}),
    "10 samples with 5 % noise": (calm, {"samples": 10}),
}


@functools.cache
def ratios(
    machine: str, factor: float, times: int = SIMULATIONS, seed: int = 0
) -> tuple[Ratio, ...]:
    """Return what many simulations of a machine find of this true factor."""
    noise, knobs = MACHINES[machine]
    source = random.Random(f"{machine} {factor} {seed}")  # noqa: S311  # must repeat
    return tuple(
        ratio(simulate(source, factor, noise, **knobs), "new", "old")  # type: ignore[arg-type]  # a knob is a number
        for _ in range(times)
    )


def share(found: Sequence[Ratio], *said: Verdict) -> float:
    """Return how many of these ratios get one of these verdicts."""
    return sum(verdict(each) in said for each in found) / len(found)


def called(found: Sequence[Ratio]) -> float:
    """Return how many of these ratios are called faster or slower."""
    return share(found, Verdict.FASTER, Verdict.SLOWER)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_null_difference_is_called_in_under_5_percent(machine: str) -> None:
    assert called(ratios(machine, 1.0)) < 0.05


@pytest.mark.parametrize("machine", list(MACHINES)[:3:2])
def test_a_factor_of_1_02_is_called_in_at_most_5_percent(machine: str) -> None:
    assert called(ratios(machine, 1.02)) <= 0.05


def least_found(machine: str) -> float:
    """Return the least share of simulations that must find a factor of 1.2."""
    # Three processes know little of how processes differ, and the interval says so.
    return 0.9 if machine == "processes that differ by 3 %, from case to case" else 0.95


@pytest.mark.parametrize("machine", MACHINES)
def test_a_factor_of_1_2_is_found_in_at_least_95_percent(machine: str) -> None:
    assert share(ratios(machine, 1.2), Verdict.FASTER) >= least_found(machine)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_interval_holds_the_true_factor(machine: str) -> None:
    held = sum(each.low <= 1.2 <= each.high for each in ratios(machine, 1.2))

    assert held / SIMULATIONS >= 0.93


@pytest.mark.soak
@pytest.mark.parametrize("machine", MACHINES)
def test_all_of_it_holds_in_thousands_of_simulations(machine: str, seeds: Iterator[int]) -> None:
    """It takes long because a share of one per cent shows in a thousand simulations only."""
    for seed in seeds:
        null, true = (ratios(machine, factor, SOAKED, seed) for factor in (1.0, 1.2))
        assert called(null) < 0.05, seed
        assert share(true, Verdict.FASTER) >= least_found(machine), seed
        assert sum(each.low <= 1.2 <= each.high for each in true) / SOAKED >= 0.93, seed


def constant(name: str, *processes: float) -> Case:
    """Return a case whose samples are all equal in each process."""
    rows = tuple((seconds,) * 20 for seconds in processes)
    return Case(name, 200, processes, rows)


def test_noise_within_a_process_is_not_all_the_noise_there_is() -> None:
    # Many equal samples in each process, and processes that contradict each other.
    measurement = Measurement(
        "forward", (constant("old", 1.3, 1.3, 0.9), constant("new", 1.0, 1.0, 1.0))
    )

    measured = ratio(measurement, "new", "old")

    assert measured.value == pytest.approx(1.3)
    assert measured.low < 0.9
    assert verdict(measured) is Verdict.UNDECIDED


def test_what_a_process_does_to_all_its_cases_cancels_out() -> None:
    measurement = Measurement(
        "forward", (constant("old", 2.0, 4.0, 16.0), constant("new", 1.0, 2.0, 8.0))
    )

    assert ratio(measurement, "new", "old") == Ratio(2.0, 2.0, 2.0)


def test_one_process_says_nothing_of_how_processes_differ() -> None:
    measured = ratio(simulate(random.Random(1), 3.0, processes=1), "new", "old")  # noqa: S311

    assert measured.value == pytest.approx(3.0, rel=0.1)
    assert (measured.low, measured.high) == (0.0, math.inf)
    assert verdict(measured) is Verdict.UNDECIDED


@given(st.integers(0, 2**32), st.floats(0.5, 2), st.integers(2, 5))
def test_a_vs_b_is_the_inverse_of_b_vs_a(seed: int, factor: float, processes: int) -> None:
    source = random.Random(seed)  # noqa: S311  # hypothesis chooses
    measurement = simulate(source, factor, between=0.05, processes=processes, samples=7)

    one, other = ratio(measurement, "new", "old"), ratio(measurement, "old", "new")

    assert one.value == pytest.approx(1 / other.value)
    assert one.low == pytest.approx(1 / other.high)
    assert one.high == pytest.approx(1 / other.low)


def test_equal_samples_give_equal_numbers() -> None:
    def made() -> Measurement:
        return simulate(random.Random(5), 1.1)  # noqa: S311  # must repeat

    measured = ratio(made(), "new", "old")

    assert measured == ratio(made(), "new", "old")
    # Held down as numbers: no other process and no other Python may find others.
    found = [measured.value, measured.low, measured.high]
    assert found == pytest.approx([1.130885, 1.062097, 1.188941], abs=1e-6)


@pytest.mark.parametrize(
    ("measured", "margin", "said"),
    [
        (Ratio(1.2, 1.06, 1.3), 0.05, "faster"),
        (Ratio(1.2, 1.05, 1.3), 0.05, "small"),
        (Ratio(1.2, 1.06, 1.3), 0.10, "small"),
        (Ratio(0.8, 0.7, 0.95), 0.05, "slower"),
        (Ratio(0.8, 0.7, 0.96), 0.05, "small"),
        (Ratio(1.0, 0.99, 1.01), 0.05, "same"),
        (Ratio(1.02, 1.01, 1.03), 0.05, "same"),
        (Ratio(1.0, 0.99, 1.01), 0.0, "undecided"),
        (Ratio(1.2, 1.0, 1.3), 0.05, "undecided"),
        (Ratio(1.5, 0.5, 2.5), 0.05, "undecided"),
        (Ratio(3.0, 0.0, math.inf), 0.05, "undecided"),
    ],
)
def test_a_verdict_needs_the_whole_interval(measured: Ratio, margin: float, said: str) -> None:
    assert verdict(measured, margin) == said


@given(st.floats(0.1, 10), st.floats(0.1, 10), st.floats(0, 1))
def test_a_verdict_turns_round_with_its_cases(one: float, other: float, margin: float) -> None:
    low, high = sorted((one, other))
    turned = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}
    gap = min(abs(math.log(end) - side * math.log1p(margin)) for end in (low, high)
              for side in (-1, 0, 1))  # fmt: skip
    assume(gap > 1e-9)  # nearer, 1 / x may round to the other side
    said = verdict(Ratio(low, low, high), margin)

    assert verdict(Ratio(1 / low, 1 / high, 1 / low), margin) is turned.get(said, said)


def test_a_bound_is_as_wide_above_1_as_below_it() -> None:
    assert Ratio(1.0, 0.8, 1.25).within(0.25)
    assert not Ratio(1.0, 0.79, 1.25).within(0.25)
    assert not Ratio(1.0, 0.8, 1.26).within(0.25)
    assert not Ratio(1.0, 0.0, math.inf).within(1.0)


def test_a_summary_counts_and_sorts_all_processes() -> None:
    case = Case("eager", 300, (9.0, 7.0, 8.0), ((1.0, 5.0), (2.0,), (3.0, 4.0)), memory=10)

    of = summary(case)

    assert (of.low_quartile, of.median, of.high_quartile) == (2.0, 3.0, 4.0)
    assert (of.calls, of.samples, of.processes) == (300, 5, 3)
    assert (of.first_call, of.memory) == (8.0, 10)


def test_an_unknown_case_is_refused_with_those_there_are() -> None:
    measurement = Measurement("forward", (constant("old", 1.0), constant("new", 1.0)))

    assert find_case(measurement, "new").name == "new"
    with pytest.raises(
        MeasurementError, match="`forward` has no case `xla`\n  it has `old`, `new`"
    ):
        ratio(measurement, "xla", "old")


def test_a_measurement_is_spelled_as_an_aligned_table() -> None:
    cases = (
        Case("eager", 60_000, (0.5, 0.5, 0.5), ((6.2e-5,) * 20,) * 3, memory=3 * 2**20),
        Case("whole graph", 60, (12.3456,) * 3, ((2.5,) * 20,) * 3),
    )

    assert plain_text(Measurement("forward", cases)).split("\n") == [
        "forward       median  quartiles           first call  calls  samples      peak",
        "eager        62.0 µs    62.0 µs  62.0 µs      500 ms  60000       60  3.00 MiB",
        "whole graph   2.50 s     2.50 s   2.50 s      12.3 s     60       60",
        "eager / whole graph = 0.0000248 (95 % interval: 0.0000248 to 0.0000248)",
    ]
