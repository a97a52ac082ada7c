"""The roles `{ratio}` and `{measured}`: a measured number in a sentence, with its origin.

    {ratio}`forward: compiled vs eager`       how many times as fast the first is as the second
    {measured}`forward: compiled`             the median time of a call
    {measured}`forward: compiled first call`  the time to the first result
    {measured}`forward: compiled memory`      the peak of its memory
    {measured}`product: blas at 1024 rate`    operations in a second, there on a curve
    {measured}`copy: copy at 4096 bandwidth`  bytes in a second
    {measured}`forward: compiled vs eager break-even`  computed from two cases, as in `derived`

Sphinx parses translated messages outside of their page, where a role cannot know its tab. So a role
leaves a pending number, and a post-transform of the finished page resolves it. gettext does not run
that, so translators see the roles. In a branch of a verdict outside of tabs a number is of each
framework of which the branch is true, so it is left to the transform of verdicts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.code.devices import device_data, device_separator, label_for
from polytab.pages.code.tabs import tab_of
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.branches import branch_around
from polytab.pages.numbers.derived_text import derived_text, interval_text
from polytab.pages.numbers.elsewhere import page_of
from polytab.pages.numbers.expressions import (
    DerivedQuantity,
    Quantity,
    parse_comparison,
    parse_measured,
)
from polytab.pages.numbers.results import (
    framework_here,
    number_in_heading,
    quantity_of,
    results_on_cpu,
    results_on_cuda,
    several_frameworks,
)
from polytab.pages.numbers.transform import MeasurementTransform
from polytab.recordings.derived import derive
from polytab.recordings.verdicts import find_case

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Case, Framework
    from polytab.pages.numbers.expressions import Comparison
    from polytab.pages.numbers.results import FrameworkResult


class pending_number(nodes.inline):  # noqa: N801  # docutils names nodes in lower case
    """The place of a number in a page that is not finished."""


class number(nodes.inline):  # noqa: N801
    """A measured number; `origin` says with what, where and when it was measured."""


class framework_numbers(nodes.inline):  # noqa: N801
    """The numbers of several frameworks in one sentence, each with the name of its framework."""


class NumberRole(SphinxRole):
    """The roles `{ratio}` and `{measured}`."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return a pending number; its expression is parsed in the finished page."""
        node = pending_number(
            self.rawtext, page=self.env.docname, role=self.name, expression=self.text
        )
        self.set_source_info(node)
        return [node], []


class ResolveNumbers(MeasurementTransform):
    """Replace every pending number of a finished page by the measured one."""

    default_priority = 200  # before verdicts, so that the branches not chosen are checked as well
    subtype = "number"

    def run(self, **kwargs: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Replace the numbers; what is wrong is a warning at its block."""
        del kwargs
        for node in list(self.document.findall(pending_number)):
            try:
                numbers = self._numbers(node)
            except PolytabError as error:
                self.warn(node, error)
                numbers = [nodes.problematic("", node.rawsource)]
            if numbers != [node]:
                node.replace_self(numbers)

    def _numbers(self, node: pending_number) -> list[nodes.Node]:
        """Return the number on the CPU, and the one on CUDA where there is one, with separator."""
        if isinstance(node.parent, nodes.title):
            raise number_in_heading()
        page, expression = page_of(node), _expression(node)
        benchmark, cases = expression.benchmark, expression.cases
        results = results_on_cpu(self.env, page, benchmark, cases)
        framework = framework_here(self.env, tab_of(node), results)
        if framework is None and branch_around(node):
            return [node]  # numbers_of_frameworks
        if framework is None and not results.measured:  # it may turn out to be plain Python's
            return [_not_measured_yet()]
        if framework is None:
            raise several_frameworks(node["expression"])
        results = results.in_tab_of(framework, node["expression"])
        formats = Formats(self.config.language)
        if results.measured:
            on_cpu = _number(results.measured[0], expression, formats)
        else:
            on_cpu = _not_measured_yet()
        measured = results_on_cuda(self.env, page, benchmark, cases, framework).measured
        if measured:
            on_cuda = _number(measured[0], expression, formats)
            separator = device_separator("", " / ")
            return [_on_device(on_cpu, CPU), separator, _on_device(on_cuda, CUDA)]
        if inputs_of(self.env).has_cuda(page):
            on_cpu += label_for(CPU, shown_on=CUDA)
        return [on_cpu]


def numbers_of_frameworks(
    env: BuildEnvironment,
    node: pending_number,
    frameworks: Sequence[Framework],
    device: str,
    formats: Formats,
) -> nodes.Node:
    """Return the number of a framework, or those of several: `1.5 (PyTorch) and 2.0 (JAX)`.

    Raises PolytabError where one of them does not measure it.
    """
    page, expression = page_of(node), _expression(node)
    results_on = results_on_cpu if device == CPU else results_on_cuda
    results = results_on(env, page, expression.benchmark, expression.cases)
    numbers: list[nodes.Node] = []
    for framework in frameworks:
        of = results.of(framework.name)
        if not of.measured and not of.pending:
            raise PolytabError(f"{framework.title} does not measure `{node['expression']}`")
        own = _number(of.measured[0], expression, formats) if of.measured else _not_measured_yet()
        own["frameworks"] = [framework.name]
        numbers.append(own)
    if len(numbers) == 1:
        return numbers[0]
    named = [
        _("{number} ({framework})").format(number="\0", framework=each.title) for each in frameworks
    ]
    first, *between = formats.listed(named).split("\0")
    list_of = framework_numbers("", "", nodes.inline("", first, run_in=True))
    for number, text in zip(numbers, between, strict=True):
        list_of += [number, nodes.inline("", text, run_in=True)]
    return list_of


def _expression(node: pending_number) -> Comparison | Quantity | DerivedQuantity:
    text = node["expression"]
    return parse_comparison(text) if node["role"] == "ratio" else parse_measured(text)


def _not_measured_yet() -> number:
    return number("", _("[not measured yet]"))


def _on_device(node: number, device: str) -> number:
    """Name the device behind a number, and let the switch show it for that device."""
    node["device"] = device
    node += label_for(device)
    return node


def _number(
    result: FrameworkResult,
    expression: Comparison | Quantity | DerivedQuantity,
    formats: Formats,
) -> number:
    """Return a number with its origin."""
    origin = [formats.origin(result.framework, result.recording.provenance)]
    if isinstance(expression, Quantity):
        text = _quantity(find_case(result.measurement, expression.case), expression, formats)
    elif isinstance(expression, DerivedQuantity):
        kind, cases = expression.kind, expression.cases
        found = derive(result.measurement, kind, *cases)
        text = derived_text(found, kind, formats)
        origin[:0] = filter(None, [interval_text(found, kind, formats)])
    else:
        ratio = result.ratio(expression)
        text = formats.factor(ratio.value)
        if ratio.known:
            low, high = formats.factor(ratio.low), formats.factor(ratio.high)
            origin.insert(0, _("95 % interval: {low} to {high}").format(low=low, high=high))
    if not result.fresh:
        origin.append(_("recorded before the last edit"))
    return number("", text, origin=" · ".join(origin))


def _quantity(case: Case, expression: Quantity, formats: Formats) -> str:
    """Return a measured quantity as text; raise PolytabError where it was not measured."""
    writers: dict[str | None, Callable[[Any], str]] = {
        None: formats.time,
        "first call": formats.time,
        "memory": formats.size,
        "rate": formats.rate,
        "bandwidth": formats.bandwidth,
    }
    return writers[expression.kind](quantity_of(case, expression))


def _visit(translator: HTML5Translator, node: number) -> None:
    """Write the origin as a title for the mouse; `_depart` hides it in the text for listeners."""
    title = {"title": node["origin"]} if "origin" in node else {}
    more = {**title, **device_data(node)}
    translator.body.append(translator.starttag(node, "span", "", CLASS="number", **more))


def _depart(translator: HTML5Translator, node: number) -> None:
    if "origin" in node:
        origin = translator.encode(node["origin"])
        hidden = f'<span class="number-origin" data-pagefind-ignore> ({origin})</span>'
        translator.body.append(hidden)
    translator.body.append("</span>")


def setup_roles(app: Sphinx) -> None:
    """Add the roles with their nodes, transform and stylesheet."""
    app.add_node(pending_number)  # Sphinx copies headings before the number is resolved
    app.add_node(number, html=(_visit, _depart))
    app.add_role("ratio", NumberRole())
    app.add_role("measured", NumberRole())
    app.add_post_transform(ResolveNumbers)
    app.add_css_file("numbers.css")
    app.add_css_file("charts.css")
