"""Numbers, lists and dates as each language writes them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.interface.formats import (
    Formats,
    enumerated,
    machine,
    machine_details,
    sentences,
    separated,
)
from polytab.interface.messages import set_language
from polytab.model import Framework, Provenance
from polytab.recordings.limits import MACHINE_FACTS

EN, ZH, PT = Formats("en"), Formats("zh_CN"), Formats("pt_BR")
SPACE = "\N{NO-BREAK SPACE}"
SECONDS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


@pytest.mark.parametrize(
    ("seconds", "english"),
    [
        (1.5, "1.50 s"),
        (0.00053, "530 µs"),
        (0.0012345, "1.23 ms"),
        (9.996e-4, "1.00 ms"),
        (78.26e-6, "78.3 µs"),
        (3e-10, "0.300 ns"),
        (754.0, "754 s"),
    ],
)
def test_a_time_has_three_digits_and_its_unit(seconds: float, english: str) -> None:
    assert EN.time(seconds) == english.replace(" ", SPACE)
    assert ZH.time(seconds) == EN.time(seconds)
    assert PT.time(seconds) == EN.time(seconds).replace(".", ",")


@given(st.floats(min_value=1e-9, max_value=999.0))
def test_a_time_that_is_read_back_is_the_time_that_was_written(seconds: float) -> None:
    number, unit = EN.time(seconds).split(SPACE)
    assert float(number) * SECONDS[unit] == pytest.approx(seconds, rel=0.006)
    assert 1 <= float(number) < 1000


@pytest.mark.parametrize(
    ("value", "english"),
    [
        (1.0012, "1.00"),
        (0.944, "0.94"),
        (1.785, "1.78"),
        (5.24, "5.24"),
        (0.0123, "0.0123"),
        (14.07, "14.1"),
    ],
)
def test_an_end_of_an_interval_near_1_has_two_decimals(value: float, english: str) -> None:
    assert EN.bound(value) == english
    assert PT.bound(value) == english.replace(".", ",")


@pytest.mark.parametrize(
    ("value", "english"),
    [(1.4567, "1.46"), (1.4, "1.4"), (2.245, "2.25"), (1.0, "1.0"), (123.4, "123"), (0.0, "0")],
)
def test_a_factor_has_two_or_three_digits(value: float, english: str) -> None:
    assert EN.factor(value) == english
    assert ZH.factor(value) == english
    assert PT.factor(value) == english.replace(".", ",")


def test_a_large_factor_has_its_thousands_apart() -> None:
    assert [each.factor(2063.2) for each in (EN, ZH, PT)] == ["2,060", "2,060", "2.060"]


def test_the_time_of_a_tick_has_no_more_digits_than_it_needs() -> None:
    assert EN.tick(0.5e-3) == f"500{SPACE}µs"
    assert EN.tick(1.5e-3) == f"1.5{SPACE}ms"
    assert PT.tick(3 * 0.5e-3) == f"1,5{SPACE}ms"


def test_a_list_is_written_as_the_language_writes_it() -> None:
    names = ["PyTorch", "MXNet", "JAX"]
    assert EN.listed(names) == "PyTorch, MXNet and JAX"
    assert ZH.listed(names) == "PyTorch、MXNet和JAX"
    assert PT.listed(names) == "PyTorch, MXNet e JAX"
    assert [each.listed(["JAX"]) for each in (EN, ZH, PT)] == ["JAX"] * 3


def test_memory_is_written_in_binary_units() -> None:
    assert EN.size(3 * 2**20) == f"3.00{SPACE}MiB"
    assert PT.size(1536) == f"1,50{SPACE}KiB"


def test_the_origin_of_a_number_names_version_hardware_and_date() -> None:
    made = Provenance("3.11.7", "torch", "2.13.0", "A Processor", 2, "Linux", "2026-01-02", 1.0)
    torch = Framework("torch", "PyTorch", "torch")
    assert EN.origin(torch, made) == "PyTorch 2.13.0 · CPU: A Processor (2) · 2 January 2026"
    assert ZH.origin(torch, made).endswith("2026年1月2日")
    assert PT.origin(torch, made).endswith("2 de janeiro de 2026")


MADE = Provenance("3.11.7", "torch", "2.13.0", "AMD EPYC", 2, "Linux", "2026-01-02", 1.0)
FACTS = {"family": "25", "model": "1", "instructions": "AVX AVX2 AVX-512 VNNI", "virtual": "yes"}


def _on(**facts: str) -> Provenance:
    return replace(MADE, machine=tuple(facts.items()))


def test_a_machine_is_named_so_that_it_can_be_told_from_its_like() -> None:
    assert machine(_on(**FACTS)) == "CPU: AMD EPYC, family 25, AVX-512, 2 cores, virtual"
    older = _on(**(FACTS | {"instructions": "AVX FMA AVX2"}))
    assert machine(older) == "CPU: AMD EPYC, family 25, AVX2, 2 cores, virtual"
    newer = _on(instructions="AVX AVX2 AVX-512 VNNI AMX")
    assert machine(newer) == "CPU: AMD EPYC, AVX-512, AMX, 2 cores"
    arm = replace(_on(instructions="NEON SVE"), cores=1)
    assert machine(arm) == "CPU: AMD EPYC, SVE, 1 core"


@pytest.mark.parametrize(
    ("locale", "said", "details"),
    [
        ("zh_CN", "CPU：AMD EPYC，系列25，2核", "AMD EPYC；厂商：AMD；系列：25"),
        ("pt_BR", "CPU: AMD EPYC, família 25, 2 núcleos", "AMD EPYC; fabricante AMD; família 25"),
    ],
)
def test_a_machine_is_named_with_the_marks_of_the_language(
    locale: str, said: str, details: str
) -> None:
    on = _on(vendor="AMD", family="25")
    set_language(locale)
    try:
        assert (machine(on), machine_details(on, Formats(locale))) == (said, details)
        assert (Formats(locale).colon == "：") is (locale == "zh_CN")
    finally:
        set_language("en")


def test_parts_are_joined_in_their_order_and_nothing_is_nothing() -> None:
    assert (enumerated(["a", "b", "c"]), separated(["a", "b"])) == ("a, b, c", "a; b")
    assert (sentences(["A", "B"]), sentences(["{x}"]), sentences([])) == ("A. B", "{x}", "")


def test_a_recording_that_knows_little_of_its_machine_says_what_it_knows() -> None:
    assert machine(MADE) == "CPU: AMD EPYC (2)"
    assert machine_details(MADE, EN) == ""


def test_the_details_of_a_machine_are_all_that_is_known_of_it() -> None:
    every = dict.fromkeys(MACHINE_FACTS, "1")
    said = machine_details(_on(**every), EN)
    known = "vendor 1; family 1; model 1; stepping 1; instruction sets 1; caches 1"
    assert said.startswith(f"AMD EPYC; {known}")
    assert said.count(";") == len(MACHINE_FACTS)
    assert machine_details(_on(**FACTS), EN) == (
        "AMD EPYC; family 25; model 1; instruction sets AVX AVX2 AVX-512 VNNI"
    )


def test_amounts_of_a_machine_are_written_as_the_language_writes_numbers() -> None:
    amounts = {"caches": "L1d 48 KiB, L2 2 MiB", "memory": "23.5 GiB", "quota": "1.5"}
    on = _on(**amounts, libraries="OpenBLAS 0.3.31")
    said = {
        "en": "caches L1d 48 KiB, L2 2 MiB; limit, in cores 1.5; memory 23.5 GiB",
        "pt_BR": "caches L1d 48 KiB, L2 2 MiB; limite, em núcleos 1,5; memória 23,5 GiB",
        "zh_CN": "缓存：L1d 48 KiB，L2 2 MiB；可用核数上限：1.5；内存：23.5 GiB",
    }
    for locale, each in said.items():
        set_language(locale)
        try:
            told = machine_details(on, Formats(locale))
        finally:
            set_language("en")
        assert each in told.replace(SPACE, " ")
        assert f"23{told[told.index('23') + 2]}5{SPACE}GiB" in told
        assert told.endswith("OpenBLAS 0.3.31")
