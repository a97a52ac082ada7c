"""The tiny handbook in three languages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polytab.recordings.atomic import write_atomic
from polytab.settings import load_settings
from polytab.translations.catalogs import (
    Entry,
    Template,
    catalog_path,
    catalog_text,
)
from polytab.translations.pairing import update_catalog
from tests.support.handbook import FILES, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

LANGUAGES = """
[tool.polytab.languages.zh]
name = "简体中文"
locale = "zh_CN"
tag = "zh-CN"

[tool.polytab.languages.pt]
name = "Português do Brasil"
locale = "pt_BR"
tag = "pt-BR"
"""


def with_languages(settings: Settings) -> Settings:
    """Name the languages in the tiny handbook's settings, and read these again."""
    write(settings.root, {"pyproject.toml": FILES["pyproject.toml"] + LANGUAGES})
    return load_settings(settings.root)


CONF = """\
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}  # Sphinx's own dict has what earlier sites of a process added
exclude_patterns = ["private"]
gettext_allow_fuzzy_translations = True
html_theme = "basic"
"""


def with_pages(settings: Settings, pages: Mapping[str, str]) -> Settings:
    """Write pages of text alone, which plain Sphinx can read."""
    for path in settings.docs.glob("*.md"):
        path.unlink()
    write(settings.root, {"conf.py": CONF})
    write(settings.docs, {f"{name}.md": text for name, text in pages.items()})
    return settings


def write_catalog(settings: Settings, language: Language, name: str, *entries: Entry) -> Path:
    """Write the catalog a translator would have, and return its path."""
    template = Template(name, tuple(Entry(each.source) for each in entries))
    catalog = update_catalog(None, template, language.locale, settings.title)
    path = catalog_path(settings, language, name)
    write_atomic(path, catalog_text(replace(catalog, entries=entries)).encode())
    return path
