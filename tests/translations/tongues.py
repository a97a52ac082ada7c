"""The tiny handbook in three languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.settings import load_settings
from tests.handbook import FILES, write

if TYPE_CHECKING:
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
