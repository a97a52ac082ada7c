"""The search index of one language, made by Pagefind from the pages as they were written.

What a reader finds is a section: each is a document of its own for Pagefind, which so ranks
sections. A section's own words come first, then those of its tabs. Anchors say the rest, and
`static/hits.js` reads them: `at|address`, `above|titles` and `tab|id|framework|title`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote

from bs4 import BeautifulSoup, Tag

from polytab.errors import PolytabError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLDER = "pagefind"
MARK = "data-pagefind-body"
"""On the article of a page that is to be found; `pages.search` puts it there."""

_SILENT = (
    ".headerlink, .caption-number, .std-numref, .chooser, .tab-absence, .tab-title, .provenance, "
    "[role=tablist], svg, .device-switch, .device-title, .device-absence"
)
"""What stands in an article and is none of its words."""

_WEIGHTS = {
    "li, td": 0.5,
    "pre": 0.1,
    "a.external": 0.2,
    "section > p em, .sphinx-tabs-panel > p em": 4.0,
    "section > p code, .sphinx-tabs-panel > p code": 2.0,
    "a.external > code": 8.0,
}
"""What is more to the point than plain words, and what less."""

_SPARE = ("pagefind-*ui.*", "pagefind-highlight.js")
"""What Pagefind brings for those who have no dialog of their own."""


def index_pages(folder: Path, tag: str) -> int:
    """Index the pages in a folder, in the language of this tag; return how many sections."""
    found = [each for page in sorted(folder.glob("**/*.html")) for each in split(page, folder, tag)]
    index = folder / FOLDER
    shutil.rmtree(index, ignore_errors=True)
    if found:
        _run_pagefind(found, index)
    for path in (spare for pattern in _SPARE for spare in index.glob(pattern)):
        path.unlink()
    return len(found)


def _run_pagefind(sections: Sequence[str], index: Path) -> None:
    """Have the program read the sections: its Python API stops it before all is written."""
    with TemporaryDirectory() as scratch:
        for number, section in enumerate(sections):
            Path(scratch, f"{number:05}.html").write_text(section, encoding="utf-8")
        command = ["--site", scratch, "--output-path", str(index.resolve()), "--silent"]
        ran = subprocess.run(
            [sys.executable, "-m", "pagefind", *command],
            check=False,
            cwd=scratch,  # it reads settings of its own from where it stands
            capture_output=True,
            encoding="utf-8",
        )
    if ran.returncode != 0:
        said = (ran.stdout + ran.stderr).strip()
        raise PolytabError(f"Pagefind could not index the pages: {said}", file=index)


def split(page: Path, folder: Path, tag: str) -> Iterator[str]:
    """Give the sections of a page in order, each as a page; one not to be found has none."""
    text = page.read_text(encoding="utf-8")
    article = BeautifulSoup(text, "html.parser").select_one(f"article[{MARK}]")
    if article is None:
        return
    _name_panels(article)
    for each in article.select(_SILENT):
        each.decompose()
    for selector, weight in _WEIGHTS.items():
        for each in article.select(selector):
            each["data-pagefind-weight"] = str(weight)
    address = page.relative_to(folder).as_posix()
    all_sections = article.select("section[id]")
    trails = [_trail(each) for each in all_sections]
    for each in all_sections:
        each.extract()
    for number, (section, trail) in enumerate(zip(all_sections, trails, strict=True)):
        place = f"{address}#{section['id']}" if number else address
        yield _markup(section, place, trail, tag)


def _name_panels(article: Tag) -> None:
    """Give each panel an id that says all a hit in it must tell: its own, the name, the title."""
    for block in article.select(".sphinx-tabs"):
        tabs = block.select(":scope > [role=tablist] > [data-tab]")
        panels = block.select(":scope > [role=tabpanel][id]")
        for tab, panel in zip(tabs, panels, strict=True):
            panel["id"] = _note("tab", panel["id"], tab["data-tab"], tab.get_text(strip=True))


def _note(*parts: object) -> str:
    """Write an anchor's name; it is quoted because Pagefind takes the spaces out."""
    return "|".join(quote(str(part)) for part in parts)


def _trail(section: Tag) -> tuple[str, ...]:
    """Return the headings that lead to a section, its own last."""
    around = [section, *(each for each in section.parents if each.name == "section")]
    headings = [each.find(_is_heading, recursive=False) for each in reversed(around)]
    return tuple(each.get_text().strip() for each in headings if each is not None)


def _is_heading(tag: Tag) -> bool:
    return tag.name in {"h1", "h2", "h3", "h4", "h5", "h6"}


def _markup(section: Tag, address: str, trail: Sequence[str], tag: str) -> str:
    """Write a section as a page of its own: its heading is the title, its tabs come last."""
    heading = section.find(_is_heading, recursive=False)
    if isinstance(heading, Tag):
        heading["data-pagefind-meta"] = "title"
    # Not as metadata, which Pagefind searches, nor as filters, which it writes in any order.
    notes = (_note("at", address), _note("above", " › ".join(trail[:-1])))
    spans = "".join(f'<span id="{note}"></span>' for note in notes)
    panels = "".join(str(each.extract()) for each in section.select("[role=tabpanel][id]"))
    return f'<html lang="{escape(tag)}"><body>{spans}{section}{panels}</body></html>'
