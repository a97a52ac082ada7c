"""`{verdict}` with `{when}` branches: a statement about speed that follows the measurement.

Inside a framework's tab the one true branch is shown. Outside, every branch that is true of some
framework is shown and names those frameworks. The choice is made in the finished page, never
under gettext, so that all three branches reach the catalogs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.wording import Wording
from polytab.interface.words import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.code.devices import absence, device_absence, leave_one, part
from polytab.pages.code.snippet import notice
from polytab.pages.code.tabs import tab_of
from polytab.pages.numbers.evidence import framework_at, gather, gather_cuda, read_comparison
from polytab.pages.numbers.roles import add_choice, complain, stale_notices
from polytab.pages.shelf import shelf
from polytab.recordings.verdicts import Verdict
from polytab.recordings.verdicts import verdict as judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx

    from polytab.pages.numbers.evidence import Evidence

_log = logging.getLogger(__name__)
_OUTCOMES = tuple(outcome.value for outcome in Verdict)


class verdict(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """Three branches of which the measurement chooses."""


class when(nodes.container):  # noqa: N801
    """What is said where the verdict is this one."""


class VerdictDirective(SphinxDirective):
    """Hold one branch for each verdict."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Check the branches here and now; they are chosen from in the finished page."""
        node = verdict("", page=self.env.docname, asked=self.arguments[0])
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        wrong = _wrong(node)
        if wrong is None:
            return [node]
        _log.warning(wrong, location=self.get_location(), type="polytab", subtype="verdict")
        return []


class WhenDirective(SphinxDirective):
    """Hold what is said of one verdict."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Parse the branch."""
        node = when("", outcome=self.arguments[0])
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def _wrong(node: verdict) -> str | None:
    """Say what keeps these branches from being a verdict."""
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


class Verdicts(SphinxPostTransform):
    """Leave of each verdict what is true."""

    default_priority = 210  # after numbers, see there

    def run(self, **kwargs: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Replace every verdict by its true branches; what is wrong is a warning with its line."""
        del kwargs
        for node in list(self.document.findall(verdict)):
            try:
                chosen = self._chosen(node)
            except PolytabError as error:
                complain(node, error, "verdict")
                chosen = []
            node.replace_self(chosen)
        for stray in self.document.findall(when):
            complain(stray, PolytabError("a `{when}` stands outside a `{verdict}`"), "verdict")

    def _chosen(self, node: verdict) -> list[nodes.Node]:
        comparison = read_comparison(node["asked"])
        gathered = gather(self.env, node["page"], comparison.benchmark, comparison.cases)
        framework = framework_at(self.env, tab_of(node), gathered)
        if framework is not None:
            gathered = gathered.of(framework)
        if not gathered.evidence and not gathered.waiting:
            raise PolytabError(f"the script of this tab does not measure `{node['asked']}`")
        on_cuda = gather_cuda(
            self.env, node["page"], comparison.benchmark, comparison.cases, framework
        )
        alone, wording = framework is not None, Wording(self.config.language)
        again = node.deepcopy()
        told = _true(node, gathered.evidence, wording, alone=alone)
        if not gathered.evidence:
            told = [notice("", str(_("This has not been measured yet.")), translatable=False)]
        if not on_cuda.evidence:
            own = shelf(self.env).settings.framework(framework) if framework else None
            return [*absence(self.env, node["page"], own), *told]
        for each in again.findall(nodes.Element):
            each["ids"] = []  # they stand in the first copy
        told_of_cuda = _true(again, on_cuda.evidence, wording, alone=alone)
        parts = [part(CPU, told), part(CUDA, told_of_cuda)]
        for each in parts:
            leave_one(each, each["device"])
        missing = gathered.lacking(on_cuda)
        if missing:
            text = _("Not measured on CUDA: {frameworks}.")
            text = text.format(frameworks=wording.listed([each.title for each in missing]))
            names = [each.name for each in missing]
            parts[-1] += device_absence("", text, translatable=False, frameworks=names)
        return list(parts)


def _true(
    node: verdict, evidence: Sequence[Evidence], wording: Wording, *, alone: bool
) -> list[nodes.Node]:
    """Return the branches that are true of this evidence; `alone`: of one framework, not named."""
    comparison = read_comparison(node["asked"])
    shown: list[nodes.Node] = []
    for branch in _branches(node):
        true_of = [each for each in evidence if judge(each.ratio(comparison)) == branch["outcome"]]
        if true_of and not alone:
            _name(branch, true_of, wording)
        for child in branch.children if true_of else []:
            if not alone and isinstance(child, nodes.Element):
                child["frameworks"] = [each.framework.name for each in true_of]
            shown.append(child)
    return [*shown, *stale_notices(evidence, wording, alone=alone)]


def _name(branch: when, true_of: list[Evidence], wording: Wording) -> None:
    """Put the names of the frameworks before what is true of them, as a run-in heading."""
    names = wording.listed([each.framework.title for each in true_of])
    head = nodes.strong("", names + wording.colon.rstrip(), translatable=False, run_in=True)
    first = branch.children[0]
    if isinstance(first, nodes.paragraph):
        first[:0] = [head, nodes.Text(" " if wording.colon.endswith(" ") else "")]
    else:
        branch.insert(0, nodes.paragraph("", "", head))


def setup_verdict(app: Sphinx) -> None:
    """Add the directives and the choice; a verdict never reaches a writer."""
    app.add_node(verdict)
    app.add_node(when)
    app.add_directive("verdict", VerdictDirective)
    app.add_directive("when", WhenDirective)
    add_choice(app, Verdicts)
