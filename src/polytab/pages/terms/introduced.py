"""The sections that introduce terms: links may name them, and the search knows them by each name.

A translated section shows the English name beside its own, in text that everybody sees: not in a
tab, a fold or a branch of a verdict. What does not yet is listed, term by term, in `waits`.

Laws, guarded by tests/pages/terms/test_introduced.py: a term that is not shown so and does not wait
is a warning, and so is one that waits and is shown; a page is read again when a term of it changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.builders.gettext import MessageCatalogBuilder
from sphinx.util import logging

from polytab.errors import PolytabError
from polytab.model import digest
from polytab.pages.code.tabs import tab_of
from polytab.pages.forms.fold import fold
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.branches import branch_around
from polytab.search.index import NAMES
from polytab.translations.terms import load_named_terms, terms_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

    from polytab.translations.terms import Definition, NamedTerm

_log = logging.getLogger(__name__)
_DIGEST = "polytab_terms"


class search_names(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """By what names a section is looked for; nobody sees them."""


def label_of(defined: Definition) -> str:
    """Return the label of the section that introduces a term."""
    return f"{defined.page}#{defined.section}"


def _note_sections(app: Sphinx, document: nodes.document) -> None:
    """Give each section that introduces terms a label and its names, and look at its text."""
    env = app.env
    try:
        terms = load_named_terms(inputs_of(app).settings, inputs_of(app).language(app))
    except PolytabError as error:
        _warn(app, str(error), 1)
        return
    env.metadata[env.docname][_DIGEST] = _digest(terms, env, env.docname)
    found: dict[str, list[NamedTerm]] = {}
    for term in terms:
        if term.definition.page == env.docname:
            found.setdefault(term.definition.section, []).append(term)
    sections = {name: each for each in document.findall(nodes.section) for name in each["ids"]}
    for name, introduced in found.items():
        if name not in sections:
            for term in introduced:
                said = f"`{env.docname}` has no section `{name}` to introduce a term"
                _warn(app, said, term.definition.line)
            continue
        _label(env, sections[name], name)
        names = dict.fromkeys(each for term in introduced for each in term.names)
        sections[name].insert(1, search_names("", names=tuple(names)))
        whole = not app.config.polytab_framework  # what is in tabs elsewhere, all of this book see
        if whole and not issubclass(app.builder.__class__, MessageCatalogBuilder):
            _look(app, sections[name], introduced)


def _label(env: BuildEnvironment, section: nodes.section, name: str) -> None:
    """Let links name a section by its page and id."""
    title = next(section.findall(nodes.title)).astext()
    env.domains.standard_domain.labels[f"{env.docname}#{name}"] = (env.docname, name, title)


def _look(app: Sphinx, section: nodes.section, introduced: list[NamedTerm]) -> None:
    """Warn where the English of a term does not stand beside it, or no longer waits to."""
    code = inputs_of(app).language(app).code
    said = [each.astext() for each in _seen(section)]
    for term in introduced:
        waits, shown = code in term.definition.waits, is_shown(term, said)
        english = term.definition.english
        if not shown and not waits:
            hint = "name it, or put the language on its `waits`"
            text = f"`{label_of(term.definition)}` does not show `{english}`"
            _warn(app, f"{text} in {code}, outside of tabs and folds: {hint}", term.definition.line)
        elif shown and waits:
            text = f"`{english}` is shown where it is introduced: take `{code}` off its `waits`"
            _warn(app, text, term.definition.line)


def is_shown(term: NamedTerm, paragraphs: list[str]) -> bool:
    """Tell whether an English name stands in a paragraph that has the term's own name.

    Where no paragraph has that, as before anything is translated, it may stand in any.
    """
    forms = [form.casefold() for form in term.forms]
    own = [each for each in paragraphs if any(form in each.casefold() for form in forms)]
    names = "|".join(re.escape(each) for each in term.definition.names)
    english = re.compile(rf"(?<![A-Za-z])(?:{names})(?:e?s)?(?![A-Za-z])", re.IGNORECASE)
    return any(english.search(each) for each in own or paragraphs)


def _seen(section: nodes.section) -> Iterator[nodes.TextElement]:
    """Give the texts of a section itself that everybody sees."""
    for child in section.children:
        if isinstance(child, nodes.section):
            continue
        for each in child.findall(nodes.TextElement):
            if isinstance(each, nodes.paragraph | nodes.title | nodes.term | nodes.caption):
                hidden = tab_of(each) or branch_around(each) or _is_folded(each)
                if not hidden:
                    yield each


def _is_folded(node: nodes.Element) -> bool:
    box = node.parent
    while box is not None and not isinstance(box, fold):
        box = box.parent
    return box is not None


def _warn(app: Sphinx, said: str, line: int) -> None:
    place = f"{terms_path(inputs_of(app).settings)}:{line}"
    _log.warning(said, location=place, type="polytab", subtype="terms")


def _digest(terms: tuple[NamedTerm, ...], env: BuildEnvironment, page: str) -> str:
    """Digest the terms that a page shows: all of them, or those that it introduces."""
    everything = "nosearch" in env.metadata[page]
    shown = [each for each in terms if everything or each.definition.page == page]
    return digest(repr(shown))


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Name the pages of which a term is not as it was."""
    del added, changed, removed
    try:
        terms = load_named_terms(inputs_of(app).settings, inputs_of(app).language(app))
    except PolytabError:
        return []  # told where a page is read
    noted = {page: data[_DIGEST] for page, data in env.metadata.items() if _DIGEST in data}
    return [page for page, seen in noted.items() if seen != _digest(terms, env, page)]


def _write_names(translator: HTML5Translator, node: search_names) -> None:
    if translator.builder.name != "epub":  # which has no search
        names = translator.attval("|".join(node["names"]))
        # Hidden, as an empty box would part the heading from its text where a printed page ends.
        translator.body.append(f'<span {NAMES}="{names}" hidden></span>')
    raise nodes.SkipNode


def _skip(_translator: nodes.NodeVisitor, _node: nodes.Element) -> None:
    raise nodes.SkipNode


def setup_introduced(app: Sphinx) -> None:
    """Look at each page that has been read; read again those whose terms changed."""
    skip = (_skip, None)
    app.add_node(search_names, html=(_write_names, None), text=skip, latex=skip)
    app.connect("doctree-read", _note_sections)
    app.connect("env-get-outdated", _outdated)
