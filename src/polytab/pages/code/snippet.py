"""`{snippet} label`: the cell of that label in every framework that has it, with its outputs.

The cells are shown in framework tabs, except those of plain Python. Inside the tab of a framework
the directive shows the cell of that framework alone. `:without: name, name` says which frameworks
of the page have no such cell; `polytab check` complains of others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError, command
from polytab.interface.formats import Formats, enumerated, machine, versions
from polytab.interface.messages import translate as _
from polytab.model import CPU, CUDA, PLAIN
from polytab.pages.code.devices import missing_cuda_notes, part_for
from polytab.pages.code.outputs import SourceLocation, output_nodes
from polytab.pages.code.tabs import current_tab, tab_set
from polytab.pages.inputs import inputs_of
from polytab.pages.markdown.missing_cells import (
    missing_cell_message,
    names_without,
    problem_without,
)
from polytab.translations.docstrings import translate_cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Cell, Framework, Provenance, Recording, Script
    from polytab.recordings.plan import ScriptState

_log = logging.getLogger(__name__)


class snippet(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """One cell of one framework."""


class snippet_output(nodes.container):  # noqa: N801
    """What the cell printed, showed or raised."""


class provenance(nodes.paragraph):  # noqa: N801
    """One line that says with what, where and when outputs or measurements were made."""

    @classmethod
    def of(cls, formats: Formats, framework: Framework, made: Provenance) -> provenance:
        """Write the line. No version and no date is broken across lines."""
        tools = enumerated(_unbroken(each) for each in versions(framework, made))
        text = nodes.Text(f"{tools} · {machine(made)} · {_unbroken(formats.date(made.date))}")
        return cls("", "", text, translatable=False, frameworks=[framework.name])


def _unbroken(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")


class notice(nodes.paragraph):  # noqa: N801
    """A note to the reader that an output or measurement is stale or missing."""


_CLASSES: Mapping[type[nodes.Element], str] = {
    snippet: "snippet",
    snippet_output: "snippet-output",
    provenance: "provenance",
    notice: "notice",
}
"""The CSS class of the `<div>` that each node is written as."""


def _open_div(translator: HTML5Translator, node: nodes.Element) -> None:
    # By its label `static/tabs.js` finds the same cell of another framework.
    label = {"data-cell": node["label"]} if isinstance(node, snippet) else {}
    translator.body.append(translator.starttag(node, "div", CLASS=_CLASSES[type(node)], **label))


def _close_div(translator: HTML5Translator, _: nodes.Element) -> None:
    translator.body.append("</div>\n")


class SnippetDirective(SphinxDirective):
    """Show the cell of a label."""

    required_arguments = 1
    option_spec: ClassVar[OptionSpec] = {"without": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the label's cells; what is wrong is a warning at the directive."""
        try:
            return self._cells(self.arguments[0])
        except PolytabError as error:
            self._warn(str(error))
            return []

    def _cells(self, label: str) -> list[nodes.Node]:
        scripts = inputs_of(self.env).scripts(self.env.docname)
        found = [each for each in scripts if each.job.script.cell(label)]
        if not found:
            raise PolytabError(missing_cell_message(self.env.docname, label))
        without = names_without(self.options.get("without", ""))
        having = [each.job.script.framework for each in found]
        if problem := problem_without(without, having, inputs_of(self.env).settings):
            raise PolytabError(problem)
        tab = current_tab(self)
        if tab is not None:
            return self._cell(self._script_of_tab(found, label, tab), label)
        plain = [each for each in found if each.job.script.framework == PLAIN]
        others = [each for each in found if each.job.script.framework != PLAIN]
        shown = [node for each in plain for node in self._cell(each, label)]
        if others:
            frameworks = [self._framework(each) for each in others]
            shown += tab_set(self, frameworks, f":::{{snippet}} {label}\n:::")
        return shown

    def _script_of_tab(self, found: Sequence[ScriptState], label: str, tab: str) -> ScriptState:
        for each in found:
            if self._framework(each).title == tab:
                return each
        titles = [each.title for each in inputs_of(self.env).settings.frameworks]
        if tab not in titles:
            raise PolytabError(f"the tab `{tab}` is no framework; known: {', '.join(titles)}")
        raise PolytabError(f"`{label}` stands in the tab of {tab}, whose script has no such cell")

    def _framework(self, found: ScriptState) -> Framework:
        return inputs_of(self.env).settings.framework(found.job.script.framework)

    def _cell(self, found: ScriptState, label: str) -> list[nodes.Node]:
        """Return the node of one cell, with its code and what is recorded of it on each device."""
        cell = found.job.script.cell(label)
        if cell is None:
            raise PolytabError(f"no cell `{label}`")
        box = snippet(ids=[], framework=found.job.script.framework, label=label)
        box += _code(self._translated(found.job.script, cell))
        framework, page = self._framework(found), self.env.docname
        on_cuda = inputs_of(self.env).fresh_on_cuda(page, framework.name)
        if on_cuda is None:
            box += [*missing_cuda_notes(self.env, page, framework), *self._outputs(found, label)]
        else:
            box += part_for(CPU, self._outputs(found, label))
            box += part_for(CUDA, self._outputs(on_cuda, label))
        return [box]

    def _outputs(self, found: ScriptState, label: str) -> list[nodes.Node]:
        """Return the outputs of a cell on one device, with their provenance or a notice."""
        location = SourceLocation(*self.get_source_info())
        recording = found.recording
        recorded = recording.cell(label) if recording else None
        if recording is None or recorded is None:
            return [self._notice(found, _("This snippet has not been run yet."))]
        made = output_nodes(self.env, self.state.document, recorded.outputs, location)
        shown: list[nodes.Node] = [snippet_output("", *made)] if made else []
        for each in shown:
            self._set_alternative_texts(each, label, self._framework(found))
        if not found.fresh:
            shown.append(self._notice(found, _("This output was recorded before the last edit.")))
        return [*shown, self._provenance(recording)]

    def _set_alternative_texts(self, box: nodes.Node, label: str, framework: Framework) -> None:
        """Note the alternative text of the images of a cell; only its code tells what they show."""
        for image in box.findall(nodes.image):
            image["output_of"] = _("Output of {cell} in {framework}").format(
                cell=label, framework=framework.title
            )

    def _translated(self, script: Script, cell: Cell) -> str:
        """Return the code of a cell with its comments and docstrings in the page's language."""
        inputs = inputs_of(self.env)
        comments = inputs.script_translations(self.env.docname, inputs.language(self.env))
        return translate_cell(script, cell, comments.get) if comments else cell.text

    def _notice(self, found: ScriptState, text: str) -> notice:
        """Return a notice about a stale or missing output; a strict build warns of it as well."""
        if found.error is not None:
            self._warn(str(found.error))
        elif self.config.polytab_strict:
            self._warn(f"{found.job.name} is stale: {found.job.reason}; run {command('record')}")
        return notice("", text, translatable=False)

    def _provenance(self, recording: Recording) -> provenance:
        """Return the line that says what a recording was made with."""
        framework = inputs_of(self.env).settings.framework(recording.framework)
        return provenance.of(Formats(self.config.language), framework, recording.provenance)

    def _warn(self, message: str) -> None:
        _log.warning(message, location=self.get_location(), type="polytab", subtype="snippet")


def _code(text: str) -> nodes.literal_block:
    """Return the node of a cell's code, which is neither run nor translated by Sphinx."""
    block = nodes.literal_block(text, text, language="python", translatable=False)
    block["classes"] = ["snippet-code"]
    return block


def setup_snippet(app: Sphinx) -> None:
    """Add the directive and its nodes."""
    for node in _CLASSES:
        app.add_node(node, html=(_open_div, _close_div))
    app.add_directive("snippet", SnippetDirective)
    app.add_css_file("snippet.css")
