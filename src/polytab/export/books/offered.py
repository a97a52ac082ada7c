"""The e-books that a site offers, in the folder `books` of each language.

They are those of `_build/books/` that were made from exactly what the pages are made from
(`made.py`). They are laid beside the pages before any of these is written, so that a link is
written to what is there, and published like all that a page links to. A preview has none.

Law, guarded by tests/export/test_offered.py: no page offers an e-book that is older than the pages,
or one that is no longer there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.export.books.ebook_pages import book_name
from polytab.export.books.made import (
    SUFFIXES,
    current_ebooks,
    ebook_path,
    note_path,
)
from polytab.model import PLAIN
from polytab.pages.inputs import inputs_of
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from polytab.model import Framework

OFFERED = "books"
"""The folder of each language for the e-books that are offered."""

_SHOWN = "polytab_ebooks"
"""The key, in the metadata of a page, of the e-books that were offered when it was written."""


@dataclass(frozen=True)
class OfferedBook:
    """An e-book beside the pages of its language."""

    path: str
    """Its path in the folder of the language."""

    kind: str
    """What its format is called."""

    size: int
    """Its bytes."""


def book_frameworks(app: Sphinx) -> tuple[Framework | None, ...]:
    """Return the frameworks that there may be a book of; None, for a book of all, is the last."""
    known = inputs_of(app).settings.frameworks
    return (*(each for each in known if each.name != PLAIN), None)


def offered_books(app: Sphinx, framework: Framework | None) -> tuple[OfferedBook, ...]:
    """Return the e-books that are offered of a framework, or of all frameworks."""
    if not _offers(app):
        return ()
    name = book_name(inputs_of(app).language(app), framework)
    paths = [Path(app.outdir, OFFERED, f"{name}{suffix}") for suffix in SUFFIXES]
    return tuple(
        OfferedBook(f"{OFFERED}/{path.name}", path.suffix[1:].upper(), path.stat().st_size)
        for path in paths
        if path.is_file()
    )


def _offers(app: Sphinx) -> bool:
    return app.builder.name == "html" and not app.config.polytab_preview


def _lay(app: Sphinx) -> None:
    """Lay the e-books that are current beside the pages, and remove those that were."""
    if not _offers(app):
        return
    inputs = inputs_of(app)
    settings, language = inputs.settings, inputs.language(app)
    ebooks = [
        ebook_path(settings, language, framework, suffix)
        for framework in book_frameworks(app)
        for suffix in SUFFIXES
    ]
    inputs.beside.update(map(note_path, ebooks))  # another e-book has another note
    current = current_ebooks(settings, ebooks)
    for each in ebooks:
        beside = Path(app.outdir, OFFERED, each.name)
        if each in current:
            write_atomic(beside, current[each])
        else:
            beside.unlink(missing_ok=True)


def _offering_others(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Name the pages that were written when other e-books were offered."""
    if not _offers(app):
        return []
    now = [offered_books(app, each) for each in book_frameworks(app)]
    found = [page for page in sorted(env.found_docs) if env.metadata[page].get(_SHOWN) != now]
    for page in found:
        env.metadata[page][_SHOWN] = now
    return found


def setup_offered(app: Sphinx) -> None:
    """Lay e-books beside the pages, and have pages written that offer others."""
    app.connect("builder-inited", _lay)
    app.connect("env-updated", _offering_others)
