"""The inline block of a script: what it may say, and what is wrong and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.model import Needs
from tests.support.scripts import SHORT, complaint, script

if TYPE_CHECKING:
    from pathlib import Path


def _block(*lines: str) -> str:
    return "\n".join(("# Before it may stand comments.", "", "# /// polytab", *lines)) + "\n"


def test_a_script_without_a_block_has_the_defaults(tmp_path: Path) -> None:
    assert script(tmp_path, SHORT).needs() == Needs()


def test_a_block_says_what_the_script_needs(tmp_path: Path) -> None:
    block = _block(
        "# gpus = 2  # a comment",
        "#",
        "# timeout = 30",
        "# measures = true",
        '# data = ["b.csv", "a/b.csv", "b.csv"]',
        "# ///",
    )
    reader = script(tmp_path, block + SHORT)
    assert reader.needs() == Needs(2, 30, measures=True, data=("a/b.csv", "b.csv"))
    assert reader.block_line == 3
    assert [cell.label for cell in reader.cells()] == ["a"]


def test_a_block_in_a_string_is_no_block(tmp_path: Path) -> None:
    text = '# %% a\nx = """\n# /// polytab\n# gpus = 1\n# ///\n"""\n'
    assert script(tmp_path, text).needs() == Needs()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("# cpus = 2", "# ///"), "unknown key `cpus` in the inline block"),
        (("# gpus = true", "# ///"), "`gpus` in the inline block cannot be True"),
        (("# gpus = -1", "# ///"), "`gpus` in the inline block cannot be -1"),
        (("# gpus = 1.0", "# ///"), "`gpus` in the inline block cannot be 1.0"),
        (("# timeout = 0", "# ///"), "`timeout` in the inline block cannot be 0"),
        (("# timeout = true", "# ///"), "`timeout` in the inline block cannot be True"),
        (('# timeout = "1"', "# ///"), "`timeout` in the inline block cannot be '1'"),
        (("# measures = 1", "# ///"), "`measures` in the inline block cannot be 1"),
        (("# network = 1", "# ///"), "`network` in the inline block cannot be 1"),
        (('# data = "a.csv"', "# ///"), "`data` in the inline block cannot be 'a.csv'"),
        (("# data = [1]", "# ///"), "`data` in the inline block cannot be [1]"),
        (("# gpus = ", "# ///"), "inline block: Invalid value"),
        (("# gpus = 1", "# gpus = 1", "# ///"), "inline block: Cannot overwrite"),
        (("# gpus = " + "9" * 5000, "# ///"), "inline block: Exceeds the limit"),
        (("# data = " + "[" * 5000, "# ///"), "inline block: "),
        (("# gpus = 1",), "the inline block cannot be read to its end"),
        (("#gpus = 1", "# ///"), "the inline block cannot be read to its end"),
        (("", "# ///"), "the inline block cannot be read to its end"),
    ],
)
def test_a_block_that_is_not_as_it_must_be(
    tmp_path: Path, lines: tuple[str, ...], message: str
) -> None:
    error = complaint(tmp_path, _block(*lines) + SHORT)
    assert error.message.startswith(message)
    # The block begins on line 3; what is wrong in it has the line it stands on, where one is known.
    assert error.line == {"inline block: Cannot overwrite": 5}.get(message, 3 + _has_line(message))


def _has_line(message: str) -> bool:
    return message.startswith(("unknown", "`", "inline block: Invalid"))


@pytest.mark.parametrize("begun", ["#/// polytab", "# ///polytab", "# /// polytab "])
def test_a_block_that_is_begun_otherwise(tmp_path: Path, begun: str) -> None:
    error = complaint(tmp_path, f"{begun}\n# gpus = 1\n# ///\n{SHORT}")
    assert error.message == "the inline block cannot be read to its end"
    assert error.line == 1


def test_a_second_block(tmp_path: Path) -> None:
    error = complaint(tmp_path, _block("# ///") * 2 + SHORT)
    assert (error.line, error.message) == (7, "there is a second inline block")


def test_a_block_below_a_marker(tmp_path: Path) -> None:
    error = complaint(tmp_path, SHORT + _block("# gpus = 1", "# ///"))
    assert (error.line, error.message) == (5, "the inline block stands in a cell")
