"""polytab: books whose snippets exist in several libraries, are really run, and are translated.

From the ground up: `errors`, `model`, `settings` and `git`; `scripts`, what people write;
`recordings`, what machines wrote; `interface` and `translations`, the languages; `search` and
`theme`; `pages`, a Sphinx extension that shows recordings, and `runner`, which makes them; `site`
and `export`, what readers get; `cli`. docs/contributing/architecture.md has the drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__version__ = "0.2.0"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up the pages of a book and what readers can download: `extensions = ["polytab"]`."""
    for extension in ("polytab.pages", "polytab.export"):
        app.setup_extension(extension)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
