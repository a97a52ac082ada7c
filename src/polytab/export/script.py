"""Cells -> a plain Python script in percent format, which editors show as cells."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from polytab.export.cells import CodeCell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polytab.export.cells import ExportedCell


def script(cells: Iterable[ExportedCell]) -> str:
    """Write a script that runs to its end: what must fail is caught and told."""
    written = [_code(each) if isinstance(each, CodeCell) else _text(each.text) for each in cells]
    return "\n\n".join(written) + "\n"


def _text(text: str) -> str:
    safe = re.sub(r"^[ \t]*%%", r"\\\g<0>", text, flags=re.MULTILINE)  # else it would begin a cell
    return "\n".join(["# %% [markdown]", *(f"# {line}".rstrip() for line in safe.split("\n"))])


def _code(cell: CodeCell) -> str:
    code = cell.code
    if cell.raises:
        code = (
            f"import traceback\n\ntry:\n{indented(code)}\n"
            f"except BaseException:  # {cell.raises}\n    traceback.print_exc()"
        )
    return f"# %% {cell.label}\n{code}"


def indented(code: str) -> str:
    """Indent code by one step, but not what stands inside strings."""
    inside = {
        line
        for node in ast.walk(ast.parse(code))
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno is not None
        for line in range(node.lineno + 1, node.end_lineno + 1)
    }
    lines = enumerate(code.split("\n"), 1)
    return "\n".join(f"    {line}" if line and at not in inside else line for at, line in lines)
