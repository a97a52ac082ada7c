"""Every cell of a script is taken once, in the script's order, whatever the page does."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from polytab.export.cells import CodeCell, TextCell, TranslatedScript, assemble, rising
from polytab.export.pieces import Call, Piece, Prose
from polytab.model import Cell, Script

_LABELS = [f"c{number}" for number in range(6)]
_SOURCE = TranslatedScript(
    Script("p", "torch", Path("torch.py"), tuple(Cell(each, each, each, 1) for each in _LABELS)),
    {each: each for each in _LABELS},
    None,
)


def _taken(*pieces: Piece) -> list[str]:
    taken = assemble(pieces, {"torch": _SOURCE})
    return [cell.label if isinstance(cell, CodeCell) else f"“{cell.text}”" for cell in taken]


def _call(label: str) -> Call:
    return Call("torch", label)


@given(st.lists(st.sampled_from(_LABELS), max_size=10))
def test_every_cell_is_there_once_in_the_scripts_order(labels: list[str]) -> None:
    pieces: list[Piece] = [piece for each in labels for piece in (Prose(f"of {each}"), _call(each))]
    taken = assemble(pieces, {"torch": _SOURCE})
    assert [cell.label for cell in taken if isinstance(cell, CodeCell)] == _LABELS
    text = "\n\n".join(cell.text for cell in taken if isinstance(cell, TextCell)).split("\n\n")
    assert [each for each in text if each.startswith("of")] == [f"of {each}" for each in labels]


def test_cells_stand_where_the_page_calls_them() -> None:
    page: list[Piece] = [
        Prose("one"),
        _call("c0"),
        Prose("two"),
        Prose("# three"),
        _call("c1"),
        Prose("four"),
    ]
    assert _taken(*page) == [
        "“one”",
        "c0",
        "“two”",
        "“# three”",
        "c1",
        "c2",
        "c3",
        "c4",
        "c5",
        "“four”",
    ]


def test_a_cell_that_the_page_does_not_show_runs_before_those_after_it() -> None:
    assert _taken(_call("c0"), Prose("text"), _call("c3"))[:5] == ["c0", "c1", "c2", "“text”", "c3"]


def test_a_cell_out_of_turn_is_moved_alone_and_its_place_says_so() -> None:
    calls: list[Piece] = [_call("c0"), Prose("early"), _call("c5"), *map(_call, _LABELS[1:5])]
    taken = _taken(*calls)
    assert taken[0] == "c0"
    assert taken[1].startswith("“early\n\n*The cell `c5` runs at another place")
    assert taken[2:] == _LABELS[1:]


def test_a_cell_that_is_shown_twice_runs_once() -> None:
    assert _taken(_call("c0"), Prose("again"), _call("c0"))[-1] == "“again”"


@given(st.permutations(range(6)))
def test_the_longest_rising_row_is_found(numbers: list[int]) -> None:
    found = rising(numbers)
    assert found == sorted(found)
    assert [each for each in numbers if each in found] == found
    longest = max(
        mask.bit_count()
        for mask in range(64)
        if (row := [each for at, each in enumerate(numbers) if mask >> at & 1]) == sorted(row)
    )
    assert len(found) == longest
