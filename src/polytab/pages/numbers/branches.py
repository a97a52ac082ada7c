"""`{verdict} benchmark: a vs b` with its `{when}` branches: what an author writes of a comparison.

    ::::{verdict} forward: compiled vs eager
    :::{when} faster
    :::{when} slower
    :::{when} same 25%
    ::::

`faster` and `slower` are needed. `same` with a bound of the author's stands where sameness is the
point. What any other result says is the engine's (`open_results`), never an author's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.recordings.verdicts import Verdict

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)
_NEEDED = (Verdict.FASTER.value, Verdict.SLOWER.value)
_SAME = re.compile(r"same +(?P<percent>[1-9]\d?|100) ?%")
_ENGINES_HINT = (
    "what an open result says is not written by hand: delete the branch; what holds whatever the "
    "verdict stands after it; where sameness is the point, write `{when} same 25%`"
)


class verdict(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """The branches of a verdict, before one is chosen."""


class when(nodes.container):  # noqa: N801
    """A branch: what is shown where the outcome is this one; `bound` is that of `same`."""


class VerdictDirective(SphinxDirective):
    """`{verdict} benchmark: a vs b`, with its branches."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the node of the verdict; a missing or wrong branch is a warning."""
        node = verdict("", page=self.env.docname, expression=self.arguments[0])
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        try:
            _check(node)
        except PolytabError as error:
            location = self.get_location()
            _log.warning(str(error), location=location, type="polytab", subtype="verdict")
            return []
        return [node]


class WhenDirective(SphinxDirective):
    """`{when} outcome`, with what is shown then."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the node of the branch."""
        outcome = self.arguments[0]
        same = _SAME.fullmatch(outcome)
        node = when("", outcome="same" if same else outcome)
        if same:
            node["bound"] = int(same["percent"]) / 100
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def branches_of(node: verdict) -> list[when]:
    """Return the branches of a verdict, in their order."""
    return [child for child in node.children if isinstance(child, when)]


def branch_around(node: nodes.Element) -> when | None:
    """Return the branch that a node stands in, if it stands in one."""
    around = node.parent
    while around is not None and not isinstance(around, when):
        around = around.parent
    return around


def _check(node: verdict) -> None:
    """Raise PolytabError for what is wrong with the branches of a verdict."""
    branches = branches_of(node)
    outcomes = [branch["outcome"] for branch in branches]
    if len(branches) < len(node.children):
        raise PolytabError("a verdict holds `{when}` branches and nothing else")
    for branch in branches:
        _check_branch(branch)
        if outcomes.count(branch["outcome"]) > 1:
            raise PolytabError(f"the branch `{branch['outcome']}` stands twice")
    missing = [f"`{outcome}`" for outcome in _NEEDED if outcome not in outcomes]
    if missing:
        raise PolytabError(f"no branch for {', '.join(missing)}")


def _check_branch(branch: when) -> None:
    outcome = branch["outcome"]
    if outcome == "same" and "bound" not in branch:
        raise PolytabError("`same` has no bound", hint="write `{when} same 25%`")
    if outcome.startswith("same ") and "bound" not in branch:
        raise PolytabError(
            f"`{outcome}` has no bound from 1 % to 100 %", hint="write `{when} same 25%`"
        )
    if outcome not in {*_NEEDED, "same"}:
        raise PolytabError(
            f"`{outcome}` is no branch; there are `faster`, `slower` and `same` with a bound",
            hint=_ENGINES_HINT,
        )
    if not branch.children:
        raise PolytabError(f"the branch `{outcome}` says nothing")


def setup_branches(app: Sphinx) -> None:
    """Add the directives and their nodes; the transform of `verdict` leaves none to a writer."""
    app.add_node(verdict)
    app.add_node(when)
    app.add_directive("verdict", VerdictDirective)
    app.add_directive("when", WhenDirective)
