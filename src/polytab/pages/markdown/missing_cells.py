"""What can be said of pages without building them: whether they call cells that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.model import Finding
from polytab.pages.markdown.walk import walk
from polytab.scripts.load import load_scripts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.settings import Settings


def check_cells(settings: Settings) -> tuple[Finding, ...]:
    """Find calls of cells that no script has, cells that no page shows, and missing pages."""
    return tuple(_findings(settings))


def missing_cell_message(page: str, label: str) -> str:
    """Return the message that a page calls a cell that no script has."""
    return f"no script of page `{page}` has a cell `{label}`"


def _findings(settings: Settings) -> Iterator[Finding]:
    scripts = load_scripts(settings)
    for page in sorted({*settings.pages_with_scripts(), *(path.stem for path in _pages(settings))}):
        own = [script for script in scripts if script.page == page]
        known = {cell.label for script in own for cell in script.cells}
        called: set[str] = set()
        path = settings.docs / f"{page}.md"
        if not path.is_file():
            yield Finding(settings.snippets / page, None, "page", f"there is no docs/{page}.md")
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            yield Finding(path, None, "utf-8", f"the page is not UTF-8: {error.reason}")
            continue
        for label, line in _calls(text):
            if label in known:
                called.add(label)
            else:
                yield Finding(path, line, "unknown-cell", missing_cell_message(page, label))
        for script in own:
            for cell in script.cells:
                if cell.label not in called:
                    message = f"the page shows `{cell.label}` nowhere"
                    yield Finding(script.path, cell.line, "unused-cell", message)


def _calls(text: str) -> Iterator[tuple[str, int]]:
    """Find the label and the line of each cell that a page calls."""
    for block in walk(text):
        if block.directive and block.directive.name == "snippet":
            yield block.directive.argument, block.line


def _pages(settings: Settings) -> Iterator[Path]:
    yield from settings.docs.glob("*.md")
