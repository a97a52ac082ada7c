"""`{verdict} benchmark: a vs b` with its `{when}` branches: what an author writes of a comparison.

    ::::{verdict} forward: compiled vs eager
    :::{when} faster
    :::{when} slower
    :::{when} same 25%
    ::::

What branches there may be stands in `markdown/missing_branches`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.pages.markdown.missing_branches import NOTHING_ELSE, find_branch_problems, read_branch

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)


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
        argument = self.arguments[0]
        read = read_branch(argument, says_something=True)
        node = when("", argument=argument, outcome=read.outcome)
        if read.bound is not None:
            node["bound"] = read.bound
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
    if len(branches) < len(node.children):
        raise PolytabError(NOTHING_ELSE)
    read = [read_branch(each["argument"], says_something=bool(each.children)) for each in branches]
    for _, problem in find_branch_problems(read):
        raise problem


def setup_branches(app: Sphinx) -> None:
    """Add the directives and their nodes; the transform of `verdict` leaves none to a writer."""
    app.add_node(verdict)
    app.add_node(when)
    app.add_directive("verdict", VerdictDirective)
    app.add_directive("when", WhenDirective)
