"""The line of a script at which a cell has failed, as its author's editor counts.

A traceback counts the lines of what was run: of the cell without comments and blank lines. That is
what a recording holds; an author is told the line of `snippets/<page>/<framework>.py`.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from polytab.scripts.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from polytab.model import Cell


def failed_line(cell: Cell, trace: Sequence[str], path: Path) -> int:
    """Return the line in the script's file of the last frame that is this cell's own.

    It is the line of the cell's marker where the traceback has no such frame. A worker has no file:
    there, blank lines right below the marker are not counted.
    """
    frames = re.findall(rf'File "cell {re.escape(cell.label)}", line (\d+)', "\n".join(trace))
    kept = _kept_lines(cell.text)
    if not frames or int(frames[-1]) > len(kept):
        return cell.line
    lines = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    blank = len(list(takewhile(lambda line: not line.strip(), lines[cell.line :])))
    return cell.line + blank + kept[int(frames[-1]) - 1]


def _kept_lines(text: str) -> tuple[int, ...]:
    """Return, for each line of the canonical code of a text, which line of the text it was."""
    left = iter(canonical(text).split("\n"))
    wanted = next(left, None)
    kept: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if wanted is not None and line.startswith(wanted) and (wanted or not line.strip()):
            kept.append(number)
            wanted = next(left, None)
    return tuple(kept)
