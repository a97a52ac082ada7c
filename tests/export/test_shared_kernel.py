"""Two scripts share a notebook only where neither can disturb the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from polytab.export.shared_kernel import can_share
from polytab.model import Cell, Script


def _script(framework: str, *codes: str) -> Script:
    cells = tuple(Cell(f"c{at}", code, code, at) for at, code in enumerate(codes))
    return Script("page", framework, Path(f"{framework}.py"), cells)


ONE_AFTER_THE_OTHER = ["python", "python", "torch"]
IN_TURN = ["python", "torch", "python"]


@pytest.mark.parametrize(
    ("plain", "torch", "order", "shared"),
    [
        ("x = 1", "y = 2", IN_TURN, True),
        ("x = 1", "x = 2", ONE_AFTER_THE_OTHER, True),
        ("x = 1", "x = 2", IN_TURN, False),
        ("x = 1", "def f():\n    return x\nx = 2", IN_TURN, False),
        ("import time", "import time", IN_TURN, True),
        ("import time", "from time import time", IN_TURN, False),
        ("input = 1", "print(input())", ONE_AFTER_THE_OTHER, False),
        ("input = 1", "def f():\n    return input()", ONE_AFTER_THE_OTHER, False),
        ("input = 1", "input = 2\nprint(input)", ONE_AFTER_THE_OTHER, True),
        ("print(input)", "input = 2", ONE_AFTER_THE_OTHER, True),
    ],
)
def test_sharing(plain: str, torch: str, order: list[str], *, shared: bool) -> None:
    assert can_share(_script("python", plain), _script("torch", torch), order) is shared
    assert can_share(_script("torch", torch), _script("python", plain), order) is shared
