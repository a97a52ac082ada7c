"""The results of a benchmark over a range of values -> a plot, with a panel per framework."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.interface.messages import gettext_noop
from polytab.interface.messages import translate as _
from polytab.pages.charts.plot import Panel, Plot, Point, Trace
from polytab.recordings.verdicts import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from polytab.model import Case
    from polytab.pages.numbers.results import FrameworkResult


@dataclass(frozen=True)
class ShowOption:
    """A value of `:show:`, which says what is on the vertical axis of curves."""

    title: str
    axis_note: str
    amount: Callable[[Case], int | None] | None
    """What a call does so many of, to be divided by its time; None where the time is shown."""

    tick: Callable[[Formats, float], str]
    """How a round value of the axis is written."""

    value: Callable[[Formats, float], str]
    """How a measured value is written."""


SHOW_OPTIONS: Mapping[str, ShowOption] = {
    "time": ShowOption(
        gettext_noop("Time per call: {benchmark}, {frameworks}"),
        gettext_noop("Up: time per call; lower is faster"),
        None,
        Formats.tick,
        Formats.time,
    ),
    "rate": ShowOption(
        gettext_noop("Operations per second: {benchmark}, {frameworks}"),
        gettext_noop("Up: operations per second; higher is faster"),
        lambda case: case.operations,
        Formats.rate_tick,
        Formats.rate,
    ),
    "bandwidth": ShowOption(
        gettext_noop("Bytes per second: {benchmark}, {frameworks}"),
        gettext_noop("Up: bytes moved per second; higher is faster"),
        lambda case: case.traffic,
        Formats.bandwidth_tick,
        Formats.bandwidth,
    ),
}
"""The values of `:show:`."""


@dataclass(frozen=True)
class Curves:
    """The results of one benchmark, all over the same range of values.

    `styles` gives each case its style; `alone`: they are of one framework, which is not named;
    `show` is a key of SHOW_OPTIONS.
    """

    results: Sequence[FrameworkResult]
    styles: Mapping[str, int]
    formats: Formats
    alone: bool
    show: str = "time"

    def plot(self, ident: str, title: str) -> Plot:
        """Return what to draw; raise PolytabError where a case lacks what is to be shown."""
        option = SHOW_OPTIONS[self.show]
        over = self.formats.translated_name(self.results[0].measurement.over or "")
        return Plot(
            ident=ident,
            title=title,
            description=self._description(),
            panels=tuple(
                Panel(None if self.alone else each.framework.title, self._traces(each))
                for each in self.results
            ),
            axis_notes=(
                _("Across: {over}").format(over=over),
                _(option.axis_note),
                _("Both axes are logarithmic."),
            ),
            format_x=self.formats.value,
            format_y=partial(option.tick, self.formats),
        )

    def _traces(self, result: FrameworkResult) -> tuple[Trace, ...]:
        points: dict[str, list[Point]] = {}
        for case in result.measurement.cases:
            points.setdefault(case.name, []).append(self._point(case))
        return tuple(
            Trace(
                self.formats.translated_name(name),
                self.styles[name],
                tuple(sorted(those, key=lambda point: point.x)),
            )
            for name, those in points.items()
        )

    def _description(self) -> str:
        """Return the alternative text: the first and last point of each curve."""
        parts: list[str] = []
        for each in self.results:
            ends = ", ".join(self._ends(trace) for trace in self._traces(each))
            parts.append(f"{each.framework.title}{self.formats.colon}{ends}")
        return ". ".join(parts)

    def _ends(self, trace: Trace) -> str:
        formats, write = self.formats, SHOW_OPTIONS[self.show].value
        ends = [
            f"{formats.value(point.x)}{formats.colon}{write(formats, point.y)}"
            for point in dict.fromkeys((trace.points[0], trace.points[-1]))
        ]
        return f"{trace.name} ({'; '.join(ends)})"

    def _point(self, case: Case) -> Point:
        found, count = summary(case), SHOW_OPTIONS[self.show].amount
        median, low, high = found.median, found.low_quartile, found.high_quartile
        if count is None:
            return Point(case.at or 0.0, median, low, high)
        amount = count(case)
        if not amount:
            raise PolytabError(
                f"`{case.full_name}` has no {self.show}", hint="tell `sweep` what it does"
            )
        return Point(case.at or 0.0, amount / median, amount / high, amount / low)
