"""The links of a page to its downloads and to e-books, and the files of its downloads.

Where a page has several frameworks, the script of the tabs shows the row of the chosen one; a
reader without JavaScript opens the list of all. Colab opens notebooks from GitHub, so it is offered
where the repository is there; the notebooks of the published site are on its branch `gh-pages`.

A row ends with the e-books of its framework. The start page lists those of all frameworks, because
a reader who comes there has not always chosen one.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from docutils import nodes
from sphinx.util.osutil import relative_uri

from polytab.export.books.offered import book_frameworks, offered_books
from polytab.export.download import PageDownload, frameworks_of
from polytab.interface.formats import Formats
from polytab.interface.messages import translate as _
from polytab.model import CPU
from polytab.pages.code.chooser import chooser
from polytab.pages.code.devices import copy_for_device
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from polytab.model import Framework

DOWNLOADS = "downloads"
"""The folder of each language that downloads are written to."""

_BRANCH = "gh-pages"
_COLAB = "https://colab.research.google.com/github"
_BEFORE_TABS_ARE_MENDED = 400
_AFTER = 600


class download_links(nodes.General, nodes.Element):  # noqa: N801  # docutils names nodes in lower case
    """The links to the notebooks and scripts of a page; `offers` holds them by framework."""


class book_links(nodes.General, nodes.Element):  # noqa: N801  # the same
    """The links to all e-books of a language; `offers` holds them by what they are of."""


def _write(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Write the downloads of a page, while its tabs are as they were parsed.

    A preview has none: they take a fifth of the time of a page with many scripts.
    """
    if app.builder.name != "html" or app.config.polytab_preview:
        return
    frameworks = frameworks_of(app, page)
    if inputs_of(app).has_cuda(page):
        doctree = copy_for_device(doctree, CPU)  # a download runs everywhere
    for framework in frameworks:
        download = PageDownload(app, page, framework, doctree)
        for suffix, content in ((".ipynb", download.notebook()), (".py", download.script())):
            path = Path(app.outdir, _name(page, framework, suffix))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")


def _offer(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the links below the chooser, or below the heading where there is none."""
    title = next(doctree.findall(nodes.title), None)
    if app.builder.name != "html" or title is None:
        return
    place: nodes.Element = next(doctree.findall(chooser), title)
    offers = [(each, _row(app, page, each)) for each in frameworks_of(app, page)]
    found: list[nodes.Node] = [download_links("", offers=offers)] if offers else []
    if page == app.config.root_doc:
        found += _all_books(app, page)
    after = place.parent.index(place) + 1
    place.parent[after:after] = found


def _name(page: str, framework: Framework, suffix: str) -> str:
    return f"{DOWNLOADS}/{page}-{framework.name}{suffix}"


def _row(app: Sphinx, page: str, framework: Framework) -> str:
    """Write the links of one framework."""
    title, here = framework.title, app.builder.get_target_uri(page)
    links = [
        _link(relative_uri(here, quote(_name(page, framework, suffix))), text, title, " download")
        for suffix, text in ((".ipynb", str(_("Notebook"))), (".py", "Python"))
    ]
    row = [*links, *_colab(app, page, framework)]
    books = _books(app, page, framework)
    if books and page != app.config.root_doc:  # which lists them all
        label = str(_("Whole book"))
        said = f'<span class="downloads-label">{escape(label)}</span>'
        row.append(f'<span class="downloads-book">{said} {books}</span>')
    return " ".join(row)


def _books(app: Sphinx, page: str, framework: Framework | None) -> str:
    """Write the links to the e-books of a framework, or to those of all."""
    here, formats = app.builder.get_target_uri(page), Formats(app.config.language)
    of = framework.title if framework else str(_("All frameworks"))
    said = str(_("{format} ({size})"))
    return " ".join(
        _link(
            relative_uri(here, quote(each.path)),
            said.format(format=each.kind, size=formats.size(each.size)),
            of,
            " download",
        )
        for each in offered_books(app, framework)
    )


def _all_books(app: Sphinx, page: str) -> list[nodes.Node]:
    """List the e-books of the language; nothing where none is offered."""
    offers = [
        (each.title if each else str(_("All frameworks")), _books(app, page, each))
        for each in book_frameworks(app)
    ]
    offers = [(title, row) for title, row in offers if row]
    return [book_links("", offers=offers)] if offers else []


def _colab(app: Sphinx, page: str, framework: Framework) -> list[str]:
    """Write the link to Colab, or why there is none."""
    inputs = inputs_of(app)
    parts = urlsplit(inputs.settings.repository or "")
    if parts.hostname != "github.com":
        return []
    language = inputs.language(app)
    if framework.colab:
        said = dict(framework.colab)
        known = language.code if language.code in said else inputs.settings.source_language.code
        tag = "" if known == language.code else f' lang="{inputs.settings.source_language.tag}"'
        return [f'<span class="downloads-reason"{tag}>{escape(said[known])}</span>']
    file = f"{language.code}/{_name(page, framework, '.ipynb')}"
    address = f"{_COLAB}{parts.path}/blob/{_BRANCH}/{quote(file)}"
    return [_link(address, str(_("Open in Colab")), framework.title)]


def _link(address: str, text: str, framework: str, more: str = "") -> str:
    hidden = f'<span class="downloads-of"> ({escape(framework)})</span>'
    return f'<a href="{escape(address)}"{more}>{escape(text)}{hidden}</a>'


def _visit(translator: HTML5Translator, node: download_links) -> None:
    label = escape(str(_("Download this page")))
    offers: list[tuple[Framework, str]] = node["offers"]
    rows = "\n".join(
        f'<p class="downloads-row" data-framework="{escape(each.name)}"{" hidden" if at else ""}>'
        f'<span class="downloads-label">{label}</span> {row}</p>'
        for at, (each, row) in enumerate(offers)
    )
    if len(offers) > 1:
        listed = _folded(label, [(each.title, row) for each, row in offers])
        rows += f"\n<noscript>{listed}</noscript>"
    kind = "downloads downloads-chosen" if len(offers) > 1 else "downloads"
    translator.body.append(f'<div class="{kind}" data-pagefind-ignore>\n{rows}\n</div>\n')
    raise nodes.SkipNode


def _visit_books(translator: HTML5Translator, node: book_links) -> None:
    label = str(_("Download the whole book"))
    listed = _folded(escape(label), node["offers"])
    translator.body.append(f'<div class="downloads" data-pagefind-ignore>\n{listed}\n</div>\n')
    raise nodes.SkipNode


def _folded(label: str, rows: Sequence[tuple[str, str]]) -> str:
    """Write a list of rows, each with what it is of, which opens below its label."""
    listed = "\n".join(
        f'<p class="downloads-row"><span class="downloads-label">{escape(of)}</span> {row}</p>'
        for of, row in rows
    )
    return f"<details><summary>{label}</summary>\n{listed}\n</details>"


def setup_links(app: Sphinx) -> None:
    """Write the downloads of each page and the links to them."""
    app.add_node(download_links, html=(_visit, None))
    app.add_node(book_links, html=(_visit_books, None))
    app.connect("doctree-resolved", _write, priority=_BEFORE_TABS_ARE_MENDED)
    app.connect("doctree-resolved", _offer, priority=_AFTER)
    app.add_css_file("downloads.css")
