"""A plain script runs to its end, and editors see its cells."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import jupytext
from hypothesis import given
from hypothesis import strategies as st

from polytab.export.cells import CodeCell, ExportedCell, TextCell
from polytab.export.script import indented, script

if TYPE_CHECKING:
    from pathlib import Path

_FIRST = 'text = """one\n  two"""\nprint(text)'
_CELLS: list[ExportedCell] = [
    TextCell("# Title\n\nSome *text*.\n\n%% no cell"),
    CodeCell("torch", "first", _FIRST),
    CodeCell(
        "torch", "fails", 'assert text == """one\n  two"""\nraise ValueError("x")', "ValueError"
    ),
    CodeCell("torch", "last", 'print("the end")'),
]


def test_it_runs_to_its_end_and_tells_what_failed(tmp_path: Path) -> None:
    path = tmp_path / "taken.py"
    path.write_text(script(_CELLS), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(path)], check=True, capture_output=True, text=True)
    assert ran.stdout == "one\n  two\nthe end\n"
    assert ran.stderr.endswith("ValueError: x\n")


def test_editors_see_its_cells() -> None:
    book = jupytext.reads(script(_CELLS[:2] + _CELLS[3:]), fmt="py:percent")
    assert [cell.cell_type for cell in book.cells] == ["markdown", "code", "code"]
    assert book.cells[0].source.startswith("# Title\n\nSome *text*.")
    assert book.cells[1].source == _FIRST


@given(
    st.lists(
        st.sampled_from(["x = 1", 's = """a\n b\n"""', 'f = f"""{x}\n  y"""', "# why\n\ny = 2"])
    )
)
def test_indenting_changes_no_string(statements: list[str]) -> None:
    code = "\n".join(["x = 0", *statements])
    block = ast.parse(f"if True:\n{indented(code)}").body[0]
    assert isinstance(block, ast.If)
    assert [ast.dump(each) for each in block.body] == [
        ast.dump(each) for each in ast.parse(code).body
    ]


def test_code_without_strings_is_indented_as_usual() -> None:
    code = "if x:\n    y = 1\n\nz = 2"
    assert indented(code) == textwrap.indent(code, "    ")
