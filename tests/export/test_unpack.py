"""What a script brings along is laid out by code, and nothing of the reader's is replaced."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.export.unpack import quoted, unpacking_code
from polytab.model import SideFile

if TYPE_CHECKING:
    from pathlib import Path

HELPERS = {
    "measure.py": '"""Say it."""\n\n# It\'s one.\nSAID = r"a\\n"\n',
    "odd.py": "A = '''b'''\n",
}
DATA = [SideFile("points.csv", b"1\r\n2\n"), SideFile("deep/noise.bin", bytes(range(256)))]
_LOOK = """
import measure, odd, sys
print(repr(measure.SAID), odd.A, measure.__file__.startswith(sys.path[0]))
print(Path("points.csv").read_bytes(), Path("deep/noise.bin").read_bytes() == bytes(range(256)))
"""


def _run(code: str, folder: Path) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=folder
    ).stdout  # fmt: skip


def test_modules_and_data_are_there_and_nothing_else_is(tmp_path: Path) -> None:
    said = _run(unpacking_code(HELPERS, DATA) + _LOOK, tmp_path)
    assert said == "'a\\\\n' b True\nb'1\\r\\n2\\n' True\n"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "noise.bin", "points.csv"]


def test_what_is_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / "measure.py").write_text("MINE = 1\n")
    (tmp_path / "points.csv").write_text("mine")
    _run(unpacking_code(HELPERS, DATA), tmp_path)
    assert (tmp_path / "measure.py").read_text() == "MINE = 1\n"
    assert (tmp_path / "points.csv").read_text() == "mine"


def test_a_module_reads_as_it_is_written() -> None:
    assert HELPERS["measure.py"] in unpacking_code(HELPERS, [])


@pytest.mark.parametrize("text", ["", "a'", "'''", "\\", "\r\n", "\0", "é\t中\n", "a\u2028b"])
def test_every_text_is_quoted_as_it_is(text: str) -> None:
    assert eval(quoted(text)) == text  # noqa: S307  # that is what is tested


@given(st.text(st.sampled_from("a'\\\n\r\t\"é\0\x85"), max_size=9))
def test_any_text_is_quoted_as_it_is(text: str) -> None:
    assert eval(quoted(text)) == text  # noqa: S307


def test_nothing_to_carry_is_no_code() -> None:
    assert unpacking_code({}, []) == ""
