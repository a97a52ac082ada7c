"""The reader's switch between CPU and CUDA, on the pages that have recordings of both.

Everything a device has made is shown, under the device's name, until `static/devices.js` takes
over.

Invariant, guarded by tests/pages/code/test_devices.py: a page without a recording of CUDA has no
switch, no notice and not a byte more.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from docutils import nodes

from polytab.errors import PolytabError
from polytab.interface.wording import Wording
from polytab.interface.words import translate as _
from polytab.model import CUDA, DEVICES
from polytab.pages.code.chooser import chooser
from polytab.pages.code.devices import TITLES, device_part
from polytab.pages.code.snippet import notice, snippet
from polytab.pages.shelf import shelf

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


class device_switch(nodes.General, nodes.Element):  # noqa: N801  # as docutils names nodes
    """The page's one choice of a device."""


def _mend_page(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give what devices have made its ids, and put the switch beside the chooser."""
    if app.builder.format != "html":
        return
    _name_parts(doctree)
    top: list[nodes.Node] = []
    if next(doctree.findall(device_part), None) is not None:
        top.append(device_switch())
    try:
        stale = [each for each in shelf(app).page(docname, CUDA) if not each.fresh]
    except PolytabError:
        stale = []  # a script cannot be read, as its snippets have said
    if stale:
        settings = shelf(app).settings
        titles = [settings.framework(each.job.script.framework).title for each in stale]
        text = _("Recorded on CUDA before the last edit, and left out: {frameworks}.")
        listed = Wording(app.config.language).listed(titles)
        top.append(notice("", text.format(frameworks=listed)))
    before: nodes.Node | None = next(doctree.findall(chooser), None)
    before = before or next(doctree.findall(nodes.title), None)
    if before is not None and before.parent is not None:
        at = before.parent.index(before) + 1
        before.parent[at:at] = top


def _name_parts(doctree: nodes.document) -> None:
    """Name the parts of a snippet as its panel: `net-torch-cuda`, numbered where that is taken."""
    taken = {each for node in doctree.findall(nodes.Element) for each in node["ids"]}
    for box in doctree.findall(snippet):
        parts = [each for each in box.children if isinstance(each, device_part)]
        number, name = 1, str(box["label"])
        while parts:
            ids = [f"{name}-{box['framework']}-{each['device']}" for each in parts]
            if taken.isdisjoint(ids):
                break
            number += 1
            name = f"{box['label']}-{number}"
        for each in parts:
            each["ids"] = [f"{name}-{box['framework']}-{each['device']}"]
            taken.update(each["ids"])


def _visit_switch(translator: HTML5Translator, _node: device_switch) -> None:
    """Write native radio buttons: they bring their own keys."""
    choices = "\n".join(
        f'<label><input type="radio" name="device" value="{each}">'
        f"<span>{TITLES[each]}</span></label>"
        for each in DEVICES
    )
    name = escape(str(_("Device")))
    translator.body.append(
        '<div class="device-switch">\n'
        '<div class="chooser-row" role="radiogroup" aria-labelledby="device-label">\n'
        f'<span class="chooser-label" id="device-label">{name}</span>\n'
        f"{choices}\n</div>\n</div>\n"
    )
    raise nodes.SkipNode


def _load(
    app: Sphinx, _page: str, _template: str, _context: object, doctree: nodes.document | None
) -> None:
    """Load the script of the pages that have a switch: it chooses before they are painted."""
    if doctree is None or next(doctree.findall(device_part), None) is None:
        return
    app.add_css_file("devices.css")
    if next(doctree.findall(device_switch), None) is None:  # a book has none
        return
    app.add_js_file("devices.js")
    app.add_css_file("tabs.css")  # the row of choices looks as the frameworks' does


def setup_switch(app: Sphinx) -> None:
    """Mend each page as it is written, once the tabs are mended and what is taken is offered."""
    app.add_node(device_switch, html=(_visit_switch, lambda *_: None))
    app.connect("doctree-resolved", _mend_page, priority=700)
    app.connect("html-page-context", _load, priority=400)
