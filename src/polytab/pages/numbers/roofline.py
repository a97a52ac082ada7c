"""`{roofline} product; copy`: a roofline plot of benchmarks, with measured roofs.

    :::{roofline} product; copy
    :peak: product: product at 2048
    :bandwidth: copy: copy at 100000000; copy: copy at 10000
    :::

Across are operations per byte of traffic, up operations per second. The peak is the highest rate of
the cases named; the slopes are the bandwidths of one or more. A benchmark named alone, as in
`:peak: product`, stands for its best case, so that no point of it lies above the roof.
"""

from __future__ import annotations

from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar

from docutils.parsers.rst import directives

from polytab.errors import PolytabError
from polytab.interface.formats import sentences
from polytab.interface.messages import gettext_noop
from polytab.interface.messages import translate as _
from polytab.model import CPU
from polytab.pages.charts.plot import Panel, Plot, Point, Scale, Trace, draw
from polytab.pages.charts.roofs import ROOF_STYLES, Roof
from polytab.pages.charts.shapes import case_look
from polytab.pages.numbers.benchmark import BenchmarkDirective, Figure
from polytab.pages.numbers.expressions import parse_quantity
from polytab.pages.numbers.results import results_on_cpu, results_on_cuda
from polytab.recordings.verdicts import bandwidth, find_case, rate, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec

    from polytab.model import Case, Framework
    from polytab.pages.numbers.results import BenchmarkResults, FrameworkResult


class RooflineDirective(BenchmarkDirective):
    """The directive `{roofline}`; `:peak:` and `:bandwidth:` name cases, or whole benchmarks."""

    option_spec: ClassVar[OptionSpec] = {
        "peak": directives.unchanged_required,
        "bandwidth": directives.unchanged_required,
    }

    def names(self) -> list[str]:
        """Return the benchmarks whose cases are points."""
        return _split(self.arguments[0])

    def figure(self, results: BenchmarkResults, *, alone: bool) -> nodes.Element:
        """Return the figure of one device; raise PolytabError where an option is missing."""
        for option in ("peak", "bandwidth"):
            if not _split(self.options.get(option, "")):
                raise PolytabError(
                    f"a roofline needs `:{option}:`",
                    hint=f"write `:{option}: benchmark: case at value`",
                )
        return _RooflineFigure(self, self.names(), results, alone=alone).node()


class _RooflineFigure(Figure):
    """Makes the nodes of a roofline on one device."""

    spread_note = gettext_noop("Medians; the lines span the middle half of the samples")

    def __init__(
        self,
        directive: RooflineDirective,
        names: Sequence[str],
        results: BenchmarkResults,
        *,
        alone: bool,
    ) -> None:
        super().__init__(directive, names[0], results, alone=alone)
        self.names = names
        self.options = directive.options
        self.page = directive.env.docname

    def drawing(self, results: Sequence[FrameworkResult]) -> str:
        """Draw the frameworks of one machine, a panel each."""
        titles = self.formats.listed([each.framework.title for each in results])
        title = _("Roofline: {benchmarks}, {frameworks}").format(
            benchmarks=self.formats.listed(
                [self.formats.translated_name(each) for each in self.names]
            ),
            frameworks=titles,
        )
        panels = tuple(self._panel(each.framework) for each in results)
        plot = Plot(
            ident=self.new_id(),
            title=title,
            description=_description(panels),
            panels=panels,
            over=Scale(
                _("Operations per byte of traffic"), self.formats.value, self.formats.factor
            ),
            shown=Scale(
                _("Operations per second; higher is faster"),
                self.formats.rate_tick,
                self.formats.rate,
            ),
            joined=False,
        )
        return draw(plot, self.formats)

    def notes(self, results: Sequence[FrameworkResult]) -> list[str]:
        """Return what is to be said of the points besides."""
        names: dict[str, list[str]] = {}
        for each in self._traces(results[0].framework):
            names.setdefault(each.over, []).append(each.name)
        sizes = [f"{over} ({self.formats.listed(those)})" for over, those in names.items()]
        listed = _("At the points: {sizes}").format(sizes=self.formats.listed(sizes))
        return [listed, *super().notes(results)]

    def other_view(self, results: Sequence[FrameworkResult]) -> None:
        """Return None: a roofline has one view, for each framework has roofs of its own."""

    def _panel(self, framework: Framework) -> Panel:
        peaks = _split(self.options["peak"])
        peak = max(self._roof(framework, text, rate)[1] for text in peaks)
        roofs: list[Roof] = []
        for number, text in enumerate(_split(self.options["bandwidth"])):
            case, width = self._roof(framework, text, bandwidth)
            name = _("{case}: {bandwidth}, at most {rate}").format(
                case=self._name(case),
                bandwidth=self.formats.bandwidth(width),
                rate=self.formats.rate(peak),
            )
            ridge = _("ridge: {intensity}")
            intensity = f"{self.formats.factor(peak / width)}\N{NO-BREAK SPACE}FLOP/B"
            texts = (ridge.format(intensity=intensity), intensity)
            roofs.append(Roof(name, number % ROOF_STYLES, width, peak, texts))
        title = None if self.alone else framework.title
        return Panel(title, tuple(self._traces(framework)), tuple(roofs))

    def _traces(self, framework: Framework) -> Iterator[Trace]:
        """Yield a trace for each case of the benchmarks, each with a look of its own."""
        look = count()
        whose = None if self.alone else framework.title
        for name in self.names:
            measurement = self._result(framework, name).measurement
            points: dict[str, list[Point]] = {}
            for case in measurement.cases:
                if case.operations and case.traffic:
                    points.setdefault(case.name, []).append(self._point(case))
            if not points:
                raise PolytabError(
                    f"no case of `{name}` counts its operations and its traffic",
                    hint="tell `sweep` both",
                )
            over = self.formats.translated_name(measurement.over or "")
            for case_name, those in points.items():
                said = self.formats.translated_name(case_name)
                yield Trace(said, case_look(next(look)), tuple(those), (whose, said), over)

    def _point(self, case: Case) -> Point:
        found = summary(case)
        operations, traffic = float(case.operations or 0), float(case.traffic or 1)
        times = (found.median, found.high_quartile, found.low_quartile)
        median, low, high = (operations / each for each in times)
        size = "" if case.at is None else self.formats.value(case.at)
        return Point(operations / traffic, median, low, high, size)

    def _roof(
        self, framework: Framework, text: str, worth: Callable[[Case], float | None]
    ) -> tuple[Case, float]:
        """Return the case that is named, or the best of a benchmark named alone, and its worth."""
        if ":" in text:
            quantity = parse_quantity(text)
            measurement = self._result(framework, quantity.benchmark).measurement
            cases: Sequence[Case] = [find_case(measurement, quantity.case)]
        else:
            cases = self._result(framework, text).measurement.cases
        known = [(case, _known(worth(case), case)) for case in cases]
        return max(known, key=itemgetter(1))

    def _result(self, framework: Framework, benchmark: str) -> FrameworkResult:
        results_on = results_on_cpu if self.results.device == CPU else results_on_cuda
        measured = results_on(self.env, self.page, benchmark).of(framework.name).measured
        if not measured:
            raise PolytabError(f"{framework.title} does not measure `{benchmark}`")
        return measured[0]

    def _name(self, case: Case) -> str:
        at = "" if case.at is None else f" ({self.formats.value(case.at)})"
        return f"{self.formats.translated_name(case.name)}{at}"


def _description(panels: Sequence[Panel]) -> str:
    """Return the alternative text of a roofline: its roofs."""
    return sentences(dict.fromkeys(roof.name for panel in panels for roof in panel.roofs))


def _known(value: float | None, case: Case) -> float:
    """Return a rate or bandwidth of a case; raise PolytabError where it is not known."""
    if value is None:
        raise PolytabError(
            f"of `{case.full_name}` neither rate nor bandwidth is known",
            hint="tell `sweep` the operations and the traffic of a call",
        )
    return value


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split(";") if each.strip()]


def setup_roofline(app: Sphinx) -> None:
    """Add the directive; its nodes are those of a benchmark."""
    app.add_directive("roofline", RooflineDirective)
