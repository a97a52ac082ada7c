"""The results of a benchmark -> what to draw: bars, or curves where it runs over a range of values.

Curves are drawn by framework, a panel holding the cases of one, or by case, a panel holding one
case of all frameworks, laid over each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.interface.formats import Formats, enumerated, sentences, separated
from polytab.interface.messages import gettext_noop
from polytab.interface.messages import translate as _
from polytab.pages.charts.bars import Chart, Group, Mark
from polytab.pages.charts.plot import Panel, Plot, Point, Scale, Trace
from polytab.pages.charts.shapes import case_look, framework_look
from polytab.recordings.verdicts import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from polytab.model import Case
    from polytab.pages.numbers.results import FrameworkResult


@dataclass(frozen=True)
class Bars:
    """The results of one benchmark, made on one kind of machine.

    `styles` numbers the cases; `alone`: they are of one framework, which is not named.
    """

    results: Sequence[FrameworkResult]
    styles: Mapping[str, int]
    formats: Formats
    alone: bool

    def chart(self, ident: str, title: str) -> Chart:
        """Return what to draw."""
        groups = tuple(
            Group(
                None if self.alone else each.framework.title,
                tuple(self._mark(case) for case in each.measurement.cases),
            )
            for each in self.results
        )
        return Chart(ident, title, self._description(), groups)

    def _mark(self, case: Case) -> Mark:
        found = summary(case)
        low, high = found.low_quartile, found.high_quartile
        return Mark(
            self.formats.translated_name(case.name), self.styles[case.name], found.median, low, high
        )

    def _description(self) -> str:
        """Return the alternative text of a chart."""
        formats = self.formats
        parts: list[str] = []
        for each in self.results:
            times = (
                f"{formats.translated_name(case.name)} {formats.time(summary(case).median)}"
                for case in each.measurement.cases
            )
            parts.append(f"{each.framework.title}{formats.colon}{separated(times)}")
        return sentences(parts)


@dataclass(frozen=True)
class ShowOption:
    """A value of `:show:`, which says what is on the vertical axis of curves."""

    title: str
    axis: str
    """The title of the axis."""

    amount: Callable[[Case], int | None] | None
    """What a call does so many of, to be divided by its time; None where the time is shown."""

    tick: Callable[[Formats, float], str]
    """How a round value of the axis is written."""

    value: Callable[[Formats, float], str]
    """How a measured value is written."""


SHOW_OPTIONS: Mapping[str, ShowOption] = {
    "time": ShowOption(
        gettext_noop("Time per call: {benchmark}, {frameworks}"),
        gettext_noop("Time per call; lower is faster"),
        None,
        Formats.tick,
        Formats.time,
    ),
    "rate": ShowOption(
        gettext_noop("Operations per second: {benchmark}, {frameworks}"),
        gettext_noop("Operations per second; higher is faster"),
        lambda case: case.operations,
        Formats.rate_tick,
        Formats.rate,
    ),
    "bandwidth": ShowOption(
        gettext_noop("Bytes per second: {benchmark}, {frameworks}"),
        gettext_noop("Bytes moved per second; higher is faster"),
        lambda case: case.traffic,
        Formats.bandwidth_tick,
        Formats.bandwidth,
    ),
}
"""The values of `:show:`."""


@dataclass(frozen=True)
class Curves:
    """The results of one benchmark, all over the same range of values, made on one kind of machine.

    `styles` numbers the cases, `numbers` the frameworks; `alone`: they are of one framework, which
    is not named; `show` is a key of SHOW_OPTIONS.
    """

    results: Sequence[FrameworkResult]
    styles: Mapping[str, int]
    numbers: Mapping[str, int]
    formats: Formats
    alone: bool
    show: str = "time"

    def by_framework(self, ident: str, title: str) -> Plot:
        """Return a plot with a panel for each framework.

        Raises PolytabError where a case lacks what is to be shown.
        """
        panels = tuple(
            Panel(None if self.alone else each.framework.title, self._traces(each))
            for each in self.results
        )
        return self._plot(ident, title, panels)

    def by_case(self, ident: str, title: str) -> Plot:
        """Return a plot with a panel for each case, in which the frameworks lie over each other."""
        cases = [case.name for each in self.results for case in each.measurement.cases]
        panels = tuple(
            Panel(self.formats.translated_name(name), self._frameworks(name))
            for name in dict.fromkeys(cases)
        )
        return self._plot(ident, title, panels)

    def _plot(self, ident: str, title: str, panels: tuple[Panel, ...]) -> Plot:
        option = SHOW_OPTIONS[self.show]
        over = self.formats.translated_name(self.results[0].measurement.over or "")
        tick, value = (partial(write, self.formats) for write in (option.tick, option.value))
        return Plot(
            ident=ident,
            title=title,
            description=self._description(),
            panels=panels,
            over=Scale(over, self.formats.value, self.formats.value),
            shown=Scale(_(option.axis), tick, value),
        )

    def _traces(self, result: FrameworkResult) -> tuple[Trace, ...]:
        """Return the curve of each case of a framework."""
        names = dict.fromkeys(case.name for case in result.measurement.cases)
        whose = None if self.alone else result.framework.title
        return tuple(self._trace(result, name, whose) for name in names)

    def _trace(self, result: FrameworkResult, name: str, whose: str | None) -> Trace:
        said = self.formats.translated_name(name)
        points = self._points(result, name)
        return Trace(said, case_look(self.styles[name]), points, (whose, said))

    def _frameworks(self, name: str) -> tuple[Trace, ...]:
        """Return the curves of one case in the frameworks that have it."""
        traces: list[Trace] = []
        for each in self.results:
            if points := self._points(each, name):
                look = framework_look(self.numbers[each.framework.name])
                of = (each.framework.title, self.formats.translated_name(name))
                traces.append(Trace(each.framework.title, look, points, of))
        return tuple(traces)

    def _points(self, result: FrameworkResult, name: str) -> tuple[Point, ...]:
        cases = [case for case in result.measurement.cases if case.name == name]
        return tuple(sorted(map(self._point, cases), key=lambda point: point.x))

    def _description(self) -> str:
        """Return the alternative text: the first and last point of each curve."""
        parts: list[str] = []
        for each in self.results:
            ends = enumerated(self._ends(trace) for trace in self._traces(each))
            parts.append(f"{each.framework.title}{self.formats.colon}{ends}")
        return sentences(parts)

    def _ends(self, trace: Trace) -> str:
        formats, write = self.formats, SHOW_OPTIONS[self.show].value
        ends = [
            f"{formats.value(point.x)}{formats.colon}{write(formats, point.y)}"
            for point in dict.fromkeys((trace.points[0], trace.points[-1]))
        ]
        return _("{name} ({values})").format(name=trace.name, values=separated(ends))

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
