"""Given a printed page, then what names a thing stands above it, and never alone at the foot."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader

import polytab
from polytab.export.books.pdf import print_pdf
from tests.browser.conftest import CHROMIUM

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.served import Server

_STATIC = ("export/static/ebook.css", "theme/static/article.css")
_FILLED = range(40, 230, 3)
"""Heights, in mm, of what stands above: with one of them a heading falls on the foot of a page."""


def pages_of(pdf: Path, kind: str) -> dict[str, int]:
    """Return the page of each numbered text of a kind, as `Heading 17`."""
    found: dict[str, int] = {}
    for number, page in enumerate(PdfReader(pdf).pages):
        for each in re.findall(rf"{kind} (\d+)", page.extract_text()):
            found[each] = number
    return found


@pytest.mark.parametrize(
    "named",
    [
        "<h2>Heading {0}</h2>",
        '<h3>Heading {0}</h3><p class="tab-title">A framework</p>',
        '<div><p class="tab-title">Heading {0}</p></div>',
    ],
)
def test_what_names_a_thing_is_on_its_page(tmp_path: Path, named: str) -> None:
    sheets = [Path(polytab.__file__).parent / each for each in _STATIC]
    links = "".join(f'<link rel="stylesheet" href="{each.as_uri()}">' for each in sheets)
    parts = "".join(
        f'<section style="break-before: page"><div style="height: {height}mm"></div>'
        f'{named.format(height)}<div class="highlight"><pre>Body {height}\nof\na\nfew\nlines'
        "</pre></div></section>"
        for height in _FILLED
    )
    html, pdf = tmp_path / "page.html", tmp_path / "page.pdf"
    html.write_text(f"<!doctype html>{links}<article>{parts}</article>", encoding="utf-8")
    assert CHROMIUM is not None
    with ThreadPoolExecutor(1) as apart:  # Playwright starts once in a thread, and here it has
        apart.submit(print_pdf, html, pdf, "A title", CHROMIUM).result()
    headings, bodies = pages_of(pdf, "Heading"), pages_of(pdf, "Body")
    assert len(headings) == len(_FILLED)
    assert headings == bodies


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_no_heading_of_a_printed_page_stands_at_its_foot(
    handbook: Server, open_page: Open, tmp_path: Path, paper: str
) -> None:
    with open_page() as page:
        page.goto(handbook.url("compiling-in-depth", tab="torch"))
        headings = page.locator("article :is(h1, h2, h3)").count()
        page.pdf(path=tmp_path / "page.pdf", format=paper, outline=True, tagged=True)
    book = PdfReader(tmp_path / "page.pdf")
    lowest = [_lowest(book, number) for number in range(len(book.pages))]
    places = list(_places(book))
    assert len(places) == headings > 10  # one of the longest
    for title, number, top in places:
        assert lowest[number] < top - 30, title


def _places(book: PdfReader) -> list[tuple[str, int, float]]:
    """Return each heading with its page and its height on it."""
    found: list[tuple[str, int, float]] = []
    waiting: list[Any] = [*book.outline]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, list):
            waiting = [*each, *waiting]
            continue
        number = book.get_destination_page_number(each)
        if number is not None and each.top is not None:
            found.append((str(each.title), number, float(each.top)))
    return found


def _lowest(book: PdfReader, number: int) -> float:
    """Return how low the lowest text of a page stands."""
    heights: list[float] = []

    def note(text: str, page: list[float], own: list[float], _font: object, _size: object) -> None:
        if text.strip():
            heights.append(own[4] * page[1] + own[5] * page[3] + page[5])

    book.pages[number].extract_text(visitor_text=note)
    return min(heights, default=0.0)
