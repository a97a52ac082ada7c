"""Functions on sphinx-tabs: making a set of tabs, and finding the tab of a directive or node.

Only this module and `chooser` use the internals of sphinx-tabs; tests/pages/code/test_tabs.py
guards that they are those of version 3.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from docutils.statemachine import StringList
from sphinx_tabs.tabs import SphinxTabsPanel, SphinxTabsTab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.util.docutils import SphinxDirective

    from polytab.model import Framework

_TITLE = "framework_title"


def current_tab(directive: SphinxDirective) -> str | None:
    """Return the label of the innermost tab around a directive, or None outside of tabs."""
    data = directive.env.temp_data
    stack = data.get("tabs_stack") or []
    if not stack:
        return None
    titles = data[f"tabs_{stack[-1]}"]["tab_titles"]
    return titles[-1][1].astext().strip() if titles else None


def set_framework(node: nodes.Element, name: str, title: str) -> None:
    """Say that a node, and all that it holds, is of one framework, as if it stood in its tab."""
    node["frameworks"], node[_TITLE] = [name], title


def tab_of(node: nodes.Element) -> str | None:
    """Return the label of the innermost tab around a node of a page, or None outside of tabs.

    What `set_framework` was told of is such a tab. sphinx-tabs builds a tab bar and panels for
    HTML, a pair of title and panel for the rest.
    """
    inner, box = node, node.parent
    while box is not None and "sphinx-tabs" not in box["classes"] and _TITLE not in box:
        inner, box = box, box.parent
    if box is None:
        return None
    if _TITLE in box:
        return str(box[_TITLE])
    bar = {tab["name"]: tab for tab in box.findall(SphinxTabsTab) if tab.parent.parent is box}
    title = bar[inner["name"]] if isinstance(inner, SphinxTabsPanel) else inner[0]
    return str(title.astext()).strip()


def panels_of(block: nodes.Element) -> list[tuple[str, nodes.Element]]:
    """Return the label and content of each tab of a block, before `chooser` has prepared it."""
    bar = {tab["name"]: tab.astext().strip() for tab in block.findall(SphinxTabsTab)}
    if bar:
        inside = (each for each in block.children if isinstance(each, SphinxTabsPanel))
        return [(bar[panel["name"]], panel) for panel in inside]
    pairs = [each for each in block.children if isinstance(each, nodes.Element)]
    halves = [[half for half in each.children if isinstance(half, nodes.Element)] for each in pairs]
    return [(str(title.astext()).strip(), panel) for title, panel in halves]


def tab_set(
    directive: SphinxDirective, frameworks: Sequence[Framework], text: str
) -> list[nodes.Node]:
    """Return synchronised tabs, one per framework, each holding the same directive text."""
    lines = ["::::::{tabs}"]
    for framework in frameworks:
        lines += [f":::::{{group-tab}} {framework.title}", *text.split("\n"), ":::::"]
    lines.append("::::::")
    source, line = directive.get_source_info()
    box = nodes.Element()
    content = StringList(lines, items=[(source, line - 1)] * len(lines))
    directive.state.nested_parse(content, directive.content_offset, box)
    return box.children
