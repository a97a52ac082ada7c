"""The switch between CPU and CUDA, on the pages that have recordings of both.

What was made on either device is visible, under the device's name, until `static/devices.js` hides
the other's.

Invariant, guarded by tests/pages/code/test_devices.py: a page without a recording of CUDA has no
switch, no notice and not a byte more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.model import CUDA, DEVICES
from polytab.pages.code.chooser import chooser, radio_row
from polytab.pages.code.devices import TITLES, device_part
from polytab.pages.code.snippet import notice, snippet
from polytab.pages.inputs import inputs_of
from polytab.pages.unique_ids import free_prefix, ids_in

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


class device_switch(nodes.General, nodes.Element):  # noqa: N801  # as docutils names nodes
    """The control that chooses the device of a page."""


def _add_switch(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give the parts of each device their ids, and put the switch behind the chooser."""
    if app.builder.format != "html":
        return
    _set_ids(doctree)
    has_parts = next(doctree.findall(device_part), None) is not None
    added: list[nodes.Node] = [device_switch()] if has_parts else []
    added += _stale_on_cuda(app, page)
    place: nodes.Node | None = next(doctree.findall(chooser), None)
    place = place or next(doctree.findall(nodes.title), None)
    if place is not None and place.parent is not None:
        at = place.parent.index(place) + 1
        place.parent[at:at] = added


def _stale_on_cuda(app: Sphinx, page: str) -> list[notice]:
    """Name the frameworks whose recordings on CUDA are stale and so not shown, if there are any."""
    inputs = inputs_of(app)
    try:
        stale = [each for each in inputs.scripts(page, CUDA) if not each.fresh]
    except PolytabError:
        return []  # the snippets of the page have warned of the script that cannot be read
    if not stale:
        return []
    titles = [inputs.settings.framework(each.job.script.framework).title for each in stale]
    text = _("Recorded on CUDA before the last edit, and left out: {frameworks}.")
    frameworks = Formats(app.config.language).listed(titles)
    return [notice("", text.format(frameworks=frameworks))]


def _set_ids(doctree: nodes.document) -> None:
    """Give the device parts of snippets ids as those of tabs, such as `net-torch-cuda`."""
    taken = ids_in(doctree)
    for box in doctree.findall(snippet):
        parts = [each for each in box.children if isinstance(each, device_part)]
        suffixes = [f"-{box['framework']}-{each['device']}" for each in parts]
        prefix = free_prefix(str(box["label"]), suffixes, taken)
        for each, suffix in zip(parts, suffixes, strict=True):
            each["ids"] = [f"{prefix}{suffix}"]


def _visit_switch(translator: HTML5Translator, _node: device_switch) -> None:
    """Write a row of radio buttons."""
    choices = {each: TITLES[each] for each in DEVICES}
    row = radio_row("device", str(_("Device")), "device-label", choices)
    translator.body.append(f'<div class="device-switch">\n{row}</div>\n')
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
    app.add_css_file("chooser.css")  # the row of choices looks as the frameworks' does


def setup_switch(app: Sphinx) -> None:
    """Add the switch to each page after its chooser and its control for downloads."""
    app.add_node(device_switch, html=(_visit_switch, lambda *_: None))
    app.connect("doctree-resolved", _add_switch, priority=700)
    app.connect("html-page-context", _load, priority=400)
