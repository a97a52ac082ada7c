"""The choice among the branches of a `{verdict}`, by what was measured.

Inside the tab of a framework the one true branch is shown. Outside of tabs every branch that is
true of some framework is shown, behind the names of those frameworks, and each has its own numbers.
Where no branch is true, `open_results` says what is known. The choice is made in the finished
page, not under gettext, so that all branches reach the catalogs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docutils import nodes

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.interface.messages import gettext_noop
from polytab.interface.messages import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.code.devices import keep_one_device, missing_cuda, missing_cuda_notes, part_for
from polytab.pages.code.tabs import tab_of
from polytab.pages.inputs import inputs_of
from polytab.pages.markdown.missing_branches import STRAY
from polytab.pages.numbers.branches import branches_of, setup_branches, verdict, when
from polytab.pages.numbers.elsewhere import page_of
from polytab.pages.numbers.expressions import parse_comparison
from polytab.pages.numbers.notices import missing_text, stale_notices, unmeasured_notice
from polytab.pages.numbers.open_results import open_paragraph, open_sentences
from polytab.pages.numbers.results import framework_here, results_on_cpu, results_on_cuda
from polytab.pages.numbers.roles import numbers_of_frameworks, pending_number
from polytab.pages.numbers.transform import MeasurementTransform
from polytab.recordings.verdicts import verdict as judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from polytab.pages.numbers.expressions import Comparison
    from polytab.pages.numbers.results import BenchmarkResults, FrameworkResult
    from polytab.recordings.verdicts import Ratio

_ALL = {
    2: gettext_noop("In both"),
    3: gettext_noop("In all three"),
    4: gettext_noop("In all four"),
    5: gettext_noop("In all five"),
    6: gettext_noop("In all six"),
}
"""How it is said that this many frameworks agree; of more, in figures."""


class ChooseBranches(MeasurementTransform):
    """Replace every verdict of a finished page by what its measurements make true."""

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
            self.warn(stray, PolytabError(STRAY))

    def _chosen(self, node: verdict) -> list[nodes.Node]:
        """Return what is true on the CPU and, where it was measured there too, what is on CUDA."""
        comparison, page = parse_comparison(node["expression"]), page_of(node)
        results = results_on_cpu(self.env, page, comparison.benchmark, comparison.cases)
        framework = framework_here(self.env, tab_of(node), results)
        results = results.in_tab_of(framework, node["expression"])
        on_cuda = results_on_cuda(self.env, page, comparison.benchmark, comparison.cases, framework)
        names = inputs_of(self.env).script_translations(
            page, inputs_of(self.env).language(self.env)
        )
        formats = Formats(self.config.language, names)
        shown = _Choice(self.env, results, comparison, formats, alone=framework is not None)
        copy = node.deepcopy()  # before its branches are changed
        on_cpu = shown.of(node) if results.measured else [unmeasured_notice()]
        if not on_cuda.measured:
            own = inputs_of(self.env).settings.framework(framework) if framework else None
            return [*missing_cuda_notes(self.env, page, own), *on_cpu]
        for each in copy.findall(nodes.Element):
            each["ids"] = []  # the first copy has them
        missing = results.missing_from(on_cuda)
        there = replace(on_cuda, missing=missing)
        shown_on_cuda = replace(shown, results=there).of(copy)
        if missing:
            owners = [each.name for each in missing]
            text = missing_text(missing, formats, CUDA)
            shown_on_cuda.append(missing_cuda("", text, translatable=False, frameworks=owners))
        parts = [part_for(CPU, on_cpu), part_for(CUDA, shown_on_cuda)]
        for part in parts:
            keep_one_device(part, part["device"])
        return list(parts)


@dataclass(frozen=True)
class _Choice:
    """Chooses what is true of the results on one device; `alone`: they are of one framework."""

    env: BuildEnvironment
    results: BenchmarkResults
    comparison: Comparison
    formats: Formats
    alone: bool

    def of(self, node: verdict) -> list[nodes.Node]:
        """Return the content of the true branches, what is open, and a notice where stale."""
        branches = branches_of(node)
        chosen = [(each, _true_branch(branches, each.ratio(self.comparison)))
                  for each in self.results.measured]  # fmt: skip
        shown: list[nodes.Node] = []
        for branch in branches:
            true_of = [result for result, its in chosen if its is branch]
            if true_of:
                shown += self._told(branch, true_of)
        still_open = [result for result, its in chosen if its is None]
        for text, true_of in open_sentences(still_open, self.comparison, self.formats).items():
            shown += self._named([open_paragraph(text)], true_of)
        return [*shown, *stale_notices(self.results.measured, self.formats, alone=self.alone)]

    def _told(self, branch: when, true_of: Sequence[FrameworkResult]) -> list[nodes.Node]:
        """Return the content of a branch with its numbers, behind the names of its frameworks."""
        owners = [each.framework for each in true_of]
        for number in list(branch.findall(pending_number)):
            device = self.results.device
            of_each = numbers_of_frameworks(self.env, number, owners, device, self.formats)
            number.replace_self(of_each)
        return self._named(list(branch.children), true_of)

    def _named(
        self, content: list[nodes.Node], true_of: Sequence[FrameworkResult]
    ) -> list[nodes.Node]:
        """Put the names of the frameworks before what is true of them, as a run-in heading."""
        if self.alone:
            return content
        head = nodes.strong(
            "", self._head(true_of) + self.formats.colon.rstrip(), translatable=False, run_in=True
        )
        first = content[0]
        if isinstance(first, nodes.paragraph):
            first[:0] = [head, nodes.Text(" " if self.formats.colon.endswith(" ") else "")]
        else:
            content = [nodes.paragraph("", "", head), *content]
        for each in content:
            if isinstance(each, nodes.Element):
                each["frameworks"] = [result.framework.name for result in true_of]
        return content

    def _head(self, true_of: Sequence[FrameworkResult]) -> str:
        """Name the frameworks, or say that all agree where none of the page's is missing."""
        results, count = self.results, len(true_of)
        if count == len(results.measured) > 1 and not results.pending and not results.missing:
            text = _ALL.get(count)
            return _(text) if text else _("In all {number}").format(number=count)
        return self.formats.listed([each.framework.title for each in true_of])


def _true_branch(branches: Sequence[when], measured: Ratio) -> when | None:
    """Return the branch that is true of a ratio; None where what it says is the engine's.

    The author's bound comes first: who calls 25 % the same does not call 10 % a difference.
    """
    outcome = judge(measured)
    for branch in branches:
        if "bound" in branch and measured.within(branch["bound"]):
            return branch
    return next(
        (each for each in branches if each["outcome"] == outcome and "bound" not in each), None
    )


def setup_verdict(app: Sphinx) -> None:
    """Add the directives and the transform; no verdict is left for a writer."""
    setup_branches(app)
    app.add_post_transform(ChooseBranches)
