"""What fits into a budget is chosen: what is named, and of the others a turn of the day."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from polytab.recordings.plan import ScriptState
from polytab.runner.turns import SHARE, choose_turn, cost, deal
from tests.support.handbook import job

if TYPE_CHECKING:
    from polytab.settings import Settings

_SECONDS = st.lists(st.none() | st.floats(0, 500), max_size=12)


def _states(handbook: Settings, seconds: list[float | None]) -> list[ScriptState]:
    plain = job(handbook)
    return [
        ScriptState(
            replace(plain, script=replace(plain.script, page=f"page{number}"), seconds=each), None
        )
        for number, each in enumerate(seconds)
    ]


@given(_SECONDS, st.floats(1, 1000))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_script_is_in_exactly_one_turn_and_each_turn_fits(
    handbook: Settings, seconds: list[float | None], budget: float
) -> None:
    states = _states(handbook, seconds)
    turns = deal(states, budget)
    names = sorted(state.job.name for turn in turns for state in turn)
    assert names == sorted(state.job.name for state in states)
    assert all(len(turn) == 1 or cost(turn) <= budget for turn in turns)


@given(_SECONDS, st.integers(0, 12), st.floats(0.1, 60), st.integers(0, 1_000_000))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_not_chosen_is_left_out_and_nothing_is_both(
    handbook: Settings, seconds: list[float | None], first: int, minutes: float, day: int
) -> None:
    states = _states(handbook, seconds)
    turn = choose_turn(states[:first], states, minutes, day)
    names = [state.job.name for state in (*turn.chosen, *turn.left_out)]
    assert sorted(names) == sorted(state.job.name for state in states)
    assert len(turn.chosen) <= 1 or cost(turn.chosen) <= minutes * 60 * SHARE
    assert bool(turn.chosen) is bool(states)
    if first and states:
        assert turn.chosen[0] == states[0]


def test_after_as_many_days_as_turns_all_were_chosen(handbook: Settings) -> None:
    states = _states(handbook, [100.0] * 9)
    turns = choose_turn((), states, 5 / SHARE, 0).turns
    assert turns == 3
    chosen = [
        {state.job.name for state in choose_turn((), states, 5 / SHARE, day).chosen}
        for day in range(turns)
    ]
    assert set().union(*chosen) == {state.job.name for state in states}
    assert [len(each) for each in chosen] == [3, 3, 3]


@pytest.mark.parametrize(("first", "names"), [(2, ["page0", "page1"]), (1, ["page0"])])
def test_what_is_named_comes_first_and_what_is_too_long_for_the_rest_waits(
    handbook: Settings, first: int, names: list[str]
) -> None:
    states = _states(handbook, [200.0, 90.0, 250.0])
    turn = choose_turn(states[:first], states[:2], 5 / SHARE, 3)
    chosen = [state.job.script.page for state in turn.chosen]
    assert chosen[: len(names)] == names
