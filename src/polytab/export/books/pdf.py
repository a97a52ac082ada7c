"""One HTML page -> a PDF with running titles and page numbers, also in its list of contents.

Chromium knows on which page an element stands only when it has printed it. So it prints twice: the
numbers of the first PDF's link targets are written into the contents, where room for them was kept.
"""

from __future__ import annotations

import json
import logging
from io import BytesIO
from typing import TYPE_CHECKING

from polytab.errors import PolytabError, one_line
from polytab.export.books.front import CONTENTS
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from playwright.sync_api import Page

_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
_RUNNING = """
@page {{ @top-left {{ content: {title} }} @bottom-right {{ content: counter(page) }} }}
@page :first {{ @top-left {{ content: none }} @bottom-right {{ content: none }} }}
"""
# A style element would wait for a script that never runs.
_STYLE = """(rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
}"""
_NUMBER = """([of, pages]) => {
    for (const link of document.querySelectorAll(`.${of} a`)) {
        link.dataset.page = pages[link.hash.slice(1)];
    }
}"""


def print_pdf(html: Path, pdf: Path, title: str, browser: str) -> None:
    """Print a page that runs no JavaScript; `browser` is where Chromium lies.

    Raises PolytabError where Chromium fails, and where the numbers in the contents have changed the
    pages that they count.
    """
    from playwright.sync_api import Error  # noqa: PLC0415  # only those who export have it

    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # what fails is told once, by us
    try:
        printed = _print_numbered(html, pdf, title, browser)
    except Exception as error:
        if not isinstance(error, Error) and type(error) is not Exception:  # that is a lost driver's
            raise
        said = one_line(str(error).partition("\n")[0].strip())
        hint = "see that the temporary folder has room and the machine memory, and run it again"
        raise PolytabError(f"Chromium has failed: {said}", file=pdf, hint=hint) from None
    write_atomic(pdf, printed)


def _print_numbered(html: Path, pdf: Path, title: str, browser: str) -> bytes:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # as above

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=_FLAGS)
        page = chromium.new_page(java_script_enabled=False, color_scheme="light")
        page.goto(html.as_uri())
        page.evaluate(_STYLE, _RUNNING.format(title=json.dumps(title, ensure_ascii=False)))
        numbers = page_numbers(_print(page))
        page.evaluate(_NUMBER, [CONTENTS, numbers])
        printed = _print(page)
        chromium.close()
    if page_numbers(printed) != numbers:
        raise PolytabError("the page numbers have moved what they count", file=pdf)
    return printed


def page_numbers(pdf: bytes) -> Mapping[str, int]:
    """Return the page of each place that a link of the PDF leads to, by its id."""
    from pypdf import PdfReader  # noqa: PLC0415  # as above

    reader = PdfReader(BytesIO(pdf))
    found = {}
    for name, place in reader.named_destinations.items():
        number = reader.get_destination_page_number(place)
        if number is not None:
            found[name.removeprefix("/")] = number + 1
    return found


def _print(page: Page) -> bytes:
    """Print once; paper and margins are those of ebook.css."""
    return page.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
