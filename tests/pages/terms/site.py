"""A tiny book with terms: what is introduced in sight, in a tab, in a fold, and nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.locale import translators

from polytab.settings import load_settings
from polytab.site.build import compile_translations
from polytab.translations.catalogs import Entry
from tests.support.built import build
from tests.support.handbook import FILES, write
from tests.translations.tongues import LANGUAGES, write_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings
    from tests.support.built import Built

PAGE = """\
# Speed

## Moving

The *bandwidth* is bytes per second.

The other is the *latency*.

:::::{tabs}
::::{group-tab} PyTorch
The *barrier* waits.
::::
:::::

:::{fold} For the curious
The *overhead* is the rest.
:::

### Below

The *shape* has sizes.
"""
TERMS = """\
["zebra"]
definition = "Bytes per second."
introduced = "speed#moving"
also = ["bandwidth", "zebras"]

["latency"]
definition = "Time to the first byte."
introduced = "speed#moving"
"""
GLOSSARY = """\
[terms]
zebra = { name = "带宽", also = ["内存带宽"] }
latency = ["延迟"]
"""
MESSAGES = (
    Entry("Moving", "搬运"),
    Entry("The *bandwidth* is bytes per second.", "*带宽*（bandwidth）指每秒字节数。"),
    Entry("The other is the *latency*.", "另一个是*延迟*。"),
)


def write_book(root: Path, terms: str = TERMS, page: str = PAGE) -> Settings:
    """Write the book; nothing of it is measured."""
    files = {name: text for name, text in FILES.items() if name in {"pyproject.toml", "conf.py"}}
    files["pyproject.toml"] += LANGUAGES
    files["docs/index.md"] = "# Book\n\n```{toctree}\nspeed\nterms\n```\n"
    files |= {"docs/speed.md": page, "docs/terms.md": "# Terms\n\n```{terms}\n```\n"}
    files |= {"docs/terms.toml": terms, "translations/zh_CN/glossary.toml": GLOSSARY}
    write(root, files)
    settings = load_settings(root)
    settings.snippets.mkdir(exist_ok=True)
    zh = settings.language("zh")
    write_catalog(settings, zh, "speed", *MESSAGES)
    write_catalog(settings, zh, "terms", Entry("Bytes per second.", "每秒字节数。"))
    return settings


def built_in(settings: Settings, code: str) -> Built:
    """Build the book in one language, again where it was built before."""
    compile_translations(settings, settings.languages)
    translators.clear()
    try:
        return build(settings.root, language=settings.language(code).locale)
    finally:
        translators.clear()
