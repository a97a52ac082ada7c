"""The words that are ours and not a page's: notices, labels, the theme's own.

They are kept in `src/polytab/locale/`, apart from the handbook's catalogs, and compiled with them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.locale import get_translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

CATALOG = "polytab"
LOCALE = Path(__file__).parent.parent / "locale"

translate = get_translation(CATALOG)
"""Give a word in the page's language; imported as `_` so that extractors find it."""


def setup_words(app: Sphinx) -> None:
    """Load our catalog once the language is known."""
    app.connect("config-inited", _load)


def _load(app: Sphinx, config: Config) -> None:
    for folder in config.locale_dirs:
        app.add_message_catalog(CATALOG, str(Path(app.srcdir) / folder))
