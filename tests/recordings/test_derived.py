"""A break-even, an excess and a share are computed from samples, and say how sure they are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import MeasurementError
from polytab.model import Case, Measurement
from polytab.recordings.derived import KINDS, derive

TIMES = st.floats(1e-6, 10.0)


def case(name: str, firsts: tuple[float, ...], *samples: float, fresh: bool = True) -> Case:
    """Return a case with these samples in each process."""
    return Case(name, 100, firsts, (samples,) * len(firsts), fresh=fresh)


def measured(new: Case, old: Case) -> Measurement:
    return Measurement("forward", (old, new))


def test_without_scatter_the_formulas_hold_exactly() -> None:
    one = measured(case("new", (10.0,) * 3, 1.0), case("old", (4.0,) * 3, 3.0))
    found = derive(one, "break-even", "new", "old")
    assert (found.value, found.low, found.high) == (4.0, 4.0, 4.0)
    assert found.decided
    assert derive(one, "excess", "old", "new").value == 2.0
    assert derive(one, "share", "new", "old").low == pytest.approx(1 / 3)


def test_what_saves_nothing_is_never_ahead() -> None:
    found = derive(
        measured(case("new", (10.0,) * 3, 3.0), case("old", (4.0,) * 3, 1.0)),
        *("break-even", "new", "old"),
    )
    assert found.never
    assert found.decided


def test_what_saves_something_from_the_first_call_on_is_ahead_at_once() -> None:
    found = derive(
        measured(case("new", (2.0,) * 3, 1.0), case("old", (4.0,) * 3, 3.0)),
        *("break-even", "new", "old"),
    )
    assert (found.value, found.high) == (1.0, 1.0)


def test_what_may_save_something_or_nothing_is_not_decided() -> None:
    scattered = Case("new", 9, (9.0,) * 3, ((0.8,) * 9, (1.0,) * 9, (1.3,) * 9), fresh=True)
    found = derive(measured(scattered, case("old", (4.0,) * 3, 1.1)), *("break-even", "new", "old"))
    assert math.isfinite(found.low)
    assert math.isinf(found.high)
    assert not found.decided


def test_first_calls_that_were_not_the_first_are_no_price() -> None:
    old = case("old", (4.0,) * 3, 3.0, fresh=False)
    with pytest.raises(MeasurementError, match="no first call of `old` was timed"):
        derive(measured(case("new", (9.0,) * 3, 1.0), old), "break-even", "new", "old")
    assert derive(Measurement("forward", (old,)), "share", "old", "old").value == 1.0


@given(st.sampled_from(KINDS), st.data(), st.integers(1, 4))
def test_a_value_lies_in_its_interval_and_repeats(
    kind: str, draw: st.DataObject, processes: int
) -> None:
    rows = st.lists(TIMES, min_size=2, max_size=5).map(tuple)

    def any_case(name: str) -> Case:
        firsts = tuple(draw.draw(st.lists(TIMES, min_size=processes, max_size=processes)))
        samples = tuple(draw.draw(st.lists(rows, min_size=processes, max_size=processes)))
        return Case(name, 100, firsts, samples, fresh=True)

    one = measured(any_case("new"), any_case("old"))
    found = derive(one, kind, "new", "old")
    assert found.low <= found.value <= found.high
    assert derive(one, kind, "new", "old") == found
    if processes == 1:
        assert found.high == math.inf
