"""`{snippet} label`: a cell of every framework that has it, as tabs, code then output.

Inside a framework's own tab it shows that framework's cell alone. A page's plain-Python cells
stand without tabs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.wording import Wording
from polytab.interface.words import translate as _
from polytab.model import CPU, CUDA, PLAIN
from polytab.pages.code.devices import absence, part
from polytab.pages.code.outputs import Place, output_nodes
from polytab.pages.code.tabs import current_tab, tab_set
from polytab.pages.shelf import shelf
from polytab.translations.comments import translate_comments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Cell, Framework, Provenance, Recording
    from polytab.recordings.plan import Found

_log = logging.getLogger(__name__)


class snippet(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """One cell of one framework."""


class snippet_output(nodes.container):  # noqa: N801
    """What the cell printed, showed or raised."""


class provenance(nodes.paragraph):  # noqa: N801
    """Where and when the output was made."""

    @classmethod
    def of(cls, wording: Wording, framework: Framework, made: Provenance) -> provenance:
        """Write the line; no version and no date is broken at its end, a long machine may be."""
        tool, machine, day = wording.origins(framework, made)
        tool, day = (part.replace(" ", "\N{NO-BREAK SPACE}") for part in (tool, day))
        text = nodes.Text(f"{tool} · {machine} · {day}")
        return cls("", "", text, translatable=False, frameworks=[framework.name])


class notice(nodes.paragraph):  # noqa: N801
    """A word to the reader about an output that is stale or missing."""


def _open_div(translator: HTML5Translator, node: nodes.Element) -> None:
    translator.body.append(
        translator.starttag(node, "div", CLASS=type(node).__name__.replace("_", "-"))
    )


def _close_div(translator: HTML5Translator, _: nodes.Element) -> None:
    translator.body.append("</div>\n")


class SnippetDirective(SphinxDirective):
    """Show the cell of a label."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Resolve the label, here and now; what is wrong is a warning with its line."""
        label = self.arguments[0]
        try:
            return self._run(label)
        except PolytabError as error:
            return self._complain(str(error))

    def _run(self, label: str) -> list[nodes.Node]:
        page = shelf(self.env)
        found = [each for each in page.page(self.env.docname) if each.job.script.cell(label)]
        tab = current_tab(self)
        if not found:
            return self._complain(f"no script of page `{self.env.docname}` has a cell `{label}`")
        if tab is None:
            plain = [each for each in found if each.job.script.framework == PLAIN]
            others = [each for each in found if each.job.script.framework != PLAIN]
            shown = [node for each in plain for node in self._cell(each, label)]
            if others:
                frameworks = [self._framework(each) for each in others]
                shown += tab_set(self, frameworks, f":::{{snippet}} {label}\n:::")
            return shown
        for each in found:
            if self._framework(each).title == tab:
                return self._cell(each, label)
        titles = [framework.title for framework in page.settings.frameworks]
        if tab not in titles:
            return self._complain(f"the tab `{tab}` is no framework; known: {', '.join(titles)}")
        return self._complain(
            f"`{label}` stands in the tab of {tab}, whose script has no such cell"
        )

    def _framework(self, found: Found) -> Framework:
        return shelf(self.env).settings.framework(found.job.script.framework)

    def _cell(self, found: Found, label: str) -> list[nodes.Node]:
        """Build the nodes of one cell: code, outputs, provenance, and a notice where due."""
        cell = found.job.script.cell(label)
        if cell is None:
            raise PolytabError(f"no cell `{label}`")
        box = snippet(ids=[], framework=found.job.script.framework, label=label)
        box += _code(self._localised(cell))
        framework, page = self._framework(found), self.env.docname
        on_cuda = shelf(self.env).fresh_on_cuda(page, framework.name)
        if on_cuda is None:
            box += [*absence(self.env, page, framework), *self._outcome(found, label)]
        else:
            box += part(CPU, self._outcome(found, label))
            box += part(CUDA, self._outcome(on_cuda, label))
        return [box]

    def _outcome(self, found: Found, label: str) -> list[nodes.Node]:
        """Build the nodes of what came of a cell on one device."""
        source, line = self.get_source_info()
        recording = found.recording
        recorded = recording.cell(label) if recording else None
        if recording is None or recorded is None:
            return [self._notice(found, _("This snippet has not been run yet."))]
        made = output_nodes(
            self.env, self.state.document, recorded.outputs, Place(source, line)
        )  # fmt: skip
        shown: list[nodes.Node] = [snippet_output("", *made)] if made else []
        for each in shown:
            self._name_images(each, label, self._framework(found))
        if not found.fresh:
            shown.append(self._notice(found, _("This output was recorded before the last edit.")))
        return [*shown, self._provenance(recording)]

    def _name_images(self, box: nodes.Node, label: str, framework: Framework) -> None:
        """Say of each image what it is; what it shows only its cell's code can tell."""
        for image in box.findall(nodes.image):
            image["alt"] = _("Output of {cell} in {framework}").format(
                cell=label, framework=framework.title
            )

    def _localised(self, cell: Cell) -> str:
        """Return the text of a cell with its comments in the page's language."""
        page = shelf(self.env)
        comments = page.comments(self.env.docname, page.language(self.env))
        return translate_comments(cell.text, comments.get) if comments else cell.text

    def _notice(self, found: Found, text: str) -> notice:
        """Mark an output that is stale or missing; in a strict build it is an error."""
        if found.error is not None:
            self._complain(str(found.error))
        elif self.config.polytab_strict:
            self._complain(f"{found.job.name} is stale: {found.job.reason}; run `nox -s record`")
        return notice("", text, translatable=False)

    def _provenance(self, recording: Recording) -> provenance:
        """Say in one line what made this output."""
        framework = shelf(self.env).settings.framework(recording.framework)
        return provenance.of(Wording(self.config.language), framework, recording.provenance)

    def _complain(self, message: str) -> list[nodes.Node]:
        _log.warning(message, location=self.get_location(), type="polytab", subtype="snippet")
        return []


def _code(text: str) -> nodes.literal_block:
    """Show a cell as its author wrote it, comments and all."""
    block = nodes.literal_block(text, text, language="python", translatable=False)
    block["classes"] = ["snippet-code"]
    return block


def setup_snippet(app: Sphinx) -> None:
    """Add the directive and its nodes."""
    classes: Sequence[type[nodes.Element]] = (snippet, snippet_output, provenance, notice)
    for node in classes:
        app.add_node(node, html=(_open_div, _close_div))
    app.add_directive("snippet", SnippetDirective)
    app.add_css_file("snippet.css")
