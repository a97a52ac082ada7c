"""The expressions of roles and verdicts are read as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import PolytabError
from polytab.pages.numbers.expressions import (
    Comparison,
    Quantity,
    parse_comparison,
    parse_quantity,
)
from polytab.recordings.measurements import QUANTITIES

NAMES = (
    st.text(alphabet="abc XYZ019.-_é中", min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda name: name and "  " not in name)
)


@given(NAMES, NAMES, NAMES)
def test_a_comparison_is_read_as_it_is_written(benchmark: str, new: str, old: str) -> None:
    written = f"{benchmark}: {new} vs {old}"
    if new == old:
        with pytest.raises(PolytabError, match="no comparison"):
            parse_comparison(written)
    else:
        assert parse_comparison(written) == Comparison(benchmark, new, old)


@given(NAMES, NAMES)
def test_a_quantity_is_read_as_it_is_written(benchmark: str, case: str) -> None:
    assert parse_quantity(f"{benchmark}: {case}") == Quantity(benchmark, case)
    for what in QUANTITIES:
        assert parse_quantity(f"{benchmark}: {case} {what}") == Quantity(benchmark, case, what)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "forward",
        "forward:",
        "forward: compiled",
        "compiled vs eager",
        "forward compiled vs eager",
    ],
)
def test_what_is_no_comparison_is_told_how_one_is_written(text: str) -> None:
    with pytest.raises(PolytabError, match="no comparison") as caught:
        parse_comparison(text)
    assert (
        caught.value.hint
        == "write `forward: compiled vs eager`: how many times as fast the first is"
    )
