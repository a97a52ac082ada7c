"""A break-even has moved where a reader would plan otherwise, and not where it only scatters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.model import Case, Measurement
from polytab.recordings.derived import Derived, break_even_move, break_evens
from polytab.recordings.factors import Move

if TYPE_CHECKING:
    from collections.abc import Sequence

NEVER = Derived(math.inf, math.inf, math.inf)
OPEN = Derived(100.0, 40.0, math.inf)


def _about(calls: float, spread: float = 1.2) -> Derived:
    return Derived(calls, calls / spread, calls * spread)


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [
        (_about(80), _about(400), Move.UP),
        (_about(400), _about(80), Move.DOWN),
        (_about(80), _about(130), None),
        (_about(80), _about(400, 6), None),
        (_about(80), NEVER, Move.UP),
        (NEVER, _about(80), Move.DOWN),
        (NEVER, NEVER, None),
        (OPEN, NEVER, None),
        (OPEN, _about(400), None),
        (OPEN, _about(4), Move.DOWN),
    ],
)
def test_a_break_even_has_moved_where_a_reader_would_plan_otherwise(
    before: Derived, after: Derived, way: Move | None
) -> None:
    assert break_even_move(before, after) is way


def test_elsewhere_only_never_against_a_number_counts() -> None:
    assert break_even_move(_about(80), _about(4000), elsewhere=True) is None
    assert break_even_move(_about(80), NEVER, elsewhere=True) is Move.UP


@given(*[st.floats(1, 1e6)] * 2, *[st.floats(1, 4)] * 2)
def test_what_moved_one_way_has_moved_the_other_way_seen_from_there(
    one: float, other: float, near: float, far: float
) -> None:
    there = break_even_move(_about(one, near), _about(other, far))
    back = break_even_move(_about(other, far), _about(one, near))
    assert {there, back} in ({None}, {Move.UP, Move.DOWN})


def _measured(first: float, later: float) -> Measurement:
    """Three processes without scatter; the plain case takes 2 s from its first call on."""

    def case(name: str, first_call: float, call: float) -> Case:
        samples: Sequence[tuple[float, ...]] = ((call, call, call),) * 3
        return Case(name, 1, (first_call,) * 3, tuple(samples), fresh=True)

    return Measurement("step", (case("plain", 2.0, 2.0), case("compiled", first, later)))


def test_each_of_two_cases_is_asked_when_it_is_ahead_of_the_other() -> None:
    told = [str(each) for each in break_evens(_measured(12.0, 1.0))]
    assert told == [
        "plain vs compiled break-even: never",
        "compiled vs plain break-even: 11 calls (11 to 11)",
    ]
