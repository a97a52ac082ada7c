"""Every check of the English pages and their drawings; nothing is built, nothing runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.model import Finding
from polytab.pages.drawing import check_drawings
from polytab.pages.markdown.allowed import find_refused, refused_file
from polytab.pages.markdown.claims import claims_of
from polytab.pages.markdown.missing_branches import check_branches
from polytab.pages.markdown.questions import check_questions
from polytab.pages.markdown.toctrees import find_circles
from polytab.pages.markdown.translatable import lint_source

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from polytab.settings import Settings


def check_pages(settings: Settings) -> Iterator[Finding]:
    """Find what pages and drawings may not hold; `contributing/`, for builders, is not read."""
    yield from _check_files(settings.docs)
    yield from check_drawings(settings.docs)
    pages: dict[Path, str] = {}
    for path in sorted(settings.docs.rglob("*.md")):
        if path.relative_to(settings.docs).parts[0] == "contributing":
            continue
        text = yield from _text_of(path)
        if text is not None:
            pages[path] = text
            yield from _check_page(settings, path, text)
    yield from find_circles(settings.docs, pages)


def _check_files(docs: Path) -> Iterator[Finding]:
    for path in sorted(docs.rglob("*")):
        if said := refused_file(path, path.relative_to(docs).as_posix()):
            yield Finding(path, None, "outside", f"it {said}")


def _text_of(path: Path) -> Generator[Finding, None, str | None]:
    """Return the text of a page, or give a finding that says why it has none."""
    if path.is_symlink() or not path.is_file():
        return None
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        yield Finding(path, None, "unreadable", f"the page cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        yield Finding(path, None, "utf-8", f"the page is not UTF-8: {error.reason}")
    return None


def _check_page(settings: Settings, path: Path, text: str) -> Iterator[Finding]:
    yield from find_refused(settings.docs, path)
    yield from check_branches(path, text)
    yield from check_questions(path, text)
    yield from claims_of(path, text)
    yield from lint_source(path)
