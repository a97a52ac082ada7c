"""The words that no page holds: our notices, the theme's own, and the names in benchmarks.

Ours and the theme's are kept in `src/polytab/locale/`, apart from the handbook's catalogs. The
names that authors gave to benchmarks and cases are translated with the comments of their scripts.
"""

from __future__ import annotations

import gettext
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from sphinx.locale import get_translation, translators

from polytab.pages.shelf import shelf

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

CATALOG = "polytab"
THEME = "sphinx"
LABELS = "polytab-labels"
OF = "\x04"
"""What stands between a page and a name of its benchmarks, as gettext sets a context apart."""
_LOCALE = Path(__file__).parent.parent / "locale"

translate = get_translation(CATALOG)
"""Give a word in the page's language; imported as `_` so that extractors find it."""


def setup_words(app: Sphinx) -> None:
    """Load our catalogs once the language is known."""
    app.connect("config-inited", _load)


def _load(app: Sphinx, config: Config) -> None:
    """Compile the words of this language into a folder that Sphinx reads."""
    words = shelf(app).settings.build / "words"
    folder = words / config.language / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((_LOCALE / config.language).rglob("*.po")):
        catalog = read_po(BytesIO(path.read_bytes()), abort_invalid=True)
        _compile(catalog, folder / f"{path.stem}.mo")
    names = Catalog()
    for page in shelf(app).settings.page_names():
        for source, translation in shelf(app).comments(page, shelf(app).language(app)).items():
            names.add(f"{page}{OF}{source}", translation)
    _compile(names, folder / f"{LABELS}.mo")
    for name in (CATALOG, LABELS):
        app.add_message_catalog(name, str(words))
    _put_first(app, words)


def _put_first(app: Sphinx, words: Path) -> None:
    """Ask our words for the theme before Sphinx's own, which were loaded before any extension."""
    ours = gettext.translation(THEME, words, [app.config.language], fallback=True)
    ours.add_fallback(app.translator)
    app.translator = translators["general", THEME] = ours


def _compile(catalog: Catalog, path: Path) -> None:
    content = BytesIO()
    write_mo(content, catalog)
    path.write_bytes(content.getvalue())
