"""`{benchmark} name`: a chart of one benchmark across frameworks, and the numbers behind it.

Inside a framework's tab it is that framework's alone. What was measured on different machines is
never drawn on one axis: each machine has a chart of its own.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.wording import machine
from polytab.interface.words import mark
from polytab.interface.words import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.charts import plot
from polytab.pages.charts.bars import Chart, Group, Mark, draw
from polytab.pages.code.devices import absence, part
from polytab.pages.code.snippet import notice, provenance
from polytab.pages.code.tabs import current_tab
from polytab.pages.numbers.curves import SHOWN, Curves
from polytab.pages.numbers.evidence import framework_at, gather, gather_cuda
from polytab.pages.numbers.roles import stale_notices
from polytab.pages.numbers.table import Column, table_of
from polytab.pages.shelf import shelf
from polytab.recordings.verdicts import summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Case
    from polytab.pages.numbers.evidence import Evidence, Gathered

_TO = "\N{EN DASH}"
_TITLES = {
    "time": mark("Time per call: {benchmark}, {frameworks}"),
    "rate": mark("Operations per second: {benchmark}, {frameworks}"),
    "bandwidth": mark("Bytes per second: {benchmark}, {frameworks}"),
}
_BARS = mark("Medians; the lines span the middle half of the samples")
_log = logging.getLogger(__name__)


class benchmark(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """The charts of one benchmark and all that is said of them."""


class chart(nodes.container):  # noqa: N801
    """A drawing; it has no children, so a format without drawings shows the table alone."""


class numbers_behind(nodes.container):  # noqa: N801
    """The table behind a chart, folded away where a format can."""


class BenchmarkDirective(SphinxDirective):
    """Show the measurements of one benchmark."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[OptionSpec] = {"show": lambda word: directives.choice(word, tuple(SHOWN))}

    def run(self) -> list[nodes.Node]:
        """Draw what is recorded; what is wrong is a warning with its line."""
        try:
            return self.figures()
        except PolytabError as error:
            _log.warning(
                str(error), location=self.get_location(), type="polytab", subtype="benchmark"
            )
            return []

    def names(self) -> list[str]:
        """Return the benchmarks that are named; the first says of whom the place speaks."""
        return [self.arguments[0]]

    def figures(self) -> list[nodes.Node]:
        """Make the nodes of what is named, once for each device."""
        name, page = self.names()[0], self.env.docname
        gathered = gather(self.env, page, name)
        framework = framework_at(self.env, current_tab(self), gathered)
        if framework is not None:
            gathered = gathered.of(framework)
        if not gathered.evidence and not gathered.waiting:
            raise PolytabError(f"the script of this tab does not measure `{name}`")
        alone = framework is not None
        figure = self.figure(gathered, alone=alone)
        on_cuda = gather_cuda(self.env, page, name, framework=framework)
        if not on_cuda.evidence:
            own = shelf(self.env).settings.framework(framework) if framework else None
            return [*absence(self.env, page, own), figure]
        second = self.figure(replace(on_cuda, without=gathered.lacking(on_cuda)), alone=alone)
        return [part(CPU, [figure]), part(CUDA, [second])]

    def figure(self, gathered: Gathered, *, alone: bool) -> nodes.Element:
        """Make the nodes of one device; `alone`: of one framework, not named."""
        curves = any(each.measurement.over for each in gathered.evidence)
        if "show" in self.options and gathered.evidence and not curves:
            raise PolytabError(
                f"`{self.arguments[0]}` is no curve", hint="bars show times; leave `:show:` out"
            )
        return Figure(self, self.arguments[0], gathered, alone=alone).node()


class Figure:
    """Makes the nodes of one benchmark."""

    spread = mark("Medians; the bands span the middle half of the samples")
    """What a drawing of a curve says of its spread."""

    def __init__(
        self, directive: SphinxDirective, name: str, gathered: Gathered, *, alone: bool
    ) -> None:
        """Choose the looks of the cases."""
        self.env = directive.env
        self.name = name
        self.gathered = gathered
        self.alone = alone
        self.show = str(directive.options.get("show", "time"))
        self.wording = shelf(directive.env).wording(directive.env)
        # A case looks alike in all frameworks, and unlike the others of its own.
        self.looks: dict[str, int] = {}
        for each in gathered.evidence:
            cases = list(dict.fromkeys(case.name for case in each.measurement.cases))
            for place, case in enumerate(cases):
                taken = {self.looks[other] for other in cases if other in self.looks}
                free = next(look for look in count(place) if look not in taken)
                self.looks.setdefault(case, free)

    def node(self) -> benchmark:
        """Return the charts and all that is said of them."""
        evidence = self.gathered.evidence
        box = benchmark("")
        # What differs in its machine, or in what it runs over, stands on axes of its own.
        machines: dict[tuple[str, str | None], list[Evidence]] = {}
        for each in evidence:
            where = (machine(each.recording.provenance), each.measurement.over)
            machines.setdefault(where, []).append(each)
        for (name, over), those in machines.items():
            box += chart("", svg=self.drawing(those))
            said = _(_BARS if over is None else self.spread)
            box += provenance("", f"{said} · {name}", translatable=False)
        box += stale_notices(evidence, self.wording, alone=self.alone)
        box += self._missing()
        if evidence:
            behind = numbers_behind("", self._table(evidence), summary=str(_("The numbers")))
            behind += [
                provenance.of(self.wording, each.framework, each.recording.provenance)
                for each in evidence
            ]
            box += behind
        return box

    def _missing(self) -> list[nodes.Node]:
        """Say of which frameworks there is nothing to draw."""
        lacking = (*self.gathered.waiting, *self.gathered.without)
        if not lacking:
            return []
        titles = [each.title for each in lacking]
        if self.alone:
            return [notice("", str(_("This has not been measured yet.")), translatable=False)]
        names = [each.name for each in lacking]
        on_cuda = self.gathered.device == CUDA
        text = (
            _("Not measured on CUDA: {frameworks}.")
            if on_cuda
            else _("Not measured: {frameworks}.")
        )
        text = text.format(frameworks=self.wording.listed(titles))
        return [notice("", text, translatable=False, frameworks=names)]

    def drawing(self, evidence: Sequence[Evidence]) -> str:
        """Draw bars, or curves where the benchmark runs over something."""
        titles = self.wording.listed([each.framework.title for each in evidence])
        title = _(_TITLES[self.show])
        title = title.format(benchmark=self.wording.label(self.name), frameworks=titles)
        if evidence[0].measurement.over is None:
            return draw(self._chart(evidence, title), self.wording)
        curves = Curves(evidence, self.looks, self.wording, self.alone, self.show)
        return plot.draw(curves.plot(self.ident(), title))

    def ident(self) -> str:
        """Return an id that the page has not used."""
        return f"benchmark-{self.env.new_serialno('benchmark')}"

    def _chart(self, evidence: Sequence[Evidence], title: str) -> Chart:
        groups = tuple(
            Group(
                None if self.alone else each.framework.title,
                tuple(self._mark(case) for case in each.measurement.cases),
            )
            for each in evidence
        )
        return Chart(self.ident(), title, self._description(evidence), groups)

    def _mark(self, case: Case) -> Mark:
        found = summary(case)
        low, high = found.low_quartile, found.high_quartile
        return Mark(self.wording.label(case.name), self.looks[case.name], found.median, low, high)

    def _description(self, evidence: Iterable[Evidence]) -> str:
        """Say what the chart shows to those who do not see it."""
        parts: list[str] = []
        for each in evidence:
            times = (
                f"{self.wording.label(case.name)} {self.wording.time(summary(case).median)}"
                for case in each.measurement.cases
            )
            parts.append(f"{each.framework.title}{self.wording.colon}{'; '.join(times)}")
        return ". ".join(parts)

    def _table(self, evidence: Sequence[Evidence]) -> nodes.table:
        rows = [
            [each.framework.title, *self._row(case)]
            for each in evidence
            for case in each.measurement.cases
        ]
        head = [
            *(str(_("Framework")), str(_("Case")), self._over(evidence)),
            *(str(_("Median")), str(_("Quartiles"))),
            *(str(_("First call")), str(_("Memory"))),
            *(str(_("Calls")), str(_("Samples")), str(_("Processes"))),
        ]
        shown = [
            Column(text, [row[at] for row in rows], numeric=at > 1)
            for at, text in enumerate(head)
            if any(row[at] for row in rows) and not (at == 0 and self.alone)
        ]
        owners = [each.framework.name for each in evidence for _case in each.measurement.cases]
        return table_of(shown, owners)

    def _over(self, evidence: Sequence[Evidence]) -> str:
        return next(
            (
                self.wording.label(each.measurement.over)
                for each in evidence
                if each.measurement.over
            ),
            "",
        )

    def _row(self, case: Case) -> list[str]:
        found, wording = summary(case), self.wording
        quartiles = f"{wording.time(found.low_quartile)} {_TO} {wording.time(found.high_quartile)}"
        return [
            *(self.wording.label(case.name), "" if case.at is None else wording.value(case.at)),
            *(wording.time(found.median), quartiles),
            wording.time(found.first_call),
            wording.size(found.memory) if found.memory is not None else "",
            *(wording.count(each) for each in (found.calls, found.samples, found.processes)),
        ]


def _open_figure(translator: HTML5Translator, node: benchmark) -> None:
    translator.body.append(translator.starttag(node, "figure", CLASS="benchmark"))


def _close_figure(translator: HTML5Translator, _node: benchmark) -> None:
    translator.body.append("</figure>\n")


def _write_chart(translator: HTML5Translator, node: chart) -> None:
    translator.body.append(node["svg"] + "\n")
    raise nodes.SkipNode


def _open_details(translator: HTML5Translator, node: numbers_behind) -> None:
    translator.body.append(f"<details><summary>{translator.encode(node['summary'])}</summary>\n")


def _close_details(translator: HTML5Translator, _node: numbers_behind) -> None:
    translator.body.append("</details>\n")


def setup_benchmark(app: Sphinx) -> None:
    """Add the directive and its nodes."""
    app.add_node(benchmark, html=(_open_figure, _close_figure))
    app.add_node(chart, html=(_write_chart, None))
    app.add_node(numbers_behind, html=(_open_details, _close_details))
    app.add_directive("benchmark", BenchmarkDirective)
