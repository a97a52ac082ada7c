"""`{ratio}` and `{measured}`: a measured number in a sentence, with where it comes from.

    {ratio}`forward: compiled vs eager`       how many times as fast the new case is
    {measured}`forward: compiled`             the median time of a call
    {measured}`forward: compiled first call`  the time to the first result
    {measured}`forward: compiled memory`      the peak of its memory
    {measured}`product: blas at 1024 rate`    operations in a second, there on a curve
    {measured}`copy: copy at 4096 bandwidth`  bytes in a second

A role may stand in a translated message, which Sphinx parses away from its page; so a number is
found only in the finished page, from the tab it has come to stand in. Nothing is found under
gettext: there the pages are messages, not yet sentences.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from polytab.errors import PolytabError
from polytab.interface.wording import Wording
from polytab.interface.words import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.code.devices import device_between, device_data, label_of
from polytab.pages.code.snippet import notice
from polytab.pages.code.tabs import tab_of
from polytab.pages.numbers.evidence import (
    Evidence,
    Quantity,
    framework_at,
    gather,
    gather_cuda,
    read_comparison,
    read_quantity,
)
from polytab.pages.shelf import shelf
from polytab.recordings.verdicts import bandwidth, find_case, rate, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Case
    from polytab.pages.numbers.evidence import Comparison

_log = logging.getLogger(__name__)


class pending_number(nodes.inline):  # noqa: N801  # docutils names nodes in lower case
    """A number that the finished page will hold."""


class number(nodes.inline):  # noqa: N801
    """A measured number; `origin` says with what, on what and when."""


class NumberRole(SphinxRole):
    """Ask for a number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Leave a mark; the text of the role is read when the number is."""
        node = pending_number(self.rawtext, page=self.env.docname, role=self.name, asked=self.text)
        self.set_source_info(node)
        return [node], []


class Numbers(SphinxPostTransform):
    """Put the numbers into the sentences of a finished page."""

    default_priority = 200  # before verdicts, so that a branch not taken is checked as well

    def run(self, **kwargs: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Replace every mark; what is wrong is a warning with its line."""
        del kwargs
        for node in list(self.document.findall(pending_number)):
            try:
                found: list[nodes.Node] = self._numbers(node)
            except PolytabError as error:
                complain(node, error, "number")
                found = [nodes.problematic("", node.rawsource)]
            node.replace_self(found)

    def _numbers(self, node: pending_number) -> list[nodes.Node]:
        """Find a number; where it was measured on CUDA too, there are two, each with its name."""
        if isinstance(node.parent, nodes.title):
            raise PolytabError(
                "a measured number cannot stand in a heading", hint="put it into a sentence"
            )
        ratio = node["role"] == "ratio"
        asked = read_comparison(node["asked"]) if ratio else read_quantity(node["asked"])
        gathered = gather(self.env, node["page"], asked.benchmark, asked.cases)
        framework = framework_at(self.env, tab_of(node), gathered)
        if framework is None and not gathered.evidence:  # it may yet be of plain Python alone
            return [number("", str(_("[not measured yet]")))]
        if framework is None:
            raise PolytabError(
                f"`{node['asked']}` differs between frameworks",
                hint="put the sentence into the tabs of the frameworks",
            )
        mine = gathered.of(framework)
        wording = Wording(self.config.language)
        if mine.evidence:
            first = _number(mine.evidence[0], asked, wording)
        elif mine.waiting:
            first = number("", str(_("[not measured yet]")))
        else:
            raise PolytabError(f"the script of this tab does not measure `{node['asked']}`")
        page = node["page"]
        on_cuda = gather_cuda(self.env, page, asked.benchmark, asked.cases, framework).evidence
        if on_cuda:
            second = _number(on_cuda[0], asked, wording)
            both = [_named(first, CPU), device_between("", " / "), _named(second, CUDA)]
            return list(both)
        if shelf(self.env).has_cuda(page):
            first += label_of(CPU, shown_on=CUDA)
        return [first]


def _named(of: number, device: str) -> number:
    """Say on which device a number was measured."""
    of["device"] = device
    of += label_of(device)
    return of


def _number(evidence: Evidence, asked: Comparison | Quantity, wording: Wording) -> number:
    """Write a number, and where it comes from."""
    origin = [wording.origin(evidence.framework, evidence.recording.provenance)]
    if isinstance(asked, Quantity):
        text = _quantity(find_case(evidence.measurement, asked.case), asked, wording)
    else:
        ratio = evidence.ratio(asked)
        text = wording.factor(ratio.value)
        if math.isfinite(ratio.high):
            low, high = wording.factor(ratio.low), wording.factor(ratio.high)
            origin.insert(0, _("95 % interval: {low} to {high}").format(low=low, high=high))
    if not evidence.fresh:
        origin.append(str(_("recorded before the last edit")))
    return number("", text, origin=" · ".join(origin))


def _quantity(case: Case, asked: Quantity, wording: Wording) -> str:
    found = summary(case)
    writers: dict[str | None, tuple[float | None, Callable[[Any], str]]] = {
        None: (found.median, wording.time),
        "first call": (found.first_call, wording.time),
        "memory": (found.memory, wording.size),
        "rate": (rate(case), wording.rate),
        "bandwidth": (bandwidth(case), wording.bandwidth),
    }
    value, write = writers[asked.what]
    if value is None:
        raise PolytabError(
            f"`{asked.benchmark}: {asked.case}` has no {asked.what}",
            hint="let `compare` measure memory, or tell `sweep` the operations and the traffic",
        )
    return write(value)


def stale_notices(
    evidence: Sequence[Evidence], wording: Wording, *, alone: bool
) -> list[nodes.Node]:
    """Mark what rests on a script that was edited since; `alone`: of one framework, not named."""
    frameworks = [each.framework for each in evidence if not each.fresh]
    if not frameworks:
        return []
    if alone:
        text = _("This output was recorded before the last edit.")
    else:
        text = _("Recorded before the last edit: {frameworks}.")
        text = text.format(frameworks=wording.listed([each.title for each in frameworks]))
    names = [each.name for each in frameworks]
    return [notice("", str(text), translatable=False, frameworks=names)]


def complain(node: nodes.Element, error: PolytabError, subtype: str) -> None:
    """Warn at the block that a node stands in: a translated message has no lines of its own."""
    block: nodes.Element = node
    while isinstance(block, nodes.Inline) and block.parent is not None:
        block = block.parent
    _log.warning(str(error), location=block, type="polytab", subtype=subtype)


def add_choice(app: Sphinx, transform: type[SphinxPostTransform]) -> None:
    """Add a transform that chooses what readers see; translators see all there is to choose."""

    def _add(app: Sphinx) -> None:
        if app.builder.name != "gettext":
            app.add_post_transform(transform)

    app.connect("builder-inited", _add)


def _visit(translator: HTML5Translator, node: number) -> None:
    """Say the origin twice: a title for the mouse, hidden words for those who listen."""
    title = {"title": node["origin"]} if "origin" in node else {}
    more = {**title, **device_data(node)}
    translator.body.append(translator.starttag(node, "span", "", CLASS="number", **more))


def _depart(translator: HTML5Translator, node: number) -> None:
    if "origin" in node:
        origin = translator.encode(node["origin"])
        hidden = f'<span class="number-origin" data-pagefind-ignore> ({origin})</span>'
        translator.body.append(hidden)
    translator.body.append("</span>")


def setup_numbers(app: Sphinx) -> None:
    """Add the roles, their nodes and their styles."""
    app.add_node(pending_number)  # known to those who copy headings, never written
    app.add_node(number, html=(_visit, _depart))
    app.add_role("ratio", NumberRole())
    app.add_role("measured", NumberRole())
    add_choice(app, Numbers)
    app.add_css_file("numbers.css")
    app.add_css_file("charts.css")
