"""A benchmark that runs over a range of values -> a plot of its cases, a panel per framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.interface.words import mark
from polytab.interface.words import translate as _
from polytab.pages.charts.plot import Panel, Plot, Point, Trace
from polytab.recordings.verdicts import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from polytab.interface.wording import Wording
    from polytab.model import Case
    from polytab.pages.numbers.evidence import Evidence


SHOWN: Mapping[str, tuple[str, Callable[[Case], int | None]]] = {
    "time": (mark("Up: time per call; lower is faster"), lambda _: None),
    "rate": (mark("Up: operations per second; higher is faster"), lambda case: case.operations),
    "bandwidth": (mark("Up: bytes moved per second; higher is faster"), lambda case: case.traffic),
}
"""What a curve can show: how its axis is called, and what a call is counted in."""


@dataclass(frozen=True)
class Curves:
    """The measurements of one benchmark; all run over the same thing."""

    evidence: Sequence[Evidence]
    looks: Mapping[str, int]
    wording: Wording
    alone: bool
    """Whether they are of one framework, which need not be named."""
    show: str = "time"
    """What stands up the axis: one of `SHOWN`."""

    def plot(self, ident: str, title: str) -> Plot:
        """Say what to draw."""
        over = self.wording.label(self.evidence[0].measurement.over or "")
        panels = tuple(
            Panel(None if self.alone else each.framework.title, self._traces(each))
            for each in self.evidence
        )
        said = (
            _("Across: {over}").format(over=over),
            _(SHOWN[self.show][0]),
            str(_("Both axes are logarithmic.")),
        )
        ticks = {
            "time": self.wording.tick,
            "rate": self.wording.rate_tick,
            "bandwidth": self.wording.bandwidth_tick,
        }
        spell = (self.wording.value, ticks[self.show])
        return Plot(ident, title, self._described(), panels, said, *spell)

    def _traces(self, evidence: Evidence) -> tuple[Trace, ...]:
        cases: dict[str, list[Point]] = {}
        for case in evidence.measurement.cases:
            cases.setdefault(case.name, []).append(self._point(case))
        return tuple(
            Trace(
                self.wording.label(name),
                self.looks[name],
                tuple(sorted(points, key=lambda at: at.x)),
            )
            for name, points in cases.items()
        )

    def _described(self) -> str:
        """Say what the curves show to those who do not see them: their two ends."""
        parts: list[str] = []
        for each in self.evidence:
            ends = ", ".join(map(self._ends, self._traces(each)))
            parts.append(f"{each.framework.title}{self.wording.colon}{ends}")
        return ". ".join(parts)

    def _ends(self, trace: Trace) -> str:
        wording = self.wording
        write = {"time": wording.time, "rate": wording.rate, "bandwidth": wording.bandwidth}
        spelled = (
            f"{wording.value(point.x)}{wording.colon}{write[self.show](point.y)}"
            for point in dict.fromkeys((trace.points[0], trace.points[-1]))
        )
        return f"{trace.name} ({'; '.join(spelled)})"

    def _point(self, case: Case) -> Point:
        found = summary(case)
        times = (found.median, found.low_quartile, found.high_quartile)
        if self.show == "time":
            return Point(case.at or 0.0, *times)
        amount = SHOWN[self.show][1](case)
        if not amount:
            raise PolytabError(
                f"`{case.said}` has no {self.show}", hint="tell `sweep` what it does"
            )
        median, low, high = times
        return Point(case.at or 0.0, amount / median, amount / high, amount / low)
