"""`{roofline} product; copy`: how near measured work comes to what the machine can do.

    :::{roofline} product; copy
    :peak: product: product at 2048
    :bandwidth: copy: copy at 100000000; copy: copy at 10000
    :::

Across stands how many operations a byte of traffic is good for, up how many were done in a second.
The roofs are measurements too: the rate of one case, and the bandwidth of one or more.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, ClassVar

from docutils.parsers.rst import directives

from polytab.errors import PolytabError
from polytab.interface.words import mark
from polytab.interface.words import translate as _
from polytab.model import CPU
from polytab.pages.charts.plot import Panel, Plot, Point, Roof, Trace, draw
from polytab.pages.numbers.benchmark import BenchmarkDirective, Figure
from polytab.pages.numbers.evidence import gather, gather_cuda, read_quantity
from polytab.recordings.verdicts import bandwidth, find_case, rate, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec

    from polytab.model import Case, Framework
    from polytab.pages.numbers.evidence import Evidence, Gathered


class RooflineDirective(BenchmarkDirective):
    """Show the rates of benchmarks under the roofs that others measured."""

    option_spec: ClassVar[OptionSpec] = {
        "peak": directives.unchanged_required,
        "bandwidth": directives.unchanged_required,
    }

    def names(self) -> list[str]:
        """Return the benchmarks under the roofs."""
        return _split(self.arguments[0])

    def figure(self, gathered: Gathered, *, alone: bool) -> nodes.Element:
        """Draw what the options name."""
        for option in ("peak", "bandwidth"):
            if option not in self.options:
                raise PolytabError(
                    f"a roofline needs `:{option}:`",
                    hint=f"write `:{option}: benchmark: case at value`",
                )
        return _Figure(self, self.names(), gathered, alone=alone).node()


class _Figure(Figure):
    """Makes the nodes of a roofline."""

    spread = mark("Medians; the lines span the middle half of the samples")

    def __init__(
        self,
        directive: RooflineDirective,
        names: Sequence[str],
        gathered: Gathered,
        *,
        alone: bool,
    ) -> None:
        super().__init__(directive, names[0], gathered, alone=alone)
        self.names = names
        self.options = directive.options
        self.page = directive.env.docname

    def drawing(self, evidence: Sequence[Evidence]) -> str:
        """Draw one machine's frameworks, a panel each."""
        titles = self.wording.listed([each.framework.title for each in evidence])
        title = _("Roofline: {benchmarks}, {frameworks}").format(
            benchmarks=self.wording.listed([self.wording.label(each) for each in self.names]),
            frameworks=titles,
        )
        panels = tuple(self._panel(each.framework) for each in evidence)
        said = (
            str(_("Across: operations per byte of traffic")),
            str(_("Up: operations per second; higher is faster")),
            str(_("Both axes are logarithmic.")),
        )
        plot = Plot(
            ident=self.ident(),
            title=title,
            description=_described(panels),
            panels=panels,
            said=said,
            spell_x=self.wording.value,
            spell_y=self.wording.rate_tick,
            joined=False,
        )
        return draw(plot)

    def _panel(self, framework: Framework) -> Panel:
        peak = _counted(rate, self._case(framework, self.options["peak"]))
        roofs: list[Roof] = []
        for number, asked in enumerate(_split(self.options["bandwidth"])):
            case = self._case(framework, asked)
            width = _counted(bandwidth, case)
            name = _("{case}: {bandwidth}, at most {rate}").format(
                case=self._spoken(case),
                bandwidth=self.wording.bandwidth(width),
                rate=self.wording.rate(peak),
            )
            roofs.append(Roof(name, number, width, peak))
        title = None if self.alone else framework.title
        return Panel(title, tuple(self._traces(framework)), tuple(roofs))

    def _traces(self, framework: Framework) -> Iterator[Trace]:
        """Give the cases of the benchmarks, each with a look of its own."""
        style = count()
        for name in self.names:
            points: dict[str, list[Point]] = {}
            for case in self._evidence(framework, name).measurement.cases:
                if case.operations and case.traffic:
                    points.setdefault(case.name, []).append(_point(case))
            if not points:
                raise PolytabError(
                    f"no case of `{name}` counts its operations and its traffic",
                    hint="tell `sweep` both",
                )
            for case_name, those in points.items():
                yield Trace(self.wording.label(case_name), next(style), tuple(those))

    def _case(self, framework: Framework, asked: str) -> Case:
        quantity = read_quantity(asked)
        return find_case(self._evidence(framework, quantity.benchmark).measurement, quantity.case)

    def _evidence(self, framework: Framework, benchmark: str) -> Evidence:
        ask = gather if self.gathered.device == CPU else gather_cuda
        found = ask(self.env, self.page, benchmark).of(framework.name).evidence
        if not found:
            raise PolytabError(f"{framework.title} does not measure `{benchmark}`")
        return found[0]

    def _spoken(self, case: Case) -> str:
        at = "" if case.at is None else f" ({self.wording.value(case.at)})"
        return f"{self.wording.label(case.name)}{at}"


def _described(panels: Sequence[Panel]) -> str:
    """Say what the plot shows to those who do not see it: its roofs."""
    return ". ".join(dict.fromkeys(roof.name for panel in panels for roof in panel.roofs))


def _point(case: Case) -> Point:
    found = summary(case)
    operations, traffic = float(case.operations or 0), float(case.traffic or 1)
    rates = (operations / each for each in (found.median, found.high_quartile, found.low_quartile))
    return Point(operations / traffic, *rates)


def _counted(of: Callable[[Case], float | None], case: Case) -> float:
    value = of(case)
    if value is None:
        raise PolytabError(
            f"of `{case.said}` neither rate nor bandwidth is known",
            hint="tell `sweep` the operations and the traffic of a call",
        )
    return value


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split(";") if each.strip()]


def setup_roofline(app: Sphinx) -> None:
    """Add the directive; its nodes are those of a benchmark."""
    app.add_directive("roofline", RooflineDirective)
