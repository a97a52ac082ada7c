"""The words that are ours and not a page's: notices, labels, and those the theme leaves in English.

They are kept in `src/polytab/locale/`, apart from the handbook's catalogs, and compiled here.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from sphinx.locale import get_translation

from polytab.pages.shelf import shelf

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

CATALOG = "polytab"
_LOCALE = Path(__file__).parent.parent / "locale"

translate = get_translation(CATALOG)
"""Give a word in the page's language; imported as `_` so that extractors find it."""


def setup_words(app: Sphinx) -> None:
    """Load our catalogs once the language is known."""
    app.connect("config-inited", _load)


def _load(app: Sphinx, config: Config) -> None:
    """Compile the words of this language into a folder that Sphinx reads."""
    words = shelf(app).settings.build / "words"
    for path in sorted((_LOCALE / config.language).rglob("*.po")):
        content = BytesIO()
        write_mo(content, read_po(BytesIO(path.read_bytes()), abort_invalid=True))
        target = words / path.relative_to(_LOCALE).with_suffix(".mo")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.getvalue())
    config.locale_dirs = [*config.locale_dirs, str(words)]
    app.add_message_catalog(CATALOG, str(words))
