"""Compare two recordings of one script: what must repeat, and how nearly.

Text and integers exactly; floats within RTOL and ATOL; a cell that `varies` but for its numbers;
measurements by their names and cases, and by whether a factor or a break-even has moved
(`factors.py`, `derived.py`). Cells are compared by label, wherever they stand; one whose code
is new, gone or another does not repeat.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polytab.errors import RecordingError
from polytab.git import text_at
from polytab.recordings.derived import break_even_move, break_evens_of
from polytab.recordings.factors import factors_of, move, move_again
from polytab.recordings.files import load_recording, read_recording
from polytab.recordings.measurements import MIME, measurements_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from polytab.model import Measurement, RecordedCell, Recording
    from polytab.recordings.factors import Move

RTOL = 1e-4
ATOL = 1e-6

_FLOAT = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?(?!\w|\.\w)", re.ASCII
)
"""A number with a point or an exponent, and no part of a word, a path or a version."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class Moved:
    """A factor or break-even that is another one in the new recording: which way, how told."""

    name: str
    way: Move
    text: str


@dataclass(frozen=True)
class Differences:
    """What does not repeat: `fixed` as a unified diff, `moved` what is to be measured once more."""

    fixed: str
    moved: tuple[Moved, ...]

    @property
    def text(self) -> str:
        """All of it, as a diff; "" where everything repeats."""
        return "".join([self.fixed, *(each.text for each in self.moved)])


def differences(old: Recording, new: Recording) -> Differences:
    """Return what does not repeat from one recording to another of the same script."""
    fixed = "".join([*_differences(old, new), *_structure(old, new)])
    return Differences(fixed, (*_moved(old, new), *_moved_break_evens(old, new)))


def differences_again(old: Recording, first: Recording, second: Recording) -> Differences:
    """Return what still does not repeat once what had moved was measured a second time."""
    fixed = differences(old, second).fixed
    moved = (*_moved(old, second, first), *_moved_break_evens(old, second, first))
    return Differences(fixed, moved)


def compare(old: Recording, new: Recording) -> str:
    """Return a unified diff of what does not repeat; "" where all does."""
    return differences(old, new).text


def compare_to_commit(root: Path, path: Path, commit: str) -> str:
    """Return what differs between a recording and that of a commit; "" where one is missing.

    Raises RecordingError where one of the two cannot be trusted, UsageError where git has no such
    commit.
    """
    before = text_at(root, commit, path.relative_to(root).as_posix())
    new = load_recording(path)
    if before is None or new is None:
        return ""
    try:
        old = read_recording(before.encode(errors="surrogateescape"))
    except RecordingError as error:
        raise RecordingError(f"{error.message}, in {commit}", file=path) from None
    return compare(old, new)


def _structure(old: Recording, new: Recording) -> Iterator[str]:
    """Compare measurements: the same cases under the same names."""
    before, after = (
        {each.name: each for each in measurements_of(recording)} for recording in (old, new)
    )
    for name in dict.fromkeys([*before, *after]):
        cases = (_cases(each.get(name)) for each in (before, after))
        told = [", ".join(each) or "no such benchmark" for each in cases]
        if told[0] != told[1]:
            yield f"--- {old.name} `{name}`\n-{told[0]}\n+{told[1]}\n"


def _cases(measurement: Measurement | None) -> tuple[str, ...]:
    return tuple(case.full_name for case in measurement.cases) if measurement else ()


def _moved(old: Recording, new: Recording, first: Recording | None = None) -> Iterator[Moved]:
    """Compare the factors that the recordings have; with `first`, `new` is the second look."""
    elsewhere = old.provenance.machine_kind != new.provenance.machine_kind
    before, between = (
        {each.name: each for each in factors_of(made)} for made in (old, first or old)
    )
    for factor in factors_of(new):
        was, then = before.get(factor.name), between.get(factor.name)
        if was is None or then is None:
            continue
        if first is None:
            way = move(was.measured, factor.measured, elsewhere=elsewhere)
        else:
            three = (was.measured, then.measured, factor.measured)
            way = move_again(*three, elsewhere=elsewhere)
        if way is not None:
            text = f"--- {old.name} `{factor.benchmark}`\n-{was}\n+{factor}\n"
            yield Moved(factor.name, way, text)


def _moved_break_evens(
    old: Recording, new: Recording, first: Recording | None = None
) -> Iterator[Moved]:
    """Compare the break-evens that the recordings have; with `first`, `new` is the second look."""
    elsewhere = old.provenance.machine_kind != new.provenance.machine_kind
    before, between = (
        {each.name: each for each in break_evens_of(made)} for made in (old, first or new)
    )
    for now in break_evens_of(new):
        was, then = before.get(now.name), between.get(now.name)
        if was is None or then is None:
            continue
        ways = {break_even_move(was.calls, each.calls, elsewhere=elsewhere) for each in (then, now)}
        if len(ways) == 1 and (way := ways.pop()) is not None:
            yield Moved(now.name, way, f"--- {old.name} `{now.benchmark}`\n-{was}\n+{now}\n")


def _differences(old: Recording, new: Recording) -> Iterator[str]:
    """Compare cells by label: first the code of each, then its outputs."""
    labels = dict.fromkeys(cell.label for recording in (old, new) for cell in recording.cells)
    for label in labels:
        cell, again = old.cell(label), new.cell(label)
        place = f"{old.name} cell `{label}`"
        code, now = (each.code.split("\n") if each else [] for each in (cell, again))
        if code != now:
            yield _unified(code, now, f"{place} code")
        varies = cell is not None and cell.varies is not None
        before, after = (output_text(each) if each else "" for each in (cell, again))
        if not same_text(before, after, varies=varies):
            a = before.split("\n")
            yield _unified(a, _as_recorded(a, after.split("\n"), varies=varies), place)


def _unified(before: Sequence[str], now: Sequence[str], place: str) -> str:
    lines = difflib.unified_diff(before, now, f"{place} recorded", f"{place} now", lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _as_recorded(old: Sequence[str], new: Sequence[str], *, varies: bool) -> list[str]:
    """Return the new lines, with those that agree with an old one replaced by it."""
    pattern = _NUMBER if varies else _FLOAT
    alike: dict[tuple[str, ...], list[str]] = {}
    for line in old:
        alike.setdefault(tuple(_between(line, pattern)), []).append(line)
    spelled: list[str] = []
    for line in new:
        group = alike.get(tuple(_between(line, pattern)), [])
        match = next((each for each in group if same_text(each, line, varies=varies)), None)
        if match is not None:
            group.remove(match)
        spelled.append(line if match is None else match)
    return spelled


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
    """Return all outputs of a cell as lines of text, each kind under its name."""
    return "\n".join(line for output in cell.outputs for line in _lines(output))


def _lines(output: Mapping[str, Any]) -> Iterator[str]:
    kind = output["output_type"]
    if MIME in output.get("data", {}):
        return  # compared as what it is
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
