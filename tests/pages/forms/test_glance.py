"""A table of the frameworks leaves none out, and each row's numbers are of its framework."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.forms_site import write_forms
from tests.support.numbers_site import COMPILED_WINS, complaints, words

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from tests.support.built import Built

ROWS = {"PyTorch": "| PyTorch | yes |", "JAX": "| JAX | no |", "MXNet": "| MXNet | no |"}


def rows(built: Built) -> list[Tag]:
    return built.page("speed").select(".glance tbody tr")


def cells(row: Tag) -> list[str]:
    """Return what the cells of a row say, without the origins of numbers."""
    for hidden in row.select(".number-origin"):
        hidden.decompose()
    return [words(each) for each in row.select("th, td")]


def test_a_row_begins_with_its_framework_as_a_heading(built: Built) -> None:
    heads = [words(each) for row in rows(built) for each in row.select("th")]
    assert heads == ["PyTorch", "JAX", "MXNet"]


def test_a_number_is_that_of_its_row(built: Built) -> None:
    assert [cells(row)[1:] for row in rows(built)] == [
        ["torch.compile", "1.46"],
        ["jax.jit", "5.50 ms"],
        ["hybrid blocks", "nothing here"],
    ]


def test_another_recording_changes_the_table_with_no_edit(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    assert cells(rows(site.build())[1])[2] == "5.50 ms"
    site.record("jax", COMPILED_WINS)
    assert cells(rows(site.build())[1])[2] == "146 µs"


def glance(*lines: str) -> str:
    table = "\n".join(["| | Compiles |", "|---|---|", *lines])
    return f"# Speed\n\n:::{{glance}}\n{table}\n:::\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([ROWS["PyTorch"], ROWS["MXNet"]], "no row for JAX, which this page speaks of"),
        ([*ROWS.values(), "| ONNX | no |"], "the row `ONNX` is no framework"),
        ([*ROWS.values(), ROWS["JAX"]], "JAX has two rows"),
        ([*ROWS.values(), "", "And more."], "a glance holds one table and nothing else"),
    ],
    ids=["missing", "unknown", "twice", "more"],
)
def test_what_is_wrong_with_a_table_is_said(tmp_path: Path, lines: list[str], said: str) -> None:
    site = write_forms(tmp_path)
    site.write("docs/speed.md", glance(*lines))
    [(line, text)] = complaints(site.build(), "speed")
    assert line == 3
    assert text.startswith(said)


def test_a_table_of_all_is_right(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    site.write("docs/speed.md", glance(*ROWS.values()))
    assert site.build().warnings == ""
