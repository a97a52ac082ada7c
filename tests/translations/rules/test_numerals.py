from __future__ import annotations

from decimal import Decimal

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from polytab.translations.rules.numerals import numerals, spelled


def values(prose: str, locale: str) -> list[str]:
    """Return the values as they are, and those that are no number behind a `v`."""
    read = (each.value for each in numerals(prose, locale))
    return [f"v{value}" if isinstance(value, str) else f"{value.normalize():f}" for value in read]


@pytest.mark.parametrize(
    ("prose", "locale", "expected"),
    [
        ("0.5 and 1,000.25", "en", ["0.5", "1000.25"]),
        ("0,5 e 1.000,25", "pt_BR", ["0.5", "1000.25"]),
        ("0.5和1,000.25", "zh_CN", ["0.5", "1000.25"]),
        ("1\u202f000,5", "fr", ["1000.5"]),
        ("1\u202f000 e 1\u00a0000", "pt_BR", ["1000", "1000"]),
        ("1.000,5", "de", ["1000.5"]),
        ("2 million", "en", ["2000000"]),
        ("2,5 milhões, 3 mil", "pt_BR", ["2500000", "3000"]),
        ("1.5亿、2万", "zh_CN", ["150000000", "20000"]),
        ("1.5億、2万行", "ja", ["150000000", "20000"]),
        ("3.11.7 and 127.0.0.1", "en", ["v3.11.7", "v127.0.0.1"]),
        ("from -0.5 to \N{MINUS SIGN}1", "en", ["-0.5", "-1"]),
        ("x86-64, 2020-2021", "en", ["86", "64", "2020", "2021"]),
        ("from 1, 2, 3.", "en", ["1", "2", "3"]),
        ("in 2024. Then", "en", ["2024"]),
        ("no number", "en", []),
    ],
)
def test_a_number_is_read_in_its_locale(prose: str, locale: str, expected: list[str]) -> None:
    assert values(prose, locale) == expected


@given(
    st.decimals(min_value=0, max_value=10**9, places=2),
    st.sampled_from(["en", "zh_CN", "pt_BR", "de", "fr", "ja", "pl", "sv"]),
)
def test_what_babel_writes_is_read_back(value: Decimal, locale: str) -> None:
    prose = format_decimal(value, format="#,##0.##", locale=locale)
    assert [each.value for each in numerals(prose, locale)] == [value]


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("takes 2.13 seconds", [False]),
        ("needs PyTorch 2.13", [True]),
        ("needs Python 3.10, 3.11 and 3.12, in 0.5 s", [True, True, True, False]),
        ("version 2.0", [True]),
        ("v2.0", [True]),
        ("pre-2.0", [True]),
        ("newer than 2.0", [False]),
        (">= 2.0", [True]),
    ],
)
def test_a_number_behind_a_name_may_be_a_version(prose: str, expected: list[bool]) -> None:
    assert [each.version for each in numerals(prose, "en")] == expected


@pytest.mark.parametrize(
    ("value", "prose", "locale"),
    [
        (2, "Two GPUs", "en"),
        (5, "on May 3", "en"),
        (2, "两块GPU", "zh_CN"),
        (1, "uma vez", "pt_BR"),
        (100, "centenas de", "pt_BR"),
    ],
)
def test_a_small_number_may_be_spelled(value: int, prose: str, locale: str) -> None:
    assert spelled(Decimal(value), prose, locale)


def test_a_large_number_a_part_of_a_word_and_another_language_are_not_spelled() -> None:
    assert not spelled(Decimal(137), "one hundred and thirty-seven", "en")
    assert not spelled(Decimal(1), "gone", "en")
    assert not spelled(Decimal(2), "zwei", "de")
    assert not spelled("3.11.7", "three", "en")
