"""`{benchmark} name`: a chart of one benchmark across frameworks, and the numbers behind it.

Inside a framework's tab it is that framework's alone. What was measured on different machines is
never drawn on one axis: each machine has a chart of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.model import CPU, CUDA
from polytab.pages.chart import Chart, Group, Mark, draw
from polytab.pages.devices import absence, part
from polytab.pages.evidence import Gathered, framework_at, gather, gather_cuda
from polytab.pages.numbers import missing_on_cuda, stale_notices
from polytab.pages.shelf import shelf
from polytab.pages.snippet import notice, provenance
from polytab.pages.tabs import current_tab
from polytab.pages.wording import Wording, label, machine
from polytab.pages.words import translate as _
from polytab.ratios import summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Case
    from polytab.pages.evidence import Evidence

_TO = "\N{EN DASH}"
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

    def run(self) -> list[nodes.Node]:
        """Draw what is recorded; what is wrong is a warning with its line."""
        try:
            return self._benchmark(self.arguments[0])
        except PolytabError as error:
            _log.warning(
                str(error), location=self.get_location(), type="polytab", subtype="benchmark"
            )
            return []

    def _benchmark(self, name: str) -> list[nodes.Node]:
        gathered = gather(self.env, self.env.docname, name)
        framework = framework_at(self.env, current_tab(self), gathered)
        if framework is not None:
            gathered = gathered.of(framework)
        if not gathered.evidence and not gathered.waiting:
            raise PolytabError(f"the script of this tab does not measure `{name}`")
        alone, page = framework is not None, self.env.docname
        figure = _Figure(self, name, gathered, alone=alone).node()
        on_cuda = gather_cuda(self.env, page, name, framework=framework)
        if not on_cuda:
            own = shelf(self.env).settings.framework(framework) if framework else None
            return [*absence(self.env, page, own), figure]
        there = _Figure(self, name, Gathered(on_cuda), alone=alone)
        second = there.node()
        second += missing_on_cuda(gathered, on_cuda, there.wording)
        return [part(CPU, [figure]), part(CUDA, [second])]


class _Figure:
    """Makes the nodes of one benchmark."""

    def __init__(
        self, directive: SphinxDirective, name: str, gathered: Gathered, *, alone: bool
    ) -> None:
        self.env = directive.env
        self.name = name
        self.gathered = gathered
        self.alone = alone
        self.wording = Wording(directive.config.language)
        # A case looks alike in all frameworks, and unlike the others of its own.
        self.looks: dict[str, int] = {}
        for each in gathered.evidence:
            cases = [case.name for case in each.measurement.cases]
            for place, case in enumerate(cases):
                taken = {self.looks[other] for other in cases if other in self.looks}
                free = next(look for look in count(place) if look not in taken)
                self.looks.setdefault(case, free)

    def node(self) -> benchmark:
        evidence = self.gathered.evidence
        box = benchmark("")
        machines: dict[str, list[Evidence]] = {}
        for each in evidence:
            machines.setdefault(machine(each.recording.provenance), []).append(each)
        for name, those in machines.items():
            box += chart("", svg=draw(self._chart(those), self.wording))
            said = _("Medians; the lines span the middle half of the samples")
            box += provenance("", f"{said} · {name}", translatable=False)
        box += stale_notices(evidence, self.wording, alone=self.alone)
        box += self._missing()
        if evidence:
            behind = numbers_behind("", self._table(evidence), summary=str(_("The numbers")))
            behind += [
                provenance("", self.wording.origin(each.framework, each.recording.provenance),
                           translatable=False)
                for each in evidence
            ]  # fmt: skip
            box += behind
        return box

    def _missing(self) -> list[nodes.Node]:
        """Say of which frameworks there is nothing to draw."""
        names = [each.title for each in (*self.gathered.waiting, *self.gathered.without)]
        if not names:
            return []
        if self.alone:
            return [notice("", str(_("This has not been measured yet.")), translatable=False)]
        text = _("Not measured: {frameworks}.").format(frameworks=self.wording.listed(names))
        return [notice("", text, translatable=False)]

    def _chart(self, evidence: Sequence[Evidence]) -> Chart:
        groups = tuple(
            Group(
                None if self.alone else each.framework.title,
                tuple(self._mark(case) for case in each.measurement.cases),
            )
            for each in evidence
        )
        titles = self.wording.listed([each.framework.title for each in evidence])
        title = _("Time per call: {benchmark}, {frameworks}")
        title = title.format(benchmark=label(self.name), frameworks=titles)
        ident = f"benchmark-{self.env.new_serialno('benchmark')}"
        return Chart(ident, title, self._description(evidence), groups)

    def _mark(self, case: Case) -> Mark:
        found = summary(case)
        low, high = found.low_quartile, found.high_quartile
        return Mark(label(case.name), self.looks[case.name], found.median, low, high)

    def _description(self, evidence: Iterable[Evidence]) -> str:
        """Say what the chart shows to those who do not see it."""
        parts: list[str] = []
        for each in evidence:
            times = (
                f"{label(case.name)} {self.wording.time(summary(case).median)}"
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
            *(str(_("Framework")), str(_("Case")), str(_("Median")), str(_("Quartiles"))),
            *(str(_("First call")), str(_("Memory"))),
            *(str(_("Calls")), str(_("Samples")), str(_("Processes"))),
        ]
        shown = [
            _Column(text, [row[at] for row in rows], numeric=at > 1)
            for at, text in enumerate(head)
            if any(row[at] for row in rows) and not (at == 0 and self.alone)
        ]
        return _table(shown)

    def _row(self, case: Case) -> list[str]:
        found, wording = summary(case), self.wording
        quartiles = f"{wording.time(found.low_quartile)} {_TO} {wording.time(found.high_quartile)}"
        return [
            *(label(case.name), wording.time(found.median), quartiles),
            wording.time(found.first_call),
            wording.size(found.memory) if found.memory is not None else "",
            *(wording.count(each) for each in (found.calls, found.samples, found.processes)),
        ]


@dataclass(frozen=True)
class _Column:
    """One column of the table behind a chart."""

    head: str
    cells: Sequence[str]
    numeric: bool

    def entry(self, text: str) -> nodes.entry:
        """Make a cell; numbers stand right, under each other."""
        paragraph = nodes.paragraph("", text, translatable=False)
        return nodes.entry("", paragraph, classes=["text-right"] if self.numeric else [])

    @property
    def width(self) -> int:
        """The widest cell, for formats that draw tables with characters."""
        return max(len(text) for text in (self.head, *self.cells))


def _table(columns: Sequence[_Column]) -> nodes.table:
    group = nodes.tgroup("", cols=len(columns))
    group += [nodes.colspec("", colwidth=column.width) for column in columns]
    head = nodes.row("", *(column.entry(column.head) for column in columns))
    group += nodes.thead("", head)
    body = nodes.tbody("")
    for at in range(len(columns[0].cells)):
        body += nodes.row("", *(column.entry(column.cells[at]) for column in columns))
    group += body
    return nodes.table("", group)


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
