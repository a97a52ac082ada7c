"""Finished e-books, and what each was made from: a note beside it, as `pt-torch.pdf.json`.

An e-book is current while the book, its history and the engine are as they were when it was begun,
and its file is the one that was noted. Modules that `conf.py` imports are not asked.

Law, guarded by tests/export/test_made.py: an e-book of which anything else can be said, or whose
note is damaged, is not current.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from polytab.export.books.ebook_pages import book_name
from polytab.git import last_commit_days
from polytab.model import digest, digest_path, engine_digest
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from polytab.model import Framework, Language
    from polytab.settings import Settings

EBOOKS = "books"
"""The folder, in the build's, that holds the e-books by language."""

SUFFIXES = (".epub", ".pdf")


def ebook_path(
    settings: Settings, language: Language, framework: Framework | None, suffix: str
) -> Path:
    """Return where a finished e-book lies, of one framework or of all."""
    return settings.build / EBOOKS / f"{book_name(language, framework)}{suffix}"


def note_path(ebook: Path) -> Path:
    """Return where it is noted what an e-book was made from."""
    return ebook.with_name(f"{ebook.name}.json")


def digest_sources(settings: Settings) -> str:
    """Return a digest of what e-books are made from: the book, its history and the engine.

    The addresses of the book are in it, because the environment may have said them.
    """
    days = last_commit_days(settings).items()  # the table of coverage shows those of catalogs
    parts = [
        engine_digest(),
        repr((settings.address, settings.repository)),
        repr(sorted((path.relative_to(settings.root).as_posix(), day) for path, day in days)),
    ]
    return digest("\n".join([*parts, *map(digest_path, settings.sources)]))


def note_made(ebook: Path, read: str) -> None:
    """Note that a finished e-book was made from what has this digest."""
    noted = json.dumps({"read": read, "ebook": digest_path(ebook)})
    write_atomic(note_path(ebook), f"{noted}\n".encode())


def forget_made(ebook: Path) -> None:
    """Remove an e-book and its note, where they are."""
    ebook.unlink(missing_ok=True)
    note_path(ebook).unlink(missing_ok=True)


def current_ebooks(settings: Settings, ebooks: Iterable[Path]) -> Mapping[Path, bytes]:
    """Return what the current ones among these e-books hold; a book without any digests nothing."""
    noted = [each for each in ebooks if note_path(each).is_file()]
    read = digest_sources(settings) if noted else ""
    found = {each: _content(each, read) for each in noted}
    return {each: content for each, content in found.items() if content is not None}


def _content(ebook: Path, read: str) -> bytes | None:
    """Return an e-book that was made from what has this digest; None for any other."""
    try:
        noted = json.loads(note_path(ebook).read_bytes())
        content = ebook.read_bytes()
    except (OSError, ValueError):
        return None
    return content if noted == {"read": read, "ebook": digest(content)} else None
