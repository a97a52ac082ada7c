"""How far each paragraph is translated, told where the paragraph stands.

A translated paragraph looks like any other. An outdated one keeps its old translation, or shows
the English where the old text no longer fits, and discloses what changed. A missing one is English
and says so to screen readers and search engines. Where the settings name the repository, each has
a link to its line in the catalog.
"""

from __future__ import annotations

import difflib
import re
from html import escape
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.builders.gettext import MessageCatalogBuilder
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages

from polytab.interface.messages import translate as _
from polytab.pages.inputs import inputs_of
from polytab.translations.catalogs import catalog_path
from polytab.translations.compiled import PageMessage, State, load_messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_MESSAGE = "polytab_message"
_WORD = re.compile(r"\s+|\S+")


class translation_status(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """What follows a paragraph that is outdated or not translated.

    It shows the change and a link to the catalog.
    """


class coverage_note(nodes.General, nodes.Element):  # noqa: N801
    """How much of the page is not, or no longer, in the reader's language."""


class NoteMessages(SphinxTransform):
    """Remember the English of each node before Sphinx translates it."""

    default_priority = 19  # Sphinx translates at 20

    def apply(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Note messages of whole nodes; drawings and images keep their own."""
        for node, message in extract_messages(self.document):
            if isinstance(node, nodes.TextElement):
                node[_MESSAGE] = message


class MarkStates(SphinxTransform):
    """Mark each paragraph that is not translated, once Sphinx has translated the others."""

    default_priority = 30

    def apply(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Mark untranslated and outdated paragraphs and add a summary note.

        Skipped for the source language and for gettext.
        """
        settings = inputs_of(self.env).settings
        language = inputs_of(self.env).language(self.env)
        if language == settings.source_language:
            return
        if issubclass(self.env._builder_cls, MessageCatalogBuilder):  # noqa: SLF001  # as Sphinx
            return
        known = load_messages(settings, language, self.env.docname)
        by_source = {message.source: message for message in known}
        catalog = catalog_path(settings, language, self.env.docname)
        link = settings.in_repository("blob", catalog)
        counts = {State.MISSING: 0, State.OUTDATED: 0}
        for node in list(_noted(self.document)):
            message = by_source.get(node[_MESSAGE])
            state = message.state if message else State.MISSING
            if state in counts:
                counts[state] += 1
                _mark(node, message, link)
        title = next(self.document.findall(nodes.title), None)
        if title is not None and any(counts.values()):
            note = coverage_note("", link=link, **{state.value: n for state, n in counts.items()})
            title.parent.insert(title.parent.index(title) + 1, note)


def _noted(document: nodes.document) -> Iterator[nodes.Element]:
    for node in document.findall(nodes.TextElement):
        if _MESSAGE in node:
            yield node


def _mark(node: nodes.Element, message: PageMessage | None, link: str | None) -> None:
    """Set the classes and the language of a node; add its translation status behind it."""
    shown = message is not None and message.shown
    outdated = message is not None and message.state is State.OUTDATED
    node["classes"] += ["outdated" if outdated else "untranslated"]
    if not shown:
        node["classes"] += ["language-en"]  # docutils writes `lang` from it
    if message is None or not isinstance(node, nodes.paragraph):
        return
    place = f"{link}#L{message.line}" if link else None
    if outdated or place:
        behind = translation_status("", message=message, link=place)
        node.parent.insert(node.parent.index(node) + 1, behind)


def difference(before: str, after: str) -> str:
    """Show how a text changed, word by word, as HTML."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    said: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = escape("".join(old[a:b])), escape("".join(new[c:d]))
        if kind == "equal":
            said.append(gone)
        else:
            said += [f"<del>{gone}</del>"] if gone else []
            said += [f"<ins>{come}</ins>"] if come else []
    return "".join(said)


def _visit_status(translator: HTML5Translator, node: translation_status) -> None:
    message: PageMessage = node["message"]
    link = _link(node["link"], _("Mend it"))
    if message.state is not State.OUTDATED:
        translator.body.append(f'<p class="translation-status">{link}</p>\n')
        raise nodes.SkipNode
    said = _("This translation is behind the English.")
    parts = [f"<summary>{escape(said)}</summary>"]
    if message.previous is not None:
        parts.append(f'<p lang="en">{difference(message.previous, message.source)}</p>')
    elif message.shown:
        parts.append(f'<p lang="en">{escape(message.source)}</p>')
    if not message.shown:
        parts.append(f"<p>{escape(message.translation)}</p>")
    translator.body.append(
        f'<details class="translation-status">{"".join(parts)}{link}</details>\n'
    )
    raise nodes.SkipNode


def _visit_note(translator: HTML5Translator, node: coverage_note) -> None:
    said: list[str] = []
    if node["missing"]:
        text = _("Paragraphs not translated yet, shown in English: {number}.")
        said.append(escape(text.format(number=node["missing"])))
    if node["outdated"]:
        text = _("Paragraphs whose translation is behind the English: {number}.")
        said.append(escape(text.format(number=node["outdated"])))
    said.append(_link(node["link"], _("Help to translate")))
    translator.body.append(f'<p class="coverage-note">{" ".join(filter(None, said))}</p>\n')
    raise nodes.SkipNode


def _link(to: str | None, text: str) -> str:
    return f'<a href="{escape(to)}">{escape(text)}</a>' if to else ""


def _skip(_translator: nodes.NodeVisitor, _node: nodes.Element) -> None:
    raise nodes.SkipNode


def setup_states(app: Sphinx) -> None:
    """Add the transforms and their nodes."""
    skip = (_skip, None)
    app.add_node(translation_status, html=(_visit_status, None), text=skip, latex=skip)
    app.add_node(coverage_note, html=(_visit_note, None), text=skip, latex=skip)
    app.add_css_file("translated.css")
    app.add_transform(NoteMessages)
    app.add_transform(MarkStates)
