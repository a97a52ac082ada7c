"""A factor has moved where a reader would notice, and not where it only scatters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.model import Case, Measurement
from polytab.recordings.factors import NOTICED, WIDEST, Factor, Move, factors, move, move_again
from polytab.recordings.verdicts import Ratio


def _about(value: float, spread: float = 1.02) -> Ratio:
    return Ratio(value, value / spread, value * spread)


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [
        (13.6, 1.0, Move.DOWN),
        (1.0, 13.6, Move.UP),
        (1.5, 1.0, Move.DOWN),
        (0.5, 1.0, Move.UP),
        (2.0, 2.8, Move.UP),
        (2.0, 2.3, None),
        (1.0, 1.2, None),
        (1.2, 1.0, None),
        (400.0, 200.0, None),
        (400.0, 20.0, Move.DOWN),
        (0.0025, 0.005, None),
    ],
)
def test_a_factor_has_moved_where_a_reader_would_notice(
    before: float, after: float, way: Move | None
) -> None:
    assert move(_about(before), _about(after)) is way


def test_a_factor_whose_intervals_meet_has_not_moved() -> None:
    assert move(_about(2.0, 1.3), _about(1.0, 1.6)) is None
    assert move(_about(2.0, 1.3), _about(1.0, 1.5)) is Move.DOWN
    assert move(_about(13.6), Ratio(1.0, 0.0, math.inf)) is None


def test_elsewhere_the_verdict_must_have_changed_too() -> None:
    assert move(_about(4.0), _about(2.0), elsewhere=True) is None
    assert move(_about(4.0), _about(1.0), elsewhere=True) is Move.DOWN
    assert move(_about(1.4), _about(1.0), elsewhere=True) is None


def test_what_moved_must_move_again_beyond_the_scatter_of_all() -> None:
    tight, loose = _about(1.5, 1.001), _about(1.0, 1.3)
    assert move(tight, _about(1.0, 1.1)) is Move.DOWN
    assert move_again(tight, _about(1.0, 1.1), _about(1.0, 1.1)) is Move.DOWN
    assert move_again(tight, loose, loose) is None
    assert move_again(tight, _about(1.0), _about(1.45)) is None
    assert move_again(tight, _about(1.0), _about(2.5)) is None
    assert move_again(Ratio(2.0, 0.0, math.inf), _about(1.0), _about(1.0)) is None


_VALUES = st.floats(0.4, 2.5)
_SPREADS = st.floats(1.001, 2)


@given(_VALUES, _VALUES, _SPREADS, _SPREADS)
def test_what_moved_one_way_has_moved_the_other_way_seen_from_there(
    one: float, other: float, near: float, far: float
) -> None:
    there, back = (
        move(*pair)
        for pair in (
            (_about(one, near), _about(other, far)),
            (_about(other, far), _about(one, near)),
        )
    )
    assert (there is None) is (back is None)
    assert there is None or there is not back


@given(_VALUES, _SPREADS, st.floats(1 / NOTICED + 0.01, NOTICED - 0.01))
def test_what_is_not_noticed_has_never_moved(value: float, spread: float, by: float) -> None:
    assert move(_about(value, spread), _about(value * by, 1.0001)) is None


def test_each_pair_at_one_value_is_a_factor_and_has_a_name() -> None:
    rows = ((1.0, 1.01), (1.02, 1.0), (0.99, 1.0))
    cases = tuple(
        Case(name, 6, (1.0,) * 3, rows, at=at) for at in (8.0, 64.0) for name in ("eager", "jit")
    )
    found = list(factors(Measurement("forward", cases, "size")))
    assert [each.name for each in found] == [
        "forward: jit at 8 vs eager at 8",
        "forward: jit at 64 vs eager at 64",
    ]
    assert str(found[0]).startswith("jit at 8 vs eager at 8: 1 (")


def test_a_wide_interval_cannot_be_held() -> None:
    narrow, wide = (_about(1.0, math.sqrt(WIDEST) * by) for by in (0.99, 1.01))
    assert Factor("a", "b", "c", narrow).is_held
    assert not Factor("a", "b", "c", wide).is_held
    one_process = Factor("a", "b", "c", Ratio(1.0, 0.0, math.inf))
    assert not one_process.is_held
    assert str(one_process) == "b vs c: 1, undecided"
