"""The text of `{ratio}`, `{measured}` and `{verdict}` -> which cases of which benchmark it names.

    forward: compiled vs eager     a Comparison of two cases
    forward: compiled first call   a Quantity of one case; its time, where it names no other
    forward: compiled vs eager break-even   a DerivedQuantity, computed from two cases

Law, guarded by tests/pages/numbers/test_expressions.py: what is written is what is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from polytab.errors import PolytabError
from polytab.recordings.derived import KINDS
from polytab.recordings.measurements import QUANTITIES

_AT = r"at [\d.]+"
_COMPARISON = re.compile(rf"(?P<benchmark>[^:]+): +(?P<a>.+?) +vs +(?P<b>.+?)(?P<at> +{_AT})?")
_QUANTITY = re.compile(
    rf"(?P<benchmark>[^:]+): +(?P<case>.+?)(?: +(?P<kind>{'|'.join(QUANTITIES)}))?"
)
_DERIVED = re.compile(rf"(?P<comparison>.+ vs .+?) +(?P<kind>{'|'.join(KINDS)})")


@dataclass(frozen=True)
class Comparison:
    """Two cases of a benchmark: asked is how many times as fast `a` is as `b`."""

    benchmark: str
    a: str
    b: str

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that must have been measured."""
        return (self.a, self.b)


@dataclass(frozen=True)
class Quantity:
    """A measured quantity of one case: one of `QUANTITIES`, or None for the time."""

    benchmark: str
    case: str
    kind: str | None = None

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that must have been measured."""
        return (self.case,)


@dataclass(frozen=True)
class DerivedQuantity:
    """A quantity that is computed from two cases: one of `KINDS`."""

    comparison: Comparison
    kind: str

    @property
    def benchmark(self) -> str:
        """The benchmark of the two cases."""
        return self.comparison.benchmark

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that must have been measured."""
        return self.comparison.cases


def parse_comparison(text: str) -> Comparison:
    """Parse `benchmark: new vs old`; a value at its end, as in `at 8`, is that of both cases.

    Raises PolytabError where the text is no comparison, or compares a case with itself.
    """
    match = _COMPARISON.fullmatch(text.strip())
    at = (match["at"] or "") if match else ""
    if match is None or match["a"] in {match["b"], match["b"] + at}:
        raise PolytabError(
            f"`{text}` is no comparison",
            hint="write `forward: compiled vs eager`: how many times as fast the first is",
        )
    has_own_value = re.search(rf" {_AT}$", match["a"]) is not None
    a = match["a"] if has_own_value else match["a"] + at
    b = match["b"] + at
    return Comparison(match["benchmark"], " ".join(a.split()), " ".join(b.split()))


def parse_measured(text: str) -> Quantity | DerivedQuantity:
    """Parse a quantity of one case or of two; raise PolytabError for other text."""
    derived = _DERIVED.fullmatch(text.strip())
    if derived is None:
        return parse_quantity(text)
    return DerivedQuantity(parse_comparison(derived["comparison"]), derived["kind"])


def parse_quantity(text: str) -> Quantity:
    """Parse `benchmark: case` with the quantity behind it; raise PolytabError for other text."""
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        raise PolytabError(
            f"`{text}` names no case",
            hint="write it as `forward: compiled` or `forward: compiled first call`",
        )
    return Quantity(match["benchmark"], match["case"], match["kind"])
