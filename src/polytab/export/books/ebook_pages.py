"""The pages as e-books need them: each tab under its name, nothing folded, no JavaScript.

The EPUB's build writes the Markdown copies as well, so that all of them are of one reading. What is
printed as PDF is the whole book as one HTML page, without JavaScript.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes

from polytab.export.books.one_framework import framework_of
from polytab.export.download import figure_numbers, link_resolver
from polytab.export.markdown import MarkdownWriter
from polytab.export.pieces import Prose
from polytab.model import digest
from polytab.pages.code.chooser import chooser
from polytab.pages.code.switch import device_switch
from polytab.pages.code.tabs import panels_of
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.benchmark import chart_table, chart_view
from polytab.pages.translated.states import coverage_note, translation_status
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from polytab.export.inline import Link
    from polytab.model import Framework, Language

EPUB, ONE_PAGE = "epub", "singlehtml"
COPIES = "markdown"
"""The folder, beside that of the EPUB's build, for the Markdown copies."""

_BEFORE_TABS_ARE_MENDED = 400
_LAST = 900
_BARE = re.compile(r"(?<=\s)(data-[a-z-]+|hidden|open)(?=[\s>/])")
"""An attribute without a value, which HTML allows and EPUB does not."""

_SUMMARY = 300
"""Characters of the first paragraph that say what a page is about."""


def book_name(language: Language, framework: Framework | None) -> str:
    """Return the name of the e-books of a language, of one framework or of all."""
    return f"{language.code}-{framework.name}" if framework else language.code


def book_title(language: Language, framework: Framework | None) -> str:
    """Return the title of the e-books of a language, of one framework or of all."""
    return f"{language.title} · {framework.title}" if framework else language.title


def copy_link_resolver(app: Sphinx, page: str) -> Link:
    """Return a function that gives the address of a reference in a Markdown copy, or None."""
    published = link_resolver(app, page)

    def link(node: nodes.reference) -> str | None:
        address = published(node)
        if address is not None:
            return re.sub(r"\.xhtml(?=#|$)", ".html", address)
        file, _, _ = str(node.get("refuri", "")).partition("#")
        return f"{file.removesuffix('.xhtml')}.md" if file else None

    return link


def _copy(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Write the Markdown copy of a page."""
    if app.builder.name != EPUB or framework_of(app):
        return
    writer = MarkdownWriter(None, copy_link_resolver(app, page), figures=figure_numbers(app, page))
    text = "\n\n".join(each.text for each in writer.write(doctree) if isinstance(each, Prose))
    path = _folder(app) / f"{page}.md"
    write_atomic(path, f"{text}\n".encode())


def _unfold(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Name each tab, show what is folded, and remove what only a website needs."""
    if app.builder.name not in {EPUB, ONE_PAGE}:
        return
    for kind in (chooser, chart_view, translation_status, coverage_note):
        for node in list(doctree.findall(kind)):
            node.parent.remove(node)
    for folded in list(doctree.findall(chart_table)):
        shown = nodes.container("", *folded.children, classes=["numbers-behind"])
        folded.replace_self(shown)
    if app.builder.name == ONE_PAGE:
        for chapters in list(doctree.findall(nodes.compound)):
            if "toctree-wrapper" in chapters["classes"]:  # the start page comes to its end first
                parent = chapters.parent
                parent.remove(chapters)
                parent.append(chapters)
    else:
        for block in list(doctree.findall(nodes.container)):
            if "sphinx-tabs" in block["classes"]:
                _name_tabs(block)


def _drop_switch(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Remove the switch between devices; both are shown, under their names."""
    if app.builder.name in {EPUB, ONE_PAGE}:
        for switch in list(doctree.findall(device_switch)):
            switch.parent.remove(switch)


def _name_tabs(block: nodes.Element) -> None:
    """Replace tabs by their panels, each below its name."""
    named = [
        nodes.container(
            "", nodes.paragraph("", label, classes=["tab-title"]), *panel.children, classes=["tab"]
        )
        for label, panel in panels_of(block)
    ]
    block.children = []
    block.extend(named)


def _head(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Remove scripts from a page, and give each attribute a value, as XML wants."""
    if app.builder.name not in {EPUB, ONE_PAGE}:
        return
    context["metatags"] = ""
    context["script_files"] = []
    if app.builder.name == EPUB and "body" in context:
        tags = re.compile(r"<[a-z][^<>]*>")
        context["body"] = tags.sub(lambda tag: _BARE.sub(r'\1=""', tag[0]), context["body"])


def _configure(app: Sphinx, config: Config) -> None:
    inputs, framework = inputs_of(app), framework_of(app)
    language = inputs.language(app)
    config.version = config.version or "1"  # EPUB wants one, and who has the rights
    config.copyright = config.copyright or language.title
    config.epub_title = config.html_title = book_title(language, framework)
    config.epub_language = language.tag
    config.epub_basename = book_name(language, framework)
    config.epub_show_urls = "no"
    config.epub_use_index = False
    # One name is both the e-book's identifier and an XML id, for Sphinx writes it in both places.
    identity = digest(f"{inputs.settings.address} {inputs.settings.title} {config.epub_basename}")
    config.epub_identifier = config.epub_uid = f"book-{identity[:32]}"
    config.epub_scheme = "ID"


def _style(app: Sphinx) -> None:
    if app.builder.name in {EPUB, ONE_PAGE}:
        app.add_css_file("ebook.css")


def _contents(app: Sphinx, failed: Exception | None) -> None:
    """Write llms.txt: what this language has to read, each page with what it is about."""
    if app.builder.name != EPUB or failed or framework_of(app):
        return
    env, folder = app.env, _folder(app)
    lines = [f"# {inputs_of(app).language(app).title}", ""]
    for page in _in_order(env, env.config.root_doc):
        title, about = _about((folder / f"{page}.md").read_text(encoding="utf-8"))
        lines.append(f"- [{title}]({page}.md): {about}" if about else f"- [{title}]({page}.md)")
    write_atomic(folder / "llms.txt", ("\n".join(lines) + "\n").encode())


def _about(text: str) -> tuple[str, str]:
    """Return the title of a Markdown page and the beginning of its first paragraph."""
    blocks = text.split("\n\n")
    first = next((each for each in blocks[1:] if each[0] not in "#>|`-*"), "")
    first = " ".join(first.split())
    if len(first) > _SUMMARY:
        first = first[:_SUMMARY].rsplit(" ", 1)[0] + " …"
    return blocks[0].strip().removeprefix("# "), first


def _in_order(env: BuildEnvironment, page: str) -> list[str]:
    """List the pages as a reader meets them."""
    below = env.toctree_includes.get(page, [])
    return [page, *(each for child in below for each in _in_order(env, child))]


def _folder(app: Sphinx) -> Path:
    return app.outdir.with_name(COPIES)


def setup_ebook_pages(app: Sphinx) -> None:
    """Connect what changes pages into those of an e-book."""
    app.connect("config-inited", _configure, priority=_LAST)
    app.connect("builder-inited", _style)
    app.connect("doctree-resolved", _copy, priority=_BEFORE_TABS_ARE_MENDED)
    app.connect("doctree-resolved", _unfold, priority=_BEFORE_TABS_ARE_MENDED + 1)
    app.connect("doctree-resolved", _drop_switch, priority=_LAST)
    app.connect("html-page-context", _head, priority=_LAST)
    app.connect("build-finished", _contents)
