"""The numbers of recordings, computed without the engine: JSON, medians, quartiles, a bootstrap.

Follows the words of docs/contributing/decisions/0008-ratios.md and nothing of `polytab`. The
bootstrap draws every sample, where the engine draws the rank of a median; so the two agree in
their intervals but for the noise of drawing.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MIME = "application/vnd.polytab.measurement+json"
SPACE = "\N{NO-BREAK SPACE}"
DRAWS = 1500
TIMES = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
SIZES = (("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10), ("B", 1.0))
RATES = (("TFLOP/s", 1e12), ("GFLOP/s", 1e9), ("MFLOP/s", 1e6), ("kFLOP/s", 1e3))
BANDWIDTHS = (("TB/s", 1e12), ("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3))

Benchmarks = dict[str, dict[str, "Case"]]


@dataclass(frozen=True)
class Case:
    """One case as the JSON has it, with the samples of each process."""

    data: dict[str, Any]

    @property
    def rows(self) -> list[list[float]]:
        rows: list[list[float]] = self.data["samples"]
        return rows

    @property
    def samples(self) -> list[float]:
        return sorted(sample for row in self.rows for sample in row)

    @property
    def median(self) -> float:
        return quantile(self.samples, 0.5)

    def amount(self, kind: str) -> str:
        """Return a quantity as the page writes it."""
        if kind == "first call":
            return quantity(quantile(sorted(self.data["first_calls"]), 0.5), TIMES)
        if kind == "memory":
            return quantity(self.data["memory"], SIZES)
        if kind == "rate":
            return quantity(self.data["operations"] / self.median, RATES)
        if kind == "bandwidth":
            return quantity(self.data["traffic"] / self.median, BANDWIDTHS)
        return quantity(self.median, TIMES)

    def row(self) -> list[str]:
        """Return its cells in a table, without names and without what is empty."""
        low, high = (quantile(self.samples, part) for part in (0.25, 0.75))
        memory = self.data["memory"]
        at = self.data.get("at")
        cells = [
            "" if at is None else f"{at:,.6f}".rstrip("0").rstrip("."),
            self.amount(""),
            f"{quantity(low, TIMES)} \N{EN DASH} {quantity(high, TIMES)}",
            self.amount("first call") if self.data["first_calls"] else "",
            "" if memory is None else quantity(memory, SIZES),
            f"{self.data['calls']:,}",
            f"{len(self.samples):,}",
            f"{len(self.rows):,}",
        ]
        return [cell for cell in cells if cell]


def break_even(new: Case, old: Case) -> str:
    """Write after how many calls `new` is ahead; open where a process alone would say otherwise."""
    firsts = [quantile(sorted(each.data["first_calls"]), 0.5) for each in (new, old)]
    more, saved = firsts[0] - firsts[1], old.median - new.median
    value = max(1.0, 1 + more / saved) if saved > 0 else math.inf
    text = "never" if math.isinf(value) else f"{int(float(f'{math.ceil(value):.3g}')):,}"
    rows = zip(old.rows, new.rows, strict=True)
    alone = [quantile(sorted(a), 0.5) - quantile(sorted(b), 0.5) for a, b in rows]
    spread = max(alone) - min(alone)
    return text if abs(saved) > 2 * spread else f"{text}|never|not decided"


def excess(new: Case, old: Case) -> str:
    """Write how much longer a call of `new` takes; open where it may be as long."""
    more = new.median - old.median
    sign = "\N{MINUS SIGN}" if more < 0 else ""
    text = sign + quantity(abs(more), TIMES)
    low, high = interval({"new": new, "old": old}, "old", "new")
    is_open = low <= 1 <= high or near(low, high, [1.0])
    return f"{text}|not decided" if is_open else text


def share(new: Case, old: Case) -> str:
    """Write how much of the time of `old` the time of `new` is."""
    return f"{digits(100 * new.median / old.median, 2, 3)}{SPACE}%"


def quantile(ordered: Sequence[float], part: float) -> float:
    """Return a quantile, interpolated between the two values around it."""
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    part_above = place - below
    return ordered[below] * (1 - part_above) + ordered[above] * part_above


def quantity(value: float, units: Sequence[tuple[str, float]]) -> str:
    """Write three significant digits and a unit."""
    rounded = float(f"{value:.3g}")
    name, size = next((each for each in units if rounded >= each[1]), units[-1])
    return f"{digits(value / size, 3, 3)}{SPACE}{name}"


def digits(value: float, least: int, most: int) -> str:
    """Write a number with `least` to `most` significant digits, thousands with commas."""
    rounded = float(f"{value:.{most}g}")
    before = math.floor(math.log10(rounded)) + 1 if rounded else 1
    text = f"{rounded:,.{max(0, most - before)}f}"
    while "." in text and text.endswith("0") and _significant(text) > least:
        text = text[:-1]
    return text.rstrip(".")


def _significant(text: str) -> int:
    return len(text.replace(",", "").replace(".", "").lstrip("0"))


@cache
def read(path: Path) -> Benchmarks:
    """Return the benchmarks of a recording, each with its cases by their full names."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    found: Benchmarks = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {}).get(MIME)
            if data is not None:
                cases = found.setdefault(data["name"], {})
                for case in data["cases"]:
                    at = case.get("at")
                    name = case["name"] if at is None else f"{case['name']} at {_plain(at)}"
                    cases[name] = Case(case)
    return found


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def interval(cases: dict[str, Case], a: str, b: str) -> tuple[float, float]:
    """Return the 95 % interval of how many times as fast `a` is as `b`."""
    one, other = cases[a], cases[b]
    count = len(one.rows)
    if count == 1:
        return 0.0, math.inf
    source = random.Random(f"{a} {b}")  # noqa: S311  # must repeat
    drawn: list[float] = []
    for _ in range(DRAWS):
        chosen = [source.randrange(count) for _ in range(count)]
        medians = []
        for case in (one, other):
            pool = [sample for at in chosen for sample in case.rows[at]]
            medians.append(quantile(sorted(source.choices(pool, k=len(pool))), 0.5))
        drawn.append(medians[1] / medians[0])
    drawn.sort()
    value = other.median / one.median
    wider = math.sqrt(count / (count - 1))
    low = min(1.0, quantile(drawn, 0.025) / value) ** wider
    high = max(1.0, quantile(drawn, 0.975) / value) ** wider
    return value * low, value * high


def near(low: float, high: float, bounds: Sequence[float]) -> bool:
    """Tell whether an end is so near to a bound, or its inverse, that other draws may pass it."""
    if not low:
        return False
    slack = 0.005 + 0.15 * math.log(high / low)
    ends = (math.log(low), math.log(high))
    return any(abs(abs(end) - math.log(each)) < slack for end in ends for each in bounds)


DERIVED = {"break-even": break_even, "excess": excess, "share": share}
"""What is computed from two cases, by its name in a page."""
