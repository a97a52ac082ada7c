"""The framework tabs of a page, with readable ids, and the chooser that switches all of them.

sphinx-tabs makes the nodes of the tabs. Before a page is written as HTML, each block of tabs gets
its ids, labels and attributes here, and the chooser is put under the page's heading; it stays at
the top of the screen while a reader reads on. Every panel is visible, under its framework's name,
until `static/tabs.js` hides the others.

Invariant, guarded by tests/pages/code/test_chooser.py: ids are unique on the page, and a block's
ids come from the label of its first snippet (or else its section), numbered where that is taken.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx_tabs.tabs import SphinxTabsPanel, SphinxTabsTab, SphinxTabsTablist

from polytab.interface.messages import translate as _
from polytab.pages.code.snippet import snippet
from polytab.pages.inputs import inputs_of
from polytab.pages.unique_ids import free_prefix, ids_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Framework

_log = logging.getLogger(__name__)
_SET_BY_SCRIPT = (
    *("name", "hidden", "tabindex"),
    *("aria-selected", "aria-controls", "aria-labelledby"),
)
"""Attributes of tabs and panels that are wrong without JavaScript; `static/tabs.js` sets them."""


class chooser(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """The control that chooses the framework of a page.

    `known` are all frameworks of the settings, `here` those of this page.
    """


class missing_framework(nodes.General, nodes.Element):  # noqa: N801
    """The empty paragraph that `static/tabs.js` fills where a block lacks the chosen framework."""


def _prepare_tabs(app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Prepare each block of tabs, and put the chooser under the page's heading."""
    if app.builder.format != "html":
        return
    known = inputs_of(app).settings.frameworks
    taken = ids_in(doctree)
    found: set[str] = set()
    for row in list(doctree.findall(SphinxTabsTablist)):
        found.update(_prepare_block(row, known, taken))
    title = next(doctree.findall(nodes.title), None)
    if found and title is not None:
        here = [framework for framework in known if framework.name in found]
        title.parent.insert(title.parent.index(title) + 1, chooser("", known=known, here=here))


def _prepare_block(
    row: SphinxTabsTablist, known: Sequence[Framework], taken: set[str]
) -> tuple[str, ...]:
    """Give a block its ids and labels; return the names of its frameworks.

    A tab that is no framework, or has no panel, is a warning, and its block stays as it is.
    """
    block = row.parent
    names = {framework.title: framework.name for framework in known}
    tabs = [each for each in row.children if isinstance(each, SphinxTabsTab)]
    panels = [each for each in block.children if isinstance(each, SphinxTabsPanel)]
    titles = [tab.astext() for tab in tabs]
    unknown = [title for title in titles if title not in names]
    if unknown:
        message = f"the tab `{unknown[0]}` is no framework; known: {', '.join(names)}"
        _log.warning(message, location=block, type="polytab", subtype="tabs")
        return ()
    if len(panels) < len(tabs):
        message = f"of {len(tabs)} tabs {len(tabs) - len(panels)} stand inside something else"
        _log.warning(message, location=block, type="polytab", subtype="tabs")
        return ()
    row["aria-label"] = str(_("Framework"))
    block.insert(1, missing_framework())
    found = tuple(names[title] for title in titles)
    panel_ids = _free_panel_ids(_block_name(block), found, taken)
    for tab, panel, panel_id, title in zip(tabs, panels, panel_ids, titles, strict=True):
        for node in (tab, panel):
            for attribute in _SET_BY_SCRIPT:
                node.attributes.pop(attribute, None)
        tab["ids"], panel["ids"] = [], [panel_id]
        tab["type"] = "button"
        tab["data-tab"] = names[title]
        panel.insert(0, nodes.paragraph("", title, classes=["tab-title"]))
    return found


def _block_name(block: nodes.Element) -> str:
    """Return the label of the first snippet in a block, or else the id of its section."""
    first = next(block.findall(snippet), None)
    if first is not None:
        return str(first["label"])
    section = block.parent
    while section is not None and not section["ids"]:
        section = section.parent
    return str(section["ids"][0]) if section is not None else "tabs"


def _free_panel_ids(name: str, frameworks: Sequence[str], taken: set[str]) -> list[str]:
    """Return a new id for the panel of each framework; its tab gets `<id>-tab` by the script."""
    panels = [f"-{framework}" for framework in frameworks]
    prefix = free_prefix(name, [*panels, *(f"{each}-tab" for each in panels)], taken)
    return [f"{prefix}{panel}" for panel in panels]


def radio_row(group: str, label: str, label_id: str, choices: Mapping[str, str]) -> str:
    """Write a labelled row of native radio buttons, which can be used with the keyboard.

    `group` is the name of the form field; `choices` maps its values to what readers see.
    """
    radios = "\n".join(
        f'<label><input type="radio" name="{group}" value="{escape(value)}">'
        f"<span>{escape(title)}</span></label>"
        for value, title in choices.items()
    )
    return (
        f'<div class="chooser-row" role="radiogroup" aria-labelledby="{label_id}">\n'
        f'<span class="chooser-label" id="{label_id}">{escape(label)}</span>\n'
        f"{radios}\n</div>\n"
    )


def _visit_chooser(translator: HTML5Translator, node: chooser) -> None:
    """Write the chooser, with the messages and titles that the script needs as data."""
    data = {
        "frameworks": json.dumps({each.name: each.title for each in node["known"]}),
        "lacks-block": str(_("{chosen} has nothing here; {shown} is shown.")),
        "lacks-page": str(_("{chosen} has nothing on this page; other frameworks are shown.")),
    }
    attributes = "".join(f' data-{key}="{escape(value)}"' for key, value in data.items())
    choices = {each.name: each.title for each in node["here"]}
    row = radio_row("framework", str(_("Framework")), "chooser-label", choices)
    comparison = _comparison_select(choices) if len(choices) > 1 else ""
    translator.body.append(
        f'<div class="chooser"{attributes}>\n{row}{comparison}</div>\n'
        '<p class="tab-absence" hidden></p>\n'
    )
    raise nodes.SkipNode


def _comparison_select(choices: Mapping[str, str]) -> str:
    """Write the select for a second framework beside the first, which wide screens show."""
    label, none = escape(str(_("Compare with"))), escape(str(_("nothing")))
    options = "".join(
        f'<option value="{escape(name)}">{escape(title)}</option>'
        for name, title in choices.items()
    )
    return (
        f'<label class="chooser-beside">{label} '
        f'<select><option value="">{none}</option>{options}</select></label>\n'
    )


def _visit_missing_framework(translator: HTML5Translator, _node: missing_framework) -> None:
    translator.body.append('<p class="tab-absence" hidden></p>')
    raise nodes.SkipNode


def _load(
    app: Sphinx, _page: str, _template: str, _context: object, doctree: nodes.document | None
) -> None:
    """Load our tabs on the pages that have some: the choice stands before they are painted.

    sphinx-tabs asks there for a script of the same name; ours is the one that is copied.
    """
    if doctree is not None and next(doctree.findall(SphinxTabsTablist), None) is not None:
        app.add_css_file("tabs.css")
        app.add_css_file("chooser.css")
        app.add_js_file("layout-later.js", loading_method="defer")


def setup_chooser(app: Sphinx) -> None:
    """Prepare the tabs of each page before it is written as HTML."""
    app.add_node(chooser, html=(_visit_chooser, lambda *_: None))
    app.add_node(missing_framework, html=(_visit_missing_framework, lambda *_: None))
    app.connect("doctree-resolved", _prepare_tabs)
    app.connect("html-page-context", _load)
