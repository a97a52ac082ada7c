"""Files that stand for e-books which were made from a book as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.export.books.made import SUFFIXES, digest_sources, ebook_path, note_made
from polytab.model import PLAIN

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings


def lay_ebook(
    settings: Settings, code: str, framework: str | None, suffix: str, size: int = 2000
) -> Path:
    """Write a file of this size where the e-book of a language lies, and note it as current."""
    of = settings.framework(framework) if framework else None
    path = ebook_path(settings, settings.language(code), of, suffix)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    note_made(path, digest_sources(settings))
    return path


def lay_ebooks(settings: Settings) -> None:
    """Do so for each framework, in each language, in both formats."""
    for language in settings.languages:
        for each in settings.frameworks:
            for suffix in SUFFIXES if each.name != PLAIN else ():
                lay_ebook(settings, language.code, each.name, suffix, 5_000_000)
