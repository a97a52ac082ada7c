"""A computed quantity is written with its interval, or in words where it is no number."""

from __future__ import annotations

import math

import pytest

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.pages.numbers.derived_text import derived_text, interval_text
from polytab.pages.numbers.expressions import (
    Comparison,
    DerivedQuantity,
    Quantity,
    parse_measured,
)
from polytab.recordings.derived import Derived

EN = Formats("en")


@pytest.mark.parametrize(
    ("kind", "found", "text", "interval"),
    [
        ("break-even", (1233.2, 1001.0, 1500.0), "1,230", "95 % interval: 1,000 to 1,500"),
        ("break-even", (math.inf, math.inf, math.inf), "never", ""),
        ("break-even", (9.1, 7.5, math.inf), "not decided", "95 % interval: 8 to never"),
        ("excess", (2e-6, 1e-6, 3e-6), "2.00 µs", "95 % interval: 1.00 µs to 3.00 µs"),
        ("excess", (-2e-6, -3e-6, -1e-6), "-2.00 µs", "95 % interval: -3.00 µs to -1.00 µs"),
        ("excess", (2e-6, -1e-6, 3e-6), "not decided", "95 % interval: -1.00 µs to 3.00 µs"),
        ("share", (0.625, 0.5, 0.75), "62.5 %", "95 % interval: 50 % to 75 %"),
        ("share", (0.625, -math.inf, math.inf), "62.5 %", ""),
    ],
)
def test_a_quantity_is_a_number_or_says_why_it_is_none(
    kind: str, found: tuple[float, float, float], text: str, interval: str
) -> None:
    derived = Derived(*found)
    plain = str.maketrans("\N{NO-BREAK SPACE}\N{MINUS SIGN}", " -")
    assert derived_text(derived, kind, EN).translate(plain) == text
    assert interval_text(derived, kind, EN).translate(plain) == interval


def test_the_quantity_stands_behind_two_cases() -> None:
    found = parse_measured("batch: compiled vs eager at 64 break-even")
    compared = Comparison("batch", "compiled at 64", "eager at 64")
    assert found == DerivedQuantity(compared, "break-even")
    assert found.cases == ("compiled at 64", "eager at 64")
    assert parse_measured("batch: eager memory") == Quantity("batch", "eager", "memory")
    with pytest.raises(PolytabError, match="no comparison"):
        parse_measured("batch: eager vs eager share")
