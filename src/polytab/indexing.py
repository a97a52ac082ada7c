"""The search index of one language, made by Pagefind from the pages as they were written.

What a reader finds is a section: each is a document of its own for Pagefind, which so ranks
sections. A section's own words come first, then those of its tabs, each behind an anchor that
names the tab. `static/hits.js` reads these anchors.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup, Tag
from pagefind.index import PagefindIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FOLDER = "pagefind"
MARK = "data-pagefind-body"
"""On the article of a page that is to be found; `pages.search` puts it there."""

_SILENT = ".headerlink, .chooser, .tab-absence, .tab-title, .provenance, [role=tablist], svg"
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


@dataclass(frozen=True)
class Section:
    """A section as Pagefind is to read it, and where it stands."""

    address: str
    markup: str


def index_pages(folder: Path, tag: str) -> int:
    """Index the pages in a folder, in the language of this tag; return how many sections."""
    found = [each for page in sorted(folder.glob("**/*.html")) for each in split(page, folder, tag)]
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    asyncio.run(_write(found, folder / FOLDER))
    for path in (spare for pattern in _SPARE for spare in (folder / FOLDER).glob(pattern)):
        path.unlink()
    return len(found)


async def _write(found: Sequence[Section], to: Path) -> None:
    async with PagefindIndex({"output_path": str(to)}) as index:
        for each in found:
            await index.add_html_file(content=each.markup, url=each.address)


def split(page: Path, folder: Path, tag: str) -> Iterator[Section]:
    """Give the sections of a page in order; a page that is not to be found has none."""
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
        yield Section(place, _markup(section, trail, tag))


def _name_panels(article: Tag) -> None:
    """Give each panel an id that says all a hit in it must tell: its own, the name, the title."""
    tabs = {str(each["id"]): each for each in article.select("[data-tab][id]")}
    for panel in article.select("[role=tabpanel][id]"):
        tab = tabs.get(str(panel["aria-labelledby"]))
        if tab is not None:
            panel["id"] = f"{panel['id']}|{tab['data-tab']}|{tab.get_text(strip=True)}"


def _trail(section: Tag) -> tuple[str, ...]:
    """Return the headings that lead to a section, its own last."""
    around = [section, *(each for each in section.parents if each.name == "section")]
    headings = [each.find(_is_heading, recursive=False) for each in reversed(around)]
    return tuple(each.get_text(strip=True) for each in headings if each is not None)


def _is_heading(tag: Tag) -> bool:
    return tag.name in {"h1", "h2", "h3", "h4", "h5", "h6"}


def _markup(section: Tag, trail: Sequence[str], tag: str) -> str:
    """Write a section as a page of its own: its heading is the title, its tabs come last."""
    page = BeautifulSoup("<html><body></body></html>", "html.parser")
    html, body = page.html, page.body
    assert html is not None  # it stands in the line above
    assert body is not None
    html["lang"] = tag
    heading = section.find(_is_heading, recursive=False)
    if isinstance(heading, Tag):
        heading["data-pagefind-meta"] = "title"
    above = page.new_tag("span", attrs={"data-pagefind-filter": "above[data-above]"})
    above["data-above"] = " › ".join(trail[:-1])
    panels = [each.extract() for each in section.select("[role=tabpanel][id]")]
    body.extend([above, section, *panels])
    return str(page)
