"""`{opening} question`: what a chapter is about, by a result, and what a reader must know first.

It holds a `{benchmark}`, a `{roofline}` or a `{figure}`, whatever is to be said of it, a
`{for-whom}` and a `{here-only}`: which conclusions hold on this kind of machine only. The machines
are those of the page's recordings; of an opening in which nothing was measured they are not told.

Law, guarded by tests/pages/forms/test_opening.py: an opening without a result, readers, time or
limits is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.formats import machine
from polytab.interface.messages import translate as _
from polytab.model import CPU, CUDA
from polytab.pages.forms.title import author_title, parse_content
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.benchmark import benchmark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

_log = logging.getLogger(__name__)
_FOR_WHOM, _HERE_ONLY = "for-whom", "here-only"
"""The parts that an author writes as directives."""


class opening(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """A question, a result, and a list of facts."""


class opening_part(nodes.container):  # noqa: N801
    """A `{for-whom}` or `{here-only}`, until the opening around it takes its content."""


class OpeningDirective(SphinxDirective):
    """`{opening} question`, with the `:minutes:` it takes and the pages to read `:after:`."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "minutes": directives.positive_int,
        "after": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Return the opening; what it lacks is a warning at the directive."""
        self.assert_has_content()
        node = opening("", author_title(self, "p"))
        if "minutes" in self.options:
            node["minutes"] = self.options["minutes"]
        parse_content(self, node)
        try:
            node += self._facts(node)
        except PolytabError as error:
            _warn(error, self.get_location())
        return [node]

    def _facts(self, node: opening) -> nodes.definition_list:
        """Take the parts out of an opening and return all facts as a list."""
        parts = {each["kind"]: each for each in node.findall(opening_part)}
        for part in parts.values():
            part.parent.remove(part)
        for kind in (_FOR_WHOM, _HERE_ONLY):
            if kind not in parts:
                raise PolytabError(f"an opening needs a `{{{kind}}}` inside")
        if "minutes" not in self.options:
            raise PolytabError(
                "an opening says how long the chapter takes", hint="write `:minutes: 20`"
            )
        measured = next(node.findall(benchmark), None) is not None
        if not measured and next(node.findall(nodes.figure), None) is None:
            raise PolytabError(
                "an opening shows a result",
                hint="put a `{benchmark}`, a `{roofline}` or a `{figure}` into it",
            )
        minutes = inputs_of(self.env).formats(self.env).minutes(self.options["minutes"])
        facts = [
            self._fact(_("For whom"), parts[_FOR_WHOM].children),
            self._fact(_("Time"), [_own(minutes)]),
        ]
        if "after" in self.options:
            facts.append(self._fact(_("Read before"), [self._pages()]))
        machines = self._machines() if measured else []
        if machines:
            facts.append(self._fact(_("Measured on"), [_own(each) for each in machines]))
        facts.append(self._fact(_("Holds here only"), parts[_HERE_ONLY].children))
        return nodes.definition_list("", *facts)

    def _fact(self, term: str, said: Sequence[nodes.Node]) -> nodes.definition_list_item:
        return nodes.definition_list_item(
            "", nodes.term("", term, translatable=False), nodes.definition("", *said)
        )

    def _pages(self) -> nodes.paragraph:
        """Return links to the pages to be read before, by their titles."""
        paragraph = _own("")
        for number, page in enumerate(self.options["after"].replace(",", " ").split()):
            if number:
                paragraph += nodes.Text(" · ")
            link = addnodes.pending_xref(
                "",
                nodes.inline("", page, classes=["doc"]),
                reftype="doc",
                refdomain="std",
                reftarget=page,
                refdoc=self.env.docname,
                refexplicit=False,
                refwarn=True,
            )
            self.set_source_info(link)
            paragraph += link
        return paragraph

    def _machines(self) -> list[str]:
        """Return the machines that this page was recorded on; the lack of a GPU is told too."""
        found = {device: self._recorded_on(device) for device in (CPU, CUDA)}
        names = list(dict.fromkeys([*found[CPU], *found[CUDA]]))
        if names and not found[CUDA]:
            names.append(_("Nothing here was run on a GPU."))
        return names

    def _recorded_on(self, device: str) -> list[str]:
        scripts = inputs_of(self.env).scripts(self.env.docname, device)
        fresh = (each.recording for each in scripts if each.fresh)
        return [machine(each.provenance) for each in fresh if each is not None]


class OpeningPartDirective(SphinxDirective):
    """`{for-whom}` and `{here-only}`."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the part, which the opening around it takes."""
        self.assert_has_content()
        node = opening_part("", kind=self.name)
        parse_content(self, node)
        return [node]


def _own(text: str) -> nodes.paragraph:
    """Return a paragraph of our own words."""
    return nodes.paragraph("", text, translatable=False)


def _warn(error: PolytabError, location: str | nodes.Node) -> None:
    _log.warning(str(error), location=location, type="polytab", subtype="opening")


def _refuse_strays(_app: Sphinx, document: nodes.document) -> None:
    """Take out the parts that no opening has taken."""
    for part in list(document.findall(opening_part)):
        _warn(PolytabError(f"a `{{{part['kind']}}}` stands outside an `{{opening}}`"), part)
        part.parent.remove(part)


def _open_div(translator: HTML5Translator, node: opening) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="opening"))


def _close_div(translator: HTML5Translator, _node: opening) -> None:
    translator.body.append("</div>\n")


def setup_opening(app: Sphinx) -> None:
    """Add the directives with their nodes and style."""
    app.add_node(opening, html=(_open_div, _close_div))
    app.add_node(opening_part)
    app.add_directive("opening", OpeningDirective)
    for name in (_FOR_WHOM, _HERE_ONLY):
        app.add_directive(name, OpeningPartDirective)
    app.connect("doctree-read", _refuse_strays)
    app.add_css_file("opening.css")
