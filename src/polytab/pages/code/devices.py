"""What of a page was made on which device, told where it stands.

Where a page has recordings of CUDA too, what differs stands once for each device, and the reader
switches (`switch`). What there is of the CPU alone stays, and says so while CUDA is chosen. A page
without a recording of CUDA is written as if there were no devices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

from polytab.interface.words import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.shelf import shelf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Framework

TITLES = {CPU: "CPU", CUDA: "CUDA"}
"""The names of devices as readers see them, the same in every language."""


class device_part(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """What one device has made, under its name."""


class device_absence(nodes.paragraph):  # noqa: N801
    """Says that what follows is from the CPU, and why; for those who have chosen CUDA."""


class device_label(nodes.inline):  # noqa: N801
    """The name of a device behind a number, for those who cannot choose or have chosen another."""


class device_between(nodes.inline):  # noqa: N801
    """What stands between the numbers of two devices where both are shown."""


def part(device: str, content: Iterable[nodes.Node]) -> device_part:
    """Put what a device has made under its name."""
    title = nodes.paragraph("", TITLES[device], classes=["device-title"], translatable=False)
    return device_part("", title, *content, device=device)


def absence(env: BuildEnvironment, page: str, framework: Framework | None) -> list[nodes.Node]:
    """Say that a place has nothing from CUDA; say nothing where the whole page has not."""
    if not shelf(env).has_cuda(page):
        return []
    reason = framework.no_cuda if framework else None
    said = device_absence("", translatable=False)
    if reason is None:
        said += nodes.Text(_("There is no current recording on CUDA."))
    else:
        here, english = shelf(env).language(env), shelf(env).settings.source_language
        text = shelf(env).comments(page, here).get(reason, reason)
        classes = [f"language-{english.tag}"] if text == reason and here != english else []
        said += nodes.inline("", text, classes=classes)
    said += nodes.Text(" " + _("What is shown is from the CPU."))
    return [said]


def label_of(device: str, *, shown_on: str | None = None) -> device_label:
    """Name a device behind a number; `shown_on`: for those alone who have chosen this one."""
    chosen = {} if shown_on is None else {"device": shown_on}
    return device_label("", f" ({TITLES[device]})", **chosen)


def leave_one(node: nodes.Element, device: str) -> None:
    """Leave of the numbers below a node those of one device, which a title names above them."""
    for each in list(node.findall(nodes.inline)):
        if isinstance(each, device_between):
            each.parent.remove(each)
        elif "device" in each and not isinstance(each, device_label):
            if each["device"] == device:
                del each["device"]
                for name in list(each.findall(device_label)):
                    name.parent.remove(name)
            else:
                each.parent.remove(each)


def leave_device(doctree: nodes.document, device: str) -> nodes.document:
    """Return a page as it were if it had been recorded on one device alone."""
    alone = doctree.deepcopy()
    for kind in (device_absence, device_label):
        for said in list(alone.findall(kind)):
            said.parent.remove(said)
    for each in list(alone.findall(device_part)):
        each.replace_self(each.children[1:] if each["device"] == device else [])
    leave_one(alone, device)
    return alone


def device_data(node: nodes.Element) -> dict[str, Any]:
    """Return the attribute that devices.js chooses by."""
    return {"data-device": node["device"]} if "device" in node else {}


def _open_part(translator: HTML5Translator, node: device_part) -> None:
    tag = translator.starttag(node, "div", CLASS="device-part", **device_data(node))
    translator.body.append(tag)


def _close_part(translator: HTML5Translator, _node: device_part) -> None:
    translator.body.append("</div>\n")


def _open_absence(translator: HTML5Translator, node: device_absence) -> None:
    data: dict[str, Any] = {"data-device": CUDA}
    tag = translator.starttag(node, "p", "", CLASS="device-absence", **data)
    translator.body.append(tag)


def _close_absence(translator: HTML5Translator, _node: device_absence) -> None:
    translator.body.append("</p>\n")


def _open_inline(translator: HTML5Translator, node: nodes.inline) -> None:
    kind = type(node).__name__.replace("_", "-")
    translator.body.append(translator.starttag(node, "span", "", CLASS=kind, **device_data(node)))


def _close_inline(translator: HTML5Translator, _node: nodes.inline) -> None:
    translator.body.append("</span>")


def setup_devices(app: Sphinx) -> None:
    """Add the nodes."""
    app.add_node(device_part, html=(_open_part, _close_part))
    app.add_node(device_absence, html=(_open_absence, _close_absence))
    app.add_node(device_label, html=(_open_inline, _close_inline))
    app.add_node(device_between, html=(_open_inline, _close_inline))
