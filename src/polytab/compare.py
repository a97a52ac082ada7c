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
    r"(?<![\w.])[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?![\w.])"
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_HOLE = "\N{REPLACEMENT CHARACTER}"


def compare(old: Recording, new: Recording) -> str:
    """Return a unified diff of what does not repeat; nothing where all does."""
    return "".join(_differences(old, new))


def _differences(old: Recording, new: Recording) -> Iterator[str]:
    for cell in old.cells:
        again = new.cell(cell.label)
        before, after = output_text(cell), output_text(again) if again else ""
        if not same_text(before, after, varies=cell.varies is not None):
            a, b = before.split("\n"), after.split("\n")
            if len(a) == len(b):
                pairs = zip(a, b, strict=True)
                b = [x if same_text(x, y, varies=cell.varies is not None) else y for x, y in pairs]
            place = f"{old.name} cell `{cell.label}`"
            yield "\n".join(
                difflib.unified_diff(a, b, f"{place} recorded", f"{place} now", lineterm="")
            )
            yield "\n"


def same_text(before: str, after: str, *, varies: bool = False) -> bool:
    """Tell whether two texts agree as the rules above say."""
    if before == after:
        return True
    pattern = _NUMBER if varies else _FLOAT
    if _skeleton(before, pattern) != _skeleton(after, pattern):
        return False
    if varies:
        return True
    pairs = zip(_FLOAT.findall(before), _FLOAT.findall(after), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=RTOL, abs_tol=ATOL) for a, b in pairs)


def output_text(cell: RecordedCell) -> str:
    """Spell all outputs of a cell as lines of text, each kind under its name."""
    return "\n".join(line for output in cell.outputs for line in _lines(output))


def _skeleton(text: str, pattern: re.Pattern[str]) -> str:
    """Replace the numbers by holes, and the padding beside them, which moves with their width."""
    return re.sub(rf"[ \t]*{_HOLE}[ \t]*", _HOLE, pattern.sub(_HOLE, text))


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
