"""One page for one framework in one language -> its notebook and its script."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from polytab.export.cells import CodeCell, TextCell, TranslatedScript, assemble, frameworks_in_order
from polytab.export.figures import pictures
from polytab.export.inline import code
from polytab.export.markdown import MarkdownWriter
from polytab.export.notebook import notebook
from polytab.export.pieces import Prose, fenced
from polytab.export.script import script
from polytab.export.shared_kernel import can_share
from polytab.export.unpack import unpacking_code
from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.model import CPU, PLAIN
from polytab.pages.inputs import inputs_of
from polytab.scripts.helpers import helper_path
from polytab.scripts.percent import read_python
from polytab.scripts.pins import wanted_packages
from polytab.translations.docstrings import translate_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docutils import nodes
    from sphinx.application import Sphinx

    from polytab.export.cells import ExportedCell
    from polytab.export.inline import Link
    from polytab.model import Framework
    from polytab.recordings.plan import ScriptState

_FILES_CELL = "files"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def frameworks_of(app: Sphinx, page: str) -> tuple[Framework, ...]:
    """Return the frameworks a page has downloads for; plain Python only where it is alone."""
    inputs = inputs_of(app)
    names = dict.fromkeys(each.job.script.framework for each in inputs.scripts(page))
    others = [name for name in names if name != PLAIN]
    return tuple(inputs.settings.framework(name) for name in others or names)


@dataclass(frozen=True)
class PageDownload:
    """A page as downloads for one framework; the tabs of `document` are as they were parsed."""

    app: Sphinx
    page: str
    framework: Framework
    document: nodes.document

    def notebook(self) -> str:
        """Return it as a notebook."""
        made = self._found[self.framework.name]
        about: dict[str, str] = {
            "page": self.page,
            "framework": self.framework.name,
            "language": inputs_of(self.app).language(self.app).tag,
            "key": made.job.key.digest,
        }
        found = pictures(self.document, Path(self.app.srcdir))
        return notebook(self._cells, made.job.environment.python, about, found)

    def script(self) -> str:
        """Return it as a plain script."""
        return script(self._cells)

    @property
    def _found(self) -> Mapping[str, ScriptState]:
        """The scripts of this framework and of plain Python."""
        wanted = {self.framework.name, PLAIN}
        return {
            each.job.script.framework: each
            for each in inputs_of(self.app).scripts(self.page)
            if each.job.script.framework in wanted and each.job.environment.device == CPU
        }

    @cached_property
    def _cells(self) -> list[ExportedCell]:
        found = self._found
        cells = self._assembled(found)
        if len(found) > 1:
            first, second = (each.job.script for each in found.values())
            if not can_share(first, second, frameworks_in_order(cells)):
                found = {self.framework.name: found[self.framework.name]}
                cells = self._assembled(found)
        unpacking = self._unpacking(found)
        at = next(at for at, cell in enumerate(cells) if isinstance(cell, CodeCell))
        return [*cells[:at], *unpacking, *cells[at:], TextCell(self._versions())]

    def _assembled(self, found: Mapping[str, ScriptState]) -> list[ExportedCell]:
        """Put text and cells together; plain Python is text where its script is not among them."""
        link = link_resolver(self.app, self.page)
        as_text = frozenset({PLAIN} - found.keys())
        numbers = figure_numbers(self.app, self.page)
        writer = MarkdownWriter(self.framework, link, as_text, numbers, names_pictures=True)
        pieces = writer.write(self.document)
        pieces[1:1] = [Prose(self._origin()), Prose(self._installing())]
        return assemble(pieces, {name: self._source(each) for name, each in found.items()})

    def _source(self, found: ScriptState) -> TranslatedScript:
        inputs = inputs_of(self.app)
        comments = inputs.script_translations(self.page, inputs.language(self.app))
        made = found.job.script
        texts = {
            cell.label: translate_cell(made, cell, comments.get) if comments else cell.text
            for cell in made.cells
        }
        return TranslatedScript(made, texts, found.recording)

    def _unpacking(self, found: Mapping[str, ScriptState]) -> list[ExportedCell]:
        """Return the cells that write the files of the scripts; they come before all others."""
        scripts = [each.job.script for each in found.values()]
        helpers = {
            helper.name: read_python(helper_path(made.path, helper.name))
            for made in scripts
            for helper in made.helpers
        }
        data = {file.name: file for made in scripts for file in made.data}
        if not helpers and not data:
            return []
        names = Formats(self.app.config.language).listed([code(each) for each in (*helpers, *data)])
        said = _("The next cell lays out the files that the code needs: {files}.")
        code_cell = unpacking_code(helpers, data.values())
        return [
            TextCell(said.format(files=names)),
            CodeCell(PLAIN, _FILES_CELL, code_cell, folded=True),
        ]

    def _origin(self) -> str:
        """Say where this is from, and what its outputs were made with."""
        inputs = inputs_of(self.app)
        title = inputs.language(self.app).title
        address = page_address(self.app, self.page)
        head = f"[{title}]({address})" if address else title
        formats = Formats(self.app.config.language)
        recording = self._found[self.framework.name].recording
        made = f" · {formats.origin(self.framework, recording.provenance)}" if recording else ""
        return f"*{head}{made}*"

    def _installing(self) -> str:
        """Say what to install: the packages that people asked for, as they are pinned."""
        made = self._found[self.framework.name].job.environment
        asked = [_NAME.match(each) for each in wanted_packages(made.path)]
        names = {re.sub(r"[-_.]+", "-", each[0]).lower() for each in asked if each}
        chosen = [pin for pin in made.pins if not names or pin.partition("==")[0] in names]
        said = _("To run this, install Python {python} and, in an environment of its own:")
        command = fenced(" ".join(["pip install", *chosen]), "sh")
        rest = _("All versions it was recorded with stand at the end.")
        return f"{said.format(python=made.python)}\n\n{command}\n\n{rest}"

    def _versions(self) -> str:
        """List what its framework's environment holds."""
        made = self._found[self.framework.name].job.environment
        listed = "\n".join([f"# python: {made.python}", *made.pins])
        head = _("The versions it was recorded with")
        return f"**{head}**\n\n{fenced(listed, 'text')}"


def page_address(app: Sphinx, page: str) -> str | None:
    """Return where a page is published, if the settings tell."""
    inputs = inputs_of(app)
    return inputs.settings.page_address(inputs.language(app), page)


def link_resolver(app: Sphinx, page: str) -> Link:
    """Return a function that gives the address of a reference, or None if there is none."""
    address = page_address(app, page)

    def link(node: nodes.reference) -> str | None:
        target = str(node.get("refuri") or f"#{node.get('refid', '')}")
        if "://" in target or target.startswith("mailto:"):
            return target
        return urljoin(address, target) if address else None

    return link


def figure_numbers(app: Sphinx, page: str) -> dict[str, str]:
    """Return what each figure of a page is called in the text, by its ids."""
    numbers = app.env.toc_fignumbers.get(page, {}).get("figure", {})
    pattern = app.config.numfig_format.get("figure", "%s")
    return {
        name: pattern % ".".join(str(part) for part in number) for name, number in numbers.items()
    }
