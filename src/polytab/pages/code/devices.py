"""Nodes that say on which device something on a page was made: the CPU or CUDA.

Where a page also has recordings made on CUDA, it holds an output, chart or number once for each
device, and `switch` shows one of them. What was made on the CPU alone stays, with a note for those
who have chosen CUDA. A page without a recording made on CUDA has none of these nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

from polytab.interface.messages import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Framework

TITLES = {CPU: "CPU", CUDA: "CUDA"}
"""The names of devices as readers see them, the same in every language."""


class device_part(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """Content made on one device, under a title with the name of that device."""


class missing_cuda(nodes.paragraph):  # noqa: N801
    """A note for those who have chosen CUDA: there is nothing from CUDA here, and why."""


class device_label(nodes.inline):  # noqa: N801
    """The name of a device behind a number, for readers without a switch or on the other device."""


class device_separator(nodes.inline):  # noqa: N801
    """The separator between the numbers of two devices where both are shown."""


def part_for(device: str, content: Iterable[nodes.Node]) -> device_part:
    """Put content made on a device under a title with the name of that device."""
    title = nodes.paragraph("", TITLES[device], classes=["device-title"], translatable=False)
    return device_part("", title, *content, device=device)


def missing_cuda_notes(
    env: BuildEnvironment, page: str, framework: Framework | None
) -> list[missing_cuda]:
    """Return the note that something has no recording on CUDA; [] where its page has none either.

    The reason is the framework's own (`no_cuda` in the settings), in the page's language or else in
    English.
    """
    inputs = inputs_of(env)
    if not inputs.has_cuda(page):
        return []
    reason = framework.no_cuda if framework else None
    note = missing_cuda("", translatable=False)
    if reason is None:
        note += nodes.Text(_("There is no current recording on CUDA."))
    else:
        language, english = inputs.language(env), inputs.settings.source_language
        text = inputs.script_translations(page, language).get(reason, reason)
        is_english = text == reason and language != english
        classes = [f"language-{english.tag}"] if is_english else []
        note += nodes.inline("", text, classes=classes)
    note += nodes.Text(" " + _("What is shown is from the CPU."))
    return [note]


def label_for(device: str, *, shown_on: str | None = None) -> device_label:
    """Return the name of a device to put behind a number.

    With `shown_on` only those who have chosen that device see it.
    """
    chosen = {} if shown_on is None else {"device": shown_on}
    return device_label("", f" ({TITLES[device]})", **chosen)


def keep_one_device(node: nodes.Element, device: str) -> None:
    """Remove from a part of a page the numbers of the other device, and the names of this one."""
    for each in list(node.findall(nodes.inline)):
        if isinstance(each, device_separator):
            each.parent.remove(each)
        elif "device" in each and not isinstance(each, device_label):
            if each["device"] == device:
                del each["device"]
                for label in list(each.findall(device_label)):
                    label.parent.remove(label)
            else:
                each.parent.remove(each)


def copy_for_device(doctree: nodes.document, device: str) -> nodes.document:
    """Return a copy of a page as it would be if it had been recorded on one device alone."""
    alone = doctree.deepcopy()
    for kind in (missing_cuda, device_label):
        for each in list(alone.findall(kind)):
            each.parent.remove(each)
    for part in list(alone.findall(device_part)):
        part.replace_self(part.children[1:] if part["device"] == device else [])
    keep_one_device(alone, device)
    return alone


def device_data(node: nodes.Element) -> dict[str, Any]:
    """Return the attribute by which `static/devices.js` shows or hides a node."""
    return {"data-device": node["device"]} if "device" in node else {}


def _open_part(translator: HTML5Translator, node: device_part) -> None:
    tag = translator.starttag(node, "div", CLASS="device-part", **device_data(node))
    translator.body.append(tag)


def _close_part(translator: HTML5Translator, _node: device_part) -> None:
    translator.body.append("</div>\n")


def _open_missing_cuda(translator: HTML5Translator, node: missing_cuda) -> None:
    data: dict[str, Any] = {"data-device": CUDA}
    tag = translator.starttag(node, "p", "", CLASS="device-absence", **data)
    translator.body.append(tag)


def _close_missing_cuda(translator: HTML5Translator, _node: missing_cuda) -> None:
    translator.body.append("</p>\n")


def _open_label(translator: HTML5Translator, node: device_label) -> None:
    _open_span(translator, node, "device-label")


def _open_separator(translator: HTML5Translator, node: device_separator) -> None:
    _open_span(translator, node, "device-between")


def _open_span(translator: HTML5Translator, node: nodes.inline, name: str) -> None:
    translator.body.append(translator.starttag(node, "span", "", CLASS=name, **device_data(node)))


def _close_span(translator: HTML5Translator, _node: nodes.inline) -> None:
    translator.body.append("</span>")


def setup_devices(app: Sphinx) -> None:
    """Add the nodes."""
    app.add_node(device_part, html=(_open_part, _close_part))
    app.add_node(missing_cuda, html=(_open_missing_cuda, _close_missing_cuda))
    app.add_node(device_label, html=(_open_label, _close_span))
    app.add_node(device_separator, html=(_open_separator, _close_span))
