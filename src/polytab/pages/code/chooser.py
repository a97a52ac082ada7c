"""What a reader chooses with: framework tabs with readable ids, and one chooser for the page.

sphinx-tabs makes the nodes; once a page is about to be written as HTML they are given here what
it leaves out. Every panel is shown, under its framework's name, until `static/tabs.js` takes over.

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

from polytab.interface.words import translate as _
from polytab.pages.code.snippet import snippet
from polytab.pages.shelf import shelf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Framework

_log = logging.getLogger(__name__)
_OF_SCRIPTS = ("name", "hidden", "tabindex", "aria-selected", "aria-controls", "aria-labelledby")
"""What is true of tabs only where a script makes them tabs; ours says it of tab and panel then."""


class chooser(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """The page's one choice of a framework, with what the script must know of all of them."""


class absence(nodes.General, nodes.Element):  # noqa: N801
    """The place where a block says that it lacks the chosen framework."""


def _mend_page(app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Mend each block of tabs, and put the chooser under the page's heading."""
    if app.builder.format != "html":
        return
    known = shelf(app).settings.frameworks
    taken = {each for node in doctree.findall(nodes.Element) for each in node["ids"]}
    found: set[str] = set()
    for row in list(doctree.findall(SphinxTabsTablist)):
        found.update(_mend_block(row, known, taken))
    title = next(doctree.findall(nodes.title), None)
    if found and title is not None:
        here = [framework for framework in known if framework.name in found]
        title.parent.insert(title.parent.index(title) + 1, chooser("", known=known, here=here))


def _mend_block(
    row: SphinxTabsTablist, known: Sequence[Framework], taken: set[str]
) -> tuple[str, ...]:
    """Give a block readable ids and labels; return the names of the frameworks it holds."""
    block = row.parent
    names = {framework.title: framework.name for framework in known}
    tabs = [each for each in row.children if isinstance(each, SphinxTabsTab)]
    panels = [each for each in block.children if isinstance(each, SphinxTabsPanel)]
    titles = [tab.astext() for tab in tabs]
    strangers = [title for title in titles if title not in names]
    if strangers:
        message = f"the tab `{strangers[0]}` is no framework; known: {', '.join(names)}"
        _log.warning(message, location=block, type="polytab", subtype="tabs")
        return ()
    row["aria-label"] = str(_("Framework"))
    block.insert(1, absence())
    found = tuple(names[title] for title in titles)
    ids = _free_ids(_block_name(block), found, taken)
    for tab, panel, panel_id, title in zip(tabs, panels, ids, titles, strict=True):
        for node in (tab, panel):
            for attribute in _OF_SCRIPTS:
                node.attributes.pop(attribute, None)
        tab["ids"], panel["ids"] = [], [panel_id]
        tab["type"] = "button"
        tab["data-tab"] = names[title]
        panel.insert(0, nodes.paragraph("", title, classes=["tab-title"]))
    return found


def _block_name(block: nodes.Element) -> str:
    """Name a block after the first snippet in it, or else after the section it stands in."""
    first = next(block.findall(snippet), None)
    if first is not None:
        return str(first["label"])
    section = block.parent
    while section is not None and not section["ids"]:
        section = section.parent
    return str(section["ids"][0]) if section is not None else "tabs"


def _free_ids(name: str, frameworks: Sequence[str], taken: set[str]) -> list[str]:
    """Return one new id per framework, and take them, with those of the tabs."""
    number, prefix = 1, name
    while True:
        ids = [f"{prefix}-{framework}" for framework in frameworks]
        if taken.isdisjoint(both := [*ids, *(f"{each}-tab" for each in ids)]):
            taken.update(both)
            return ids
        number += 1
        prefix = f"{name}-{number}"


def _visit_chooser(translator: HTML5Translator, node: chooser) -> None:
    """Write native radio buttons: they bring their own keys."""
    data = {
        "frameworks": json.dumps({each.name: each.title for each in node["known"]}),
        "lacks-block": str(_("{chosen} has nothing here; {shown} is shown.")),
        "lacks-page": str(_("{chosen} has nothing on this page; other frameworks are shown.")),
    }
    attributes = "".join(f' data-{key}="{escape(value)}"' for key, value in data.items())
    choices = "\n".join(
        f'<label><input type="radio" name="framework" value="{escape(each.name)}">'
        f"<span>{escape(each.title)}</span></label>"
        for each in node["here"]
    )
    second = _second_choice(node["here"]) if len(node["here"]) > 1 else ""
    translator.body.append(
        f'<div class="chooser"{attributes}>\n'
        '<div class="chooser-row" role="radiogroup" aria-labelledby="chooser-label">\n'
        f'<span class="chooser-label" id="chooser-label">{escape(str(_("Framework")))}</span>\n'
        f"{choices}\n</div>\n{second}"
        '<p class="tab-absence" hidden></p>\n</div>\n'
    )
    raise nodes.SkipNode


def _second_choice(here: Sequence[Framework]) -> str:
    """Write what chooses a framework to stand beside the first; wide screens show it."""
    label, none = escape(str(_("Compare with"))), escape(str(_("nothing")))
    options = "".join(
        f'<option value="{escape(each.name)}">{escape(each.title)}</option>' for each in here
    )
    return (
        f'<label class="chooser-beside">{label} '
        f'<select><option value="">{none}</option>{options}</select></label>\n'
    )


def _visit_absence(translator: HTML5Translator, _node: absence) -> None:
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
        app.add_js_file("arrive.js", loading_method="defer")


def setup_chooser(app: Sphinx) -> None:
    """Mend the tabs of each page as it is written."""
    app.add_node(chooser, html=(_visit_chooser, lambda *_: None))
    app.add_node(absence, html=(_visit_absence, lambda *_: None))
    app.connect("doctree-resolved", _mend_page)
    app.connect("html-page-context", _load)
