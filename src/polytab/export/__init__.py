"""Downloads and e-books: a Sphinx extension beside `polytab.pages`.

Notebooks and plain scripts are written with the pages, from the same documents and recordings, in
the folder `downloads` of each language; the builders of e-books change the documents a little. What
they made of these very pages is offered with the pages, in the folder `books`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.export.books.ebook_pages import setup_ebook_pages
from polytab.export.books.epub import setup_epub
from polytab.export.books.front import setup_front
from polytab.export.books.offered import setup_offered
from polytab.export.books.one_framework import setup_one_framework
from polytab.export.links import setup_links
from polytab.pages.assets import add_static

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up the downloads of each page, and the e-books."""
    app.setup_extension("polytab.pages")
    add_static(app, Path(__file__).parent / "static")
    setup_links(app)
    setup_one_framework(app)
    setup_ebook_pages(app)
    setup_front(app)
    setup_epub(app)
    setup_offered(app)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
