"""A book of one framework: what speaks of the others alone is left out of the pages.

`polytab_framework` names it. The tabs of the other frameworks are taken out as soon as a page is
read, so that figures are numbered as they stand in the book; numbers, verdicts and charts outside
of tabs are then those of this framework (`framework_here`).

Law, guarded by tests/browser/test_ebooks.py: a link to what was left out is text, and any other
link that leads nowhere is a warning, as it is in a book of all frameworks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from polytab.errors import UsageError
from polytab.model import PLAIN
from polytab.pages.code.snippet import snippet
from polytab.pages.code.tabs import panels_of
from polytab.pages.forms.result import result
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from polytab.model import Framework
    from polytab.settings import Settings

_LEFT_OUT = "polytab_left_out"
"""The key, in the metadata of a page, of the labels that the book lacks, with their titles."""

_EARLY = 100
_LATE = 900


def framework_of_book(settings: Settings, name: str | None) -> Framework | None:
    """Return the framework of this name; None for none, which is a book of all.

    Raises UsageError where it is unknown, or is plain Python, which has no tabs to choose from.
    """
    if not name:
        return None
    known = {each.name: each for each in settings.frameworks if each.name != PLAIN}
    if name not in known:
        hint = f"known frameworks: {', '.join(known)}"
        raise UsageError(f"there is no book of the framework `{name}`", hint=hint)
    return known[name]


def framework_of(app: Sphinx) -> Framework | None:
    """Return the framework that a book is of; None where it is of all."""
    return framework_of_book(inputs_of(app).settings, app.config.polytab_framework)


def _keep_own(app: Sphinx, doctree: nodes.document) -> None:
    """Put what a tab of the framework holds in place of its tabs, and drop the others."""
    framework = framework_of(app)
    if framework is None:
        return
    before = _ids(doctree)
    for block in list(doctree.findall(nodes.container)):
        if "sphinx-tabs" in block["classes"]:
            own = [panel for label, panel in panels_of(block) if label == framework.title]
            _replace(block, [child for panel in own for child in panel.children])
    for each in list(doctree.findall(snippet)):
        if each["framework"] not in {framework.name, PLAIN}:
            each.parent.remove(each)
    _drop_results(doctree, framework)
    _drop_others(doctree, framework)
    _forget_labels(app.env, before - _ids(doctree))


def _drop_what_is_of_others(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Drop what numbers and verdicts have said of other frameworks."""
    framework = framework_of(app)
    if framework is not None:
        _drop_others(doctree, framework)


def _drop_results(doctree: nodes.document, framework: Framework) -> None:
    """Remove each section with results of other frameworks: its words count and compare them."""
    for section in list(doctree.findall(nodes.section)):
        results = [each for each in section.children if isinstance(each, result)]
        of_others = any(_is_of_others(each, framework) for each in results)
        if of_others and section.parent is not doctree:
            section.parent.remove(section)


def _drop_others(doctree: nodes.document, framework: Framework) -> None:
    """Remove each node that is of other frameworks alone."""
    for node in list(doctree.findall(nodes.Element)):
        if _is_of_others(node, framework):
            node.parent.remove(node)


def _is_of_others(node: nodes.Element, framework: Framework) -> bool:
    """Tell whether a node says that it is of frameworks, of which this is none."""
    owners = node.get("frameworks", ())
    return bool(owners) and {framework.name, PLAIN}.isdisjoint(owners)


def _replace(node: nodes.Element, children: list[nodes.Node]) -> None:
    """Put nodes in the place of a node; there may be none."""
    at = node.parent.index(node)
    node.parent[at : at + 1] = children


def _ids(doctree: nodes.document) -> frozenset[str]:
    """Return the ids of all nodes."""
    return frozenset(each for node in doctree.findall(nodes.Element) for each in node["ids"])


def _forget_labels(env: BuildEnvironment, gone: frozenset[str]) -> None:
    """Take the labels of ids that are gone from Sphinx, which has noted them already."""
    standard, page = env.domains.standard_domain, env.docname
    left_out: dict[str, str] = {}
    for name, (where, to) in list(standard.anonlabels.items()):
        if where == page and to in gone:
            del standard.anonlabels[name]
            *_, left_out[name] = standard.labels.pop(name, ("", "", ""))
    env.metadata[page][_LEFT_OUT] = left_out


def _say_without_link(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """Return the text of a link to what this book has left out; None for any other."""
    if framework_of(app) is None:
        return None
    for noted in env.metadata.values():
        left_out: Mapping[str, str] = noted.get(_LEFT_OUT, {})
        title = left_out.get(node["reftarget"])
        if title is not None:
            return nodes.inline("", title) if title and not node["refexplicit"] else content
    return None


def setup_one_framework(app: Sphinx) -> None:
    """Leave other frameworks out of a book that is of one."""
    app.connect("doctree-read", _keep_own, priority=_EARLY)
    app.connect("doctree-resolved", _drop_what_is_of_others, priority=_EARLY)
    app.connect("missing-reference", _say_without_link, priority=_LATE)
