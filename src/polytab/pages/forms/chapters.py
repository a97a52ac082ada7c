"""`{chapters}`: the pages of a book, each with what it asks and how long it takes.

It takes what a `{toctree}` takes and is one to Sphinx: it decides the order of the pages. A page is
told by the question and the minutes of its `{opening}`; without one by its first sentences, and by
an estimate. Both are read with the page, in the language of the build.

Law, guarded by tests/pages/forms/test_chapters.py: the list says what the pages say now.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.directives.other import TocTree
from sphinx.transforms.post_transforms import SphinxPostTransform

from polytab.errors import PolytabError
from polytab.model import PLAIN
from polytab.pages.forms.opening import opening
from polytab.pages.forms.title import form_title
from polytab.pages.frame.head import first_paragraph, shorten
from polytab.pages.inputs import inputs_of
from polytab.pages.markdown.reading_time import minutes_to_read

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec

_ABOUT = "polytab_chapter"
"""The key, in the metadata of a page, of what a list of chapters says of it."""

_LONGEST = 150
"""How many letters of its first sentences are told; a first one that is longer is cut."""


class chapter_about(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """The place of what is said of a chapter, in a page that is not finished."""


class ChaptersDirective(TocTree):
    """`{chapters}`, with the names of pages as in a `{toctree}`."""

    option_spec: ClassVar[OptionSpec] = {"glob": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Return the list that readers see, and the hidden one that Sphinx follows."""
        self.options["hidden"] = None
        [wrapper] = super().run()
        [tree] = wrapper.findall(addnodes.toctree)
        items = [self._item(page) for page in tree["includefiles"]]
        shown = nodes.bullet_list("", *items, classes=["chapters"])
        return [shown, wrapper] if items else [wrapper]

    def _item(self, page: str) -> nodes.list_item:
        link = addnodes.pending_xref(
            "",
            nodes.inline("", page, classes=["doc"]),
            reftype="doc",
            refdomain="std",
            reftarget=f"/{page}",
            refdoc=self.env.docname,
            refexplicit=False,
            refwarn=True,
        )
        self.set_source_info(link)
        title = nodes.paragraph("", "", link, classes=["chapter-title"], translatable=False)
        return nodes.list_item("", title, chapter_about("", page=page))


class TellChapters(SphinxPostTransform):
    """Say of each chapter what it asks and how long it takes, once all pages are read."""

    default_priority = 5

    def run(self, **_kwargs: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Replace the places by paragraphs."""
        formats = inputs_of(self.env).formats(self.env)
        for place in list(self.document.findall(chapter_about)):
            found = self.env.metadata[place["page"]].get(_ABOUT)
            if found is None:
                place.parent.remove(place)
                continue
            about, minutes = found
            said = shorten(self._words(about), _LONGEST)
            time = _paragraph(formats.minutes(minutes), "chapter-time")
            told = [_paragraph(said, "chapter-about"), time]
            place.replace_self(told if said else told[1:])

    def _words(self, about: nodes.Element | None) -> str:
        """Return the words of another page, in which a reference is the title of what it names."""
        if about is None:
            return ""
        text = about.deepcopy()
        labels = self.env.domains.standard_domain.labels
        for link in list(text.findall(addnodes.pending_xref)):
            if not link["refexplicit"] and link["reftarget"] in labels:
                link.replace_self(nodes.Text(labels[link["reftarget"]][2]))
        return text.astext()


def _paragraph(text: str, kind: str) -> nodes.paragraph:
    return nodes.paragraph("", text, classes=[kind], translatable=False)


def _note(app: Sphinx, document: nodes.document) -> None:
    """Note, with each page that was read, what a list of chapters says of it."""
    page = app.env.docname
    found = next(document.findall(opening), None)
    question = next(found.findall(form_title), None) if found else None
    about = question or first_paragraph(document)
    minutes = found.get("minutes") if found else None
    app.env.metadata[page][_ABOUT] = about and _alone(about), minutes or _estimate(app, page)


def _alone(node: nodes.Element) -> nodes.Element:
    """Copy a node without its document, which would be kept with it between builds."""
    copy = node.deepcopy()
    for each in copy.findall(nodes.Element):
        each.document = None  # type: ignore[assignment]  # as in a node that is new
    return copy


def _estimate(app: Sphinx, page: str) -> int:
    source = Path(app.env.doc2path(page)).read_text(encoding="utf-8")
    cells: dict[tuple[str, str], int] = {}
    inputs = inputs_of(app)
    try:
        scripts = [each.job.script for each in inputs.scripts(page)]
    except PolytabError:
        scripts = []  # the snippets of the page have warned of the script that cannot be read
    for script in scripts:
        plain = script.framework == PLAIN
        title = "" if plain else inputs.settings.framework(script.framework).title
        for cell in script.cells:
            cells[title, cell.label] = cell.text.count("\n") + 1
    return minutes_to_read(source, cells)


def setup_chapters(app: Sphinx) -> None:
    """Add the directive with its node, transform and style."""
    app.add_node(chapter_about)
    app.add_directive("chapters", ChaptersDirective)
    app.add_post_transform(TellChapters)
    app.connect("doctree-read", _note)
    app.add_css_file("chapters.css")
