"""`{benchmark} name`: charts of one benchmark in all frameworks, with a table of their numbers.

Inside the tab of a framework they are of that framework alone. Measurements from different
machines never share an axis: each machine has a chart of its own.
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
from polytab.interface.formats import machine, machine_details
from polytab.interface.messages import gettext_noop
from polytab.interface.messages import translate as _
from polytab.model import CPU, CUDA, PLAIN
from polytab.pages.charts import plot
from polytab.pages.charts.bars import draw
from polytab.pages.code.devices import missing_cuda_notes, part_for
from polytab.pages.code.snippet import provenance
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.drawings import SHOW_OPTIONS, Bars, Curves
from polytab.pages.numbers.elsewhere import is_elsewhere, page_at, tab_at
from polytab.pages.numbers.notices import (
    machines_notice,
    missing_notice,
    stale_notices,
    unmeasured_notice,
)
from polytab.pages.numbers.results import framework_here, results_on_cpu, results_on_cuda
from polytab.pages.numbers.table import results_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

    from polytab.interface.formats import Formats
    from polytab.pages.numbers.results import BenchmarkResults, FrameworkResult

_BARS_NOTE = gettext_noop("Medians; the lines span the middle half of the samples")
_log = logging.getLogger(__name__)


class benchmark(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """The charts of one benchmark, with their notes, notices and table."""


class chart(nodes.container):  # noqa: N801
    """A chart as SVG; it has no children, so formats without SVG show the table alone."""


class chart_table(nodes.container):  # noqa: N801
    """The table of a chart's numbers, which HTML folds away."""


class chart_view(chart_table):  # noqa: N801
    """The same numbers as another chart, folded away too; books do without it."""


class BenchmarkDirective(SphinxDirective):
    """The directive `{benchmark}`; `:show:` chooses what the curves of a sweep show."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[OptionSpec] = {
        "show": lambda word: directives.choice(word, tuple(SHOW_OPTIONS))
    }

    def run(self) -> list[nodes.Node]:
        """Return the charts of what is recorded; what is wrong is a warning at the directive."""
        try:
            return self.figures()
        except PolytabError as error:
            _log.warning(
                str(error), location=self.get_location(), type="polytab", subtype="benchmark"
            )
            return []

    def names(self) -> list[str]:
        """Return the benchmarks to draw; the first decides which frameworks are shown."""
        return [self.arguments[0]]

    def figures(self) -> list[nodes.Node]:
        """Return the figure of each device that has results, with a note where CUDA has none."""
        name, page = self.names()[0], page_at(self)
        results = results_on_cpu(self.env, page, name)
        framework = framework_here(self.env, tab_at(self), results)
        results = results.in_tab_of(framework, name)
        alone = framework is not None and not is_elsewhere(self)
        figure = self.figure(results, alone=alone)
        on_cuda = results_on_cuda(self.env, page, name, framework=framework)
        if not on_cuda.measured:
            own = inputs_of(self.env).settings.framework(framework) if framework else None
            return [*missing_cuda_notes(self.env, page, own), figure]
        second = self.figure(replace(on_cuda, missing=results.missing_from(on_cuda)), alone=alone)
        return [part_for(CPU, [figure]), part_for(CUDA, [second])]

    def figure(self, results: BenchmarkResults, *, alone: bool) -> nodes.Element:
        """Return the figure of one device; `alone`: of one framework, which is not named."""
        curves = any(each.measurement.over for each in results.measured)
        if "show" in self.options and results.measured and not curves:
            raise PolytabError(
                f"`{self.arguments[0]}` is no curve", hint="bars show times; leave `:show:` out"
            )
        return Figure(self, self.arguments[0], results, alone=alone).node()


class Figure:
    """Makes the nodes of one benchmark on one device."""

    spread_note = gettext_noop("Medians; the bands span the middle half of the samples")
    """The note under a chart of curves."""

    def __init__(
        self, directive: SphinxDirective, name: str, results: BenchmarkResults, *, alone: bool
    ) -> None:
        """Choose a style for each case."""
        self.env = directive.env
        self.name = name
        self.results = results
        self.alone = alone
        self.show = str(directive.options.get("show", "time"))
        self.formats = inputs_of(directive.env).formats(directive.env, page_at(directive))
        # A case has one style in all frameworks, and one of its own among those of its framework.
        self.styles: dict[str, int] = {}
        for each in results.measured:
            cases = list(dict.fromkeys(case.name for case in each.measurement.cases))
            for place, case in enumerate(cases):
                taken = {self.styles[other] for other in cases if other in self.styles}
                free = next(style for style in count(place) if style not in taken)
                self.styles.setdefault(case, free)

    def node(self) -> benchmark:
        """Return the charts, notices and table."""
        results = self.results.measured
        box = benchmark("")
        # Each machine, and each range of values, has a chart of its own.
        groups: dict[tuple[object, str | None], list[FrameworkResult]] = {}
        for each in results:
            group = (each.recording.provenance.machine_kind, each.measurement.over)
            groups.setdefault(group, []).append(each)
        for members in groups.values():
            box += chart("", svg=self.drawing(members))
            box += provenance("", " · ".join(self.notes(members)), translatable=False)
            if (other := self.other_view(members)) is not None:
                summary = _("Each framework by itself")
                box += chart_view("", chart("", svg=other), summary=summary)
        box += machines_notice(results)
        box += stale_notices(results, self.formats, alone=self.alone)
        box += self._missing_notices()
        if results:
            table = results_table(results, self.formats, alone=self.alone)
            folded = chart_table("", table, summary=_("The numbers"))
            folded += [
                provenance.of(self.formats, each.framework, each.recording.provenance)
                for each in results
            ]
            folded += _machines(results, self.formats)
            box += folded
        return box

    def _missing_notices(self) -> list[nodes.Node]:
        """Return the notice that names the frameworks with nothing to draw."""
        missing = (*self.results.pending, *self.results.missing)
        if not missing:
            return []
        if self.alone:
            return [unmeasured_notice()]
        return [missing_notice(missing, self.formats, self.results.device)]

    def drawing(self, results: Sequence[FrameworkResult]) -> str:
        """Draw bars, or curves where the benchmark runs over a range of values."""
        if results[0].measurement.over is None:
            bars = Bars(results, self.styles, self.formats, self.alone)
            return draw(bars.chart(self.new_id(), self._title(results)), self.formats)
        curves = self._curves(results)
        view = curves.by_framework if len(results) == 1 else curves.by_case
        return plot.draw(view(self.new_id(), self._title(results)), self.formats)

    def other_view(self, results: Sequence[FrameworkResult]) -> str | None:
        """Draw each framework by itself where the curves of several lie over each other."""
        if results[0].measurement.over is None or len(results) == 1:
            return None
        curves = self._curves(results)
        return plot.draw(curves.by_framework(self.new_id(), self._title(results)), self.formats)

    def notes(self, results: Sequence[FrameworkResult]) -> list[str]:
        """Return what is said under a chart: of its axes, its marks and its machine."""
        made = machine(results[0].recording.provenance)
        if results[0].measurement.over is None:
            return [_(_BARS_NOTE), made]
        return [_("Both axes are logarithmic"), _(self.spread_note), made]

    def _curves(self, results: Sequence[FrameworkResult]) -> Curves:
        frameworks = inputs_of(self.env).settings.frameworks
        ordered = sorted(frameworks, key=lambda each: each.name == PLAIN)  # beside the frameworks
        numbers = {each.name: number for number, each in enumerate(ordered)}
        return Curves(results, self.styles, numbers, self.formats, self.alone, self.show)

    def _title(self, results: Sequence[FrameworkResult]) -> str:
        titles = self.formats.listed([each.framework.title for each in results])
        title = _(SHOW_OPTIONS[self.show].title)
        return title.format(benchmark=self.formats.translated_name(self.name), frameworks=titles)

    def new_id(self) -> str:
        """Return an id that is new on the page."""
        return f"benchmark-{self.env.new_serialno('benchmark')}"


def _machines(results: Sequence[FrameworkResult], formats: Formats) -> Iterator[provenance]:
    """Yield a line for each machine with all that is known of it."""
    told: dict[str, list[FrameworkResult]] = {}
    for each in results:
        if details := machine_details(each.recording.provenance, formats):
            told.setdefault(details, []).append(each)
    for text, members in told.items():
        names = [each.framework.name for each in members]
        yield provenance("", text, translatable=False, frameworks=names)


def _open_figure(translator: HTML5Translator, node: benchmark) -> None:
    translator.body.append(translator.starttag(node, "figure", CLASS="benchmark"))


def _close_figure(translator: HTML5Translator, _node: benchmark) -> None:
    translator.body.append("</figure>\n")


def _write_chart(translator: HTML5Translator, node: chart) -> None:
    translator.body.append(node["svg"] + "\n")
    raise nodes.SkipNode


def _open_details(translator: HTML5Translator, node: chart_table) -> None:
    translator.body.append(f"<details><summary>{translator.encode(node['summary'])}</summary>\n")


def _close_details(translator: HTML5Translator, _node: chart_table) -> None:
    translator.body.append("</details>\n")


def setup_benchmark(app: Sphinx) -> None:
    """Add the directive and its nodes."""
    app.add_node(benchmark, html=(_open_figure, _close_figure))
    app.add_node(chart, html=(_write_chart, None))
    for folded in (chart_table, chart_view):
        app.add_node(folded, html=(_open_details, _close_details))
    app.add_directive("benchmark", BenchmarkDirective)
    app.add_js_file("charts.js", loading_method="defer")
