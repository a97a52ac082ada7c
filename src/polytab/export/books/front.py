"""What makes the pages of a language a book: numbered chapters, a title page, a list of contents.

Sphinx numbers the chapters, in the EPUB and the PDF alike. The title page and the contents are of
the PDF, where `pdf.py` writes the page numbers; an EPUB has a cover and a list of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes

from polytab.export.books.ebook_pages import EPUB, ONE_PAGE
from polytab.export.books.one_framework import framework_of
from polytab.interface.messages import translate as _
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

CONTENTS = "book-contents"
"""The class of the list of contents, and the beginning of the ids that it leads to."""

_EARLY = 100
_AFTER_ALL_ELSE = 950


def _number_chapters(app: Sphinx, doctree: nodes.document) -> None:
    """Ask Sphinx to number the chapters that the start page lists.

    Sphinx begins each list of chapters at 1, so the chapters of a start page with several lists
    have no numbers, unless its author asks for them.
    """
    if app.builder.name not in {EPUB, ONE_PAGE} or app.env.docname != app.config.root_doc:
        return
    lists = list(doctree.findall(addnodes.toctree))
    if len(lists) == 1:
        lists[0]["numbered"] = lists[0].get("numbered") or 1


def _front(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Put the title page and the contents before all pages, which are one."""
    if app.builder.name != ONE_PAGE:
        return
    doctree.insert(0, [_title_page(app), _contents(app, doctree)])


def _title_page(app: Sphinx) -> nodes.container:
    inputs = inputs_of(app)
    language, framework = inputs.language(app), framework_of(app)
    lines = [nodes.paragraph("", language.title, classes=["book-name"])]
    if framework is not None:
        lines.append(nodes.paragraph("", framework.title, classes=["book-framework"]))
    lines.append(nodes.paragraph("", language.name))
    if inputs.settings.address:
        lines.append(nodes.paragraph("", inputs.settings.address))
    return nodes.container("", *lines, classes=["book-title"])


def _contents(app: Sphinx, doctree: nodes.document) -> nodes.container:
    """Return the list of the chapters and their sections; each links to a new id of its own."""
    chapters = nodes.bullet_list("")
    for start in doctree.findall(addnodes.start_of_file):
        for chapter in _sections(start):
            number = app.env.toc_secnumbers.get(start["docname"], {}).get("", ())
            said = "".join(f"{each}. " for each in number)
            entry = _entry(chapter, said)
            inner = [_entry(each) for each in _sections(chapter)]
            chapters += [entry]
            if inner:
                entry += nodes.bullet_list("", *inner)
    for place, link in enumerate(chapters.findall(nodes.reference), 1):
        link["refid"] = f"{CONTENTS}-{place}"
        link.attributes.pop("section")["ids"].append(link["refid"])
    heading = nodes.paragraph("", _("Contents"), classes=["book-contents-title"])
    return nodes.container("", heading, chapters, classes=[CONTENTS])


def _sections(node: nodes.Element) -> Iterator[nodes.section]:
    """Yield the sections right below a node."""
    return (each for each in node.children if isinstance(each, nodes.section))


def _entry(section: nodes.section, number: str = "") -> nodes.list_item:
    """Return a line of the contents, with the section that it is to lead to."""
    title = next(section.findall(nodes.title))
    text = nodes.inline("", number + title.astext())
    link = nodes.reference("", "", text, internal=True, section=section)
    return nodes.list_item("", nodes.paragraph("", "", link))


def setup_front(app: Sphinx) -> None:
    """Connect what makes a book of pages."""
    app.connect("doctree-read", _number_chapters, priority=_EARLY)
    app.connect("doctree-resolved", _front, priority=_AFTER_ALL_ELSE)
