"""What a reader takes away: a Sphinx extension beside `polytab.pages`.

Notebooks and plain scripts are written with the pages, from the same documents and recordings, in
the folder `take` of each language.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.export.control import setup_control
from polytab.export.epub import setup_epub
from polytab.export.linear import setup_linear
from polytab.pages.assets import add_static

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up what is offered beside the pages."""
    app.setup_extension("polytab.pages")
    add_static(app, Path(__file__).parent / "static")
    setup_control(app)
    setup_linear(app)
    setup_epub(app)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
