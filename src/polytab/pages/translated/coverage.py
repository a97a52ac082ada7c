"""`{coverage}`: a table of how far each page is translated into each language.

It counts the compiled catalogs, so no page is read for it. A message that only another language's
catalog has is missing.

Invariant, guarded by tests/pages/translated/test_coverage.py: the page with the table is read again
exactly when the table would differ.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from babel.numbers import format_percent
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective

from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.model import digest
from polytab.pages.inputs import inputs_of
from polytab.translations.catalogs import catalog_path
from polytab.translations.compiled import State, load_messages
from polytab.translations.status import Coverage, of_pages
from polytab.translations.templates import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from polytab.model import Language
    from polytab.pages.inputs import Inputs
    from polytab.settings import Settings

_DIGEST = "polytab_coverage"
_WIDTHS = (36, 24)
"""Columns for a page and for a language, in formats that draw tables with characters."""


def compiled_coverage(inputs: Inputs, pages: Sequence[str]) -> tuple[Coverage, ...]:
    """Count the compiled messages of pages and their comments; none of a page in no catalog."""
    return of_pages(_catalogs(inputs, pages))


class CoverageDirective(SphinxDirective):
    """Show a row for each page, and a column for each language but the source."""

    def run(self) -> list[nodes.Node]:
        """Make the table, and remember what it says."""
        inputs, pages = inputs_of(self.env), _pages(self.env)
        rows = compiled_coverage(inputs, pages)
        metadata = self.env.metadata[self.env.docname]
        metadata[_DIGEST] = _digest(pages, rows)
        metadata["nosearch"] = ""  # Sphinx's search leaves the page out
        return [_Table(inputs.settings, Formats(self.config.language), rows).node(pages)]


@dataclass(frozen=True)
class _Table:
    """Makes the nodes of the table."""

    settings: Settings
    formats: Formats
    rows: Sequence[Coverage]

    def node(self, pages: Sequence[str]) -> nodes.table:
        languages = self.settings.languages[1:]
        found = {(row.page, row.language): row for row in self.rows}
        group = nodes.tgroup("", cols=1 + len(languages))
        group += nodes.colspec("", colwidth=_WIDTHS[0], stub=1)
        group += [nodes.colspec("", colwidth=_WIDTHS[1]) for _each in languages]
        names = (_entry(_paragraph(_language_name(each))) for each in languages)
        group += nodes.thead("", nodes.row("", _entry(_paragraph(_text(_("Page")))), *names))
        group += nodes.tbody(
            "",
            *(
                nodes.row(
                    "",
                    _entry(_paragraph(_link(page))),
                    *(_entry(*self._cell(found.get((page, each.code)))) for each in languages),
                )
                for page in pages
            ),
        )
        return nodes.table("", group, classes=["coverage"])

    def _cell(self, row: Coverage | None) -> Iterator[nodes.paragraph]:
        """Say how much is translated, what is not, and when that last changed."""
        if row is None:
            yield _paragraph(_text(_("not begun")))
            return
        share = row.translated * 100 // row.total / 100  # not all is never 100 %
        parts = [format_percent(share, locale=self.formats.locale)]
        if row.outdated:
            number = self.formats.count(row.outdated)
            parts.append(_("outdated: {number}").format(number=number))
        if row.missing:
            parts.append(_("missing: {number}").format(number=self.formats.count(row.missing)))
        yield _paragraph(nodes.Text(" · ".join(parts)))
        if row.changed is not None:
            yield _paragraph(nodes.Text(self.formats.date(row.changed)))


def _catalogs(inputs: Inputs, pages: Sequence[str]) -> Iterator[Coverage]:
    settings = inputs.settings
    languages = settings.languages[1:]
    for name in (name for page in pages for name in (page, f"{COMMENTS}/{page}")):
        found = {language: load_messages(settings, language, name) for language in languages}
        known = {message.source for messages in found.values() for message in messages}
        for language, messages in found.items() if known else ():
            states = Counter(message.state for message in messages)
            translated, outdated = states[State.TRANSLATED], states[State.OUTDATED]
            yield Coverage(
                name,
                language.code,
                translated,
                outdated,
                missing=len(known) - translated - outdated,
                changed=inputs.last_commit_days().get(catalog_path(settings, language, name)),
            )


def _pages(env: BuildEnvironment) -> Sequence[str]:
    """Return all pages, the first one first."""
    return sorted(env.found_docs, key=lambda page: (page != env.config.root_doc, page))


def _digest(pages: Sequence[str], rows: Sequence[Coverage]) -> str:
    return digest(repr((pages, rows)))


def _entry(*paragraphs: nodes.paragraph) -> nodes.entry:
    return nodes.entry("", *paragraphs)


def _paragraph(child: nodes.Node) -> nodes.paragraph:
    return nodes.paragraph("", "", child, translatable=False)


def _text(word: object) -> nodes.Text:
    return nodes.Text(str(word))


def _language_name(language: Language) -> nodes.inline:
    """Write a language's name in that language; docutils makes `lang` of the class."""
    return nodes.inline("", language.name, classes=[f"language-{language.tag}"])


def _link(page: str) -> pending_xref:
    """Refer to a page by its title, which Sphinx fills in, translated."""
    return pending_xref(
        "",
        nodes.inline("", page),
        refdomain="std",
        reftype="doc",
        reftarget=f"/{page}",
        refexplicit=False,
        refwarn=True,
    )


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Name the pages whose table is not as it was; count only where there is one."""
    del added, changed, removed
    noted = {page: data[_DIGEST] for page, data in env.metadata.items() if _DIGEST in data}
    if not noted:
        return []
    pages = _pages(env)
    now = _digest(pages, compiled_coverage(inputs_of(app), pages))
    return [page for page, seen in noted.items() if seen != now]


def setup_coverage(app: Sphinx) -> None:
    """Add the directive, and reread its page when the table would differ."""
    app.add_directive("coverage", CoverageDirective)
    app.connect("env-get-outdated", _outdated)
