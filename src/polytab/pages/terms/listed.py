"""`{terms}`: a list of the terms of a book, sorted as the language of the reader sorts.

Each has its name, in another language the English beside it, its definition, what else it is
called, and a link to the section that introduces it. The definitions are messages of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.collation import sort_key
from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.pages.inputs import inputs_of
from polytab.pages.terms.introduced import label_of
from polytab.translations.terms import load_named_terms, terms_path

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from polytab.translations.terms import NamedTerm

_log = logging.getLogger(__name__)


class TermsDirective(SphinxDirective):
    """`{terms}`, without anything."""

    def run(self) -> list[nodes.Node]:
        """Return the list; terms that cannot be read are a warning at the directive."""
        inputs = inputs_of(self.env)
        language = inputs.language(self.env)
        try:
            terms = load_named_terms(inputs.settings, language)
        except PolytabError as error:
            _log.warning(str(error), location=self.get_location(), type="polytab", subtype="terms")
            return []
        self.env.metadata[self.env.docname]["nosearch"] = ""  # the sections are to be found
        ordered = sorted(terms, key=lambda each: sort_key(each.name, language.locale))
        items = (self._item(each) for each in ordered)
        return [nodes.definition_list("", *items, classes=["terms"])]

    def _item(self, term: NamedTerm) -> nodes.definition_list_item:
        english = term.definition.english
        name = nodes.term("", term.name, translatable=False)
        name["ids"].append(nodes.make_id(f"term-{english}"))
        if term.name != english:
            name += [nodes.Text(" "), nodes.inline("", english, classes=["language-en"])]
        said = term.definition.definition
        definition = nodes.paragraph(said, said)
        definition.source = str(terms_path(inputs_of(self.env).settings))
        definition.line = term.definition.line
        inner = nodes.definition("", definition, self._names_and_place(term))
        return nodes.definition_list_item("", name, inner)

    def _names_and_place(self, term: NamedTerm) -> nodes.paragraph:
        """Say what else a term is called, and where it is introduced."""
        formats = Formats(self.config.language)
        own = term.also or (term.definition.also if term.name == term.definition.english else ())
        said = _("Also called {names}. See “{section}”.") if own else _("See “{section}”.")
        before, _place, after = said.partition("{section}")
        start, end = nodes.Text(before.format(names=formats.either(own))), nodes.Text(after)
        return nodes.paragraph("", "", start, self._link(term), end, translatable=False)

    def _link(self, term: NamedTerm) -> pending_xref:
        """Refer to a section by its title, which Sphinx fills in, translated."""
        label = label_of(term.definition)
        link = pending_xref(
            "",
            nodes.inline("", label),
            refdomain="std",
            reftype="ref",
            reftarget=label,
            refdoc=self.env.docname,
            refexplicit=False,
            refwarn=True,
        )
        self.set_source_info(link)
        return link


def setup_listed(app: Sphinx) -> None:
    """Add the directive and its style."""
    app.add_directive("terms", TermsDirective)
    app.add_css_file("terms.css")
