"""Compare two recordings of one script: what must repeat, and how nearly.

Text and integers exactly; floats within RTOL and ATOL; a cell that `varies` but for its numbers.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from polytab.model import RecordedCell, Recording

RTOL = 1e-4
ATOL = 1e-6

_FLOAT = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?(?!\w|\.\w)", re.ASCII
)
"""A number with a point or an exponent, and no part of a word, a path or a version."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)


def compare(old: Recording, new: Recording) -> str:
    """Return a unified diff of what does not repeat; nothing where all does."""
    return "".join(_differences(old, new))


def _differences(old: Recording, new: Recording) -> Iterator[str]:
    for cell in old.cells:
        again = new.cell(cell.label)
        varies = cell.varies is not None
        before, after = output_text(cell), output_text(again) if again else ""
        if same_text(before, after, varies=varies):
            continue
        a, b = before.split("\n"), after.split("\n")
        if len(a) == len(b):  # lines that agree are no difference, though their floats differ
            pairs = zip(a, b, strict=True)
            b = [x if same_text(x, y, varies=varies) else y for x, y in pairs]
        place = f"{old.name} cell `{cell.label}`"
        lines = difflib.unified_diff(a, b, f"{place} recorded", f"{place} now", lineterm="")
        yield "".join(f"{line}\n" for line in lines)


def same_text(before: str, after: str, *, varies: bool = False) -> bool:
    """Tell whether two texts agree as the rules above say."""
    if before == after:
        return True
    pattern = _NUMBER if varies else _FLOAT
    if _between(before, pattern) != _between(after, pattern):
        return False
    if varies:
        return True
    pairs = zip(_FLOAT.findall(before), _FLOAT.findall(after), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=RTOL, abs_tol=ATOL) for a, b in pairs)


def _between(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Return what stands between the numbers, but for the padding, which moves with their width."""
    first, *rest = pattern.split(text)
    if not rest:
        return [first]
    *middle, last = rest
    return [first.rstrip(" \t"), *(each.strip(" \t") for each in middle), last.lstrip(" \t")]


def output_text(cell: RecordedCell) -> str:
    """Spell all outputs of a cell as lines of text, each kind under its name."""
    return "\n".join(line for output in cell.outputs for line in _lines(output))


def _lines(output: Mapping[str, Any]) -> Iterator[str]:
    kind = output["output_type"]
    if kind == "stream":
        yield f"[{output['name']}]"
        yield from str(output["text"]).split("\n")
    elif kind == "error":
        yield "[error]"
        yield from output["traceback"]
    else:
        for mime in sorted(output["data"]):
            value = output["data"][mime]
            yield f"[{mime}]"
            yield from (value if isinstance(value, str) else json.dumps(value)).split("\n")
