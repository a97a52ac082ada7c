"""`{verdict}` with `{when}` branches: prose of which the measurements choose what is shown.

Inside the tab of a framework the one true branch is shown. Outside of tabs every branch that is
true of some framework is shown, behind the names of those frameworks. The choice is made in the
finished page, not under gettext, so that all three branches reach the catalogs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.model import CPU, CUDA
from polytab.pages.code.devices import keep_one_device, missing_cuda, missing_cuda_notes, part_for
from polytab.pages.code.tabs import tab_of
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.expressions import parse_comparison
from polytab.pages.numbers.notices import missing_text, stale_notices, unmeasured_notice
from polytab.pages.numbers.results import framework_at, results_on_cpu, results_on_cuda
from polytab.pages.numbers.transform import MeasurementTransform
from polytab.recordings.verdicts import Verdict
from polytab.recordings.verdicts import verdict as judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx

    from polytab.pages.numbers.results import FrameworkResult

_log = logging.getLogger(__name__)
_OUTCOMES = tuple(outcome.value for outcome in Verdict)


class verdict(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """The branches of a verdict, before one is chosen."""


class when(nodes.container):  # noqa: N801
    """A branch: what is shown where the outcome is this one."""


class VerdictDirective(SphinxDirective):
    """`{verdict} benchmark: new vs old`, with a branch for each outcome."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the node of the verdict; a missing or wrong branch is a warning."""
        node = verdict("", page=self.env.docname, expression=self.arguments[0])
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        wrong = _wrong(node)
        if wrong is None:
            return [node]
        _log.warning(wrong, location=self.get_location(), type="polytab", subtype="verdict")
        return []


class WhenDirective(SphinxDirective):
    """`{when} outcome`, with what is shown then."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the node of the branch."""
        node = when("", outcome=self.arguments[0])
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def _wrong(node: verdict) -> str | None:
    """Return what is wrong with the branches of a verdict, or None."""
    branches = _branches(node)
    outcomes = [branch["outcome"] for branch in branches]
    if len(branches) < len(node.children):
        return "a verdict holds `{when}` branches and nothing else"
    for branch in branches:
        if branch["outcome"] not in _OUTCOMES:
            return f"`{branch['outcome']}` is no verdict; known: {', '.join(_OUTCOMES)}"
        if outcomes.count(branch["outcome"]) > 1:
            return f"the branch `{branch['outcome']}` stands twice"
        if not branch.children:
            return f"the branch `{branch['outcome']}` says nothing"
    missing = [outcome for outcome in _OUTCOMES if outcome not in outcomes]
    return f"no branch for {', '.join(f'`{each}`' for each in missing)}" if missing else None


def _branches(node: verdict) -> list[when]:
    return [child for child in node.children if isinstance(child, when)]


class ChooseBranches(MeasurementTransform):
    """Replace every verdict of a finished page by the branches that its measurements make true."""

    default_priority = 210  # after ResolveNumbers, see there
    subtype = "verdict"

    def run(self, **kwargs: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Choose the branches; what is wrong is a warning at its block."""
        del kwargs
        for node in list(self.document.findall(verdict)):
            try:
                chosen = self._chosen(node)
            except PolytabError as error:
                self.warn(node, error)
                chosen = []
            node.replace_self(chosen)
        for stray in self.document.findall(when):
            self.warn(stray, PolytabError("a `{when}` stands outside a `{verdict}`"))

    def _chosen(self, node: verdict) -> list[nodes.Node]:
        """Return what is true on the CPU and, where it was measured there too, what is on CUDA."""
        comparison, page = parse_comparison(node["expression"]), node["page"]
        results = results_on_cpu(self.env, page, comparison.benchmark, comparison.cases)
        framework = framework_at(self.env, tab_of(node), results)
        if framework is not None:
            results = results.of(framework)
        if not results.measured and not results.pending:
            raise PolytabError(f"the script of this tab does not measure `{node['expression']}`")
        on_cuda = results_on_cuda(self.env, page, comparison.benchmark, comparison.cases, framework)
        alone, formats = framework is not None, Formats(self.config.language)
        copy = node.deepcopy()  # before its branches are changed
        if results.measured:
            shown = _true_branches(node, results.measured, formats, alone=alone)
        else:
            shown = [unmeasured_notice()]
        if not on_cuda.measured:
            own = inputs_of(self.env).settings.framework(framework) if framework else None
            return [*missing_cuda_notes(self.env, page, own), *shown]
        for each in copy.findall(nodes.Element):
            each["ids"] = []  # the first copy has them
        shown_on_cuda = _true_branches(copy, on_cuda.measured, formats, alone=alone)
        missing = results.missing_from(on_cuda)
        if missing:
            names = [each.name for each in missing]
            text = missing_text(missing, formats, CUDA)
            shown_on_cuda.append(missing_cuda("", text, translatable=False, frameworks=names))
        parts = [part_for(CPU, shown), part_for(CUDA, shown_on_cuda)]
        for part in parts:
            keep_one_device(part, part["device"])
        return list(parts)


def _true_branches(
    node: verdict, results: Sequence[FrameworkResult], formats: Formats, *, alone: bool
) -> list[nodes.Node]:
    """Return the content of the branches that are true of some results, and a notice where stale.

    `alone`: the results are of one framework, which is not named.
    """
    comparison = parse_comparison(node["expression"])
    shown: list[nodes.Node] = []
    for branch in _branches(node):
        true_of = [each for each in results if judge(each.ratio(comparison)) == branch["outcome"]]
        if true_of and not alone:
            _add_names(branch, true_of, formats)
        for child in branch.children if true_of else []:
            if not alone and isinstance(child, nodes.Element):
                child["frameworks"] = [each.framework.name for each in true_of]
            shown.append(child)
    return [*shown, *stale_notices(results, formats, alone=alone)]


def _add_names(branch: when, true_of: Sequence[FrameworkResult], formats: Formats) -> None:
    """Put the names of the frameworks before what is true of them, as a run-in heading."""
    names = formats.listed([each.framework.title for each in true_of])
    head = nodes.strong("", names + formats.colon.rstrip(), translatable=False, run_in=True)
    first = branch.children[0]
    if isinstance(first, nodes.paragraph):
        first[:0] = [head, nodes.Text(" " if formats.colon.endswith(" ") else "")]
    else:
        branch.insert(0, nodes.paragraph("", "", head))


def setup_verdict(app: Sphinx) -> None:
    """Add the directives and the transform; no verdict is left for a writer."""
    app.add_node(verdict)
    app.add_node(when)
    app.add_directive("verdict", VerdictDirective)
    app.add_directive("when", WhenDirective)
    app.add_post_transform(ChooseBranches)
