"""Given the handbook as it is, when its readers search, then the right section comes first."""

from __future__ import annotations

import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from polytab.search.index import FOLDER, index_sections
from polytab.site.html import parse
from polytab.site.page import read_page
from tests.browser.served import serve

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from playwright.sync_api import Locator, Page

    from tests.browser.served import Server

QUERIES = Path(__file__).parent / "queries"
"""What readers type, and the sections that answer it, in a file for each language."""

LANGUAGES = ("en", "zh", "pt")

ANSWERED = 33
"""As many of the forty, at least, are answered by one of the first three sections.

Of the rest most wait for names of terms: readers say `faster`, the pages `gain`.
"""

FIRST = 25
"""As many, at least, are answered by the first."""

NAMES = {
    "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
    "torch.compile": "compilers.html?tab=torch#compile-torch",
    "tf.function": "compilers.html?tab=tensorflow#compile-tensorflow",
    "TracerArrayConversionError": "capturing.html?tab=jax#numpy-jax",
}


def test_the_way_to_a_section_is_told(handbook: Server, page: Page) -> None:
    page.goto(handbook.url("measuring"))
    page.keyboard.press("Control+k")
    page.get_by_role("searchbox").fill("fold constants")
    above = page.locator(".search-hits li:first-child .search-above")
    expect(above).to_have_text("Compilers and interpreters › What a compiler may do")


def ask(page: Page, words: str) -> None:
    """Ask in the open dialog, and wait for the answer."""
    page.get_by_role("searchbox").fill(words)
    box = page.locator(".search-found")
    expect(box).to_have_attribute("aria-busy", "false", timeout=30_000)  # the first loads the index


@cache
def sections(page: Path) -> dict[str, str]:
    """Name the section that each id of a page stands in."""
    found: dict[str, str] = {}

    def look(element: ET.Element, section: str) -> None:
        if element.tag == "section":
            section = element.get("id", section)
        found.setdefault(element.get("id", ""), section)
        for each in element:
            look(each, section)

    article = next(parse(page.name, page.read_bytes()).iter("article"))
    look(article, next(article.iter("section")).get("id", ""))
    return found


def found(handbook: Server, page: Page, language: str) -> list[str]:
    """Return the sections that are shown, as page#section."""
    addresses = [urlsplit(str(each.get_attribute("href"))) for each in hits(page).all()]
    names = [Path(each.path).stem for each in addresses]
    return [
        f"{name}#{sections(handbook.folder / language / f'{name}.html')[each.fragment]}"
        for name, each in zip(names, addresses, strict=True)
    ]


def article_of(markup: str) -> str:
    """Return the article in the markup of a page."""
    return markup.partition("<article")[2].partition("</article>")[0]


def hits(page: Page) -> Locator:
    return page.locator(".search-hits a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_of_the_first_three_sections_answers(
    handbook: Server, page: Page, language: str
) -> None:
    """Slow: each of forty queries is typed, and a reader's pause is waited for."""
    asked = tomllib.loads((QUERIES / f"{language}.toml").read_text("utf-8"))
    page.goto(handbook.url("measuring", language))
    page.keyboard.press("Control+k")
    places = {}
    for words, answers in (each for kind in asked.values() for each in kind.items()):
        ask(page, words)
        shown = found(handbook, page, language)
        right = [place for place, each in enumerate(shown) if each in answers]
        places[words] = (right[0] if right else len(shown)) if answers else 3 * len(shown)
    missed = sorted(words for words, place in places.items() if place > 2)
    assert len(places) - len(missed) >= ANSWERED, missed
    assert sum(place == 0 for place in places.values()) >= FIRST


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_found_in_the_tab_that_introduces_it(
    handbook: Server, page: Page, language: str
) -> None:
    page.goto(handbook.url("measuring", language))
    page.keyboard.press("Control+k")
    for words, section in NAMES.items():
        ask(page, words)
        address = handbook.url("x", language)[:-6] + section
        expect(hits(page).first, words).to_have_attribute("href", address)
        expect(hits(page).first.locator("mark").first).to_be_visible()


def test_every_page_that_has_a_name_is_found_by_it(handbook: Server, page: Page) -> None:
    page.goto(handbook.url("measuring"))
    page.keyboard.press("Control+k")
    ask(page, "block_until_ready")
    more = page.locator(".search-more")
    while more.is_visible():
        shown = hits(page).count()
        more.click()
        expect(hits(page)).not_to_have_count(shown)
    names = {each.partition("#")[0] for each in found(handbook, page, "en")}
    texts = {each.stem: each.read_text("utf-8") for each in (handbook.folder / "en").glob("*.html")}
    having = {name for name, text in texts.items() if "block_until_ready" in article_of(text)}
    assert names == having


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tourch.compile", "Results for “torch.compile”:"),
        ("asyncronous executoin", "Results for “asynchronous execution”:"),
        ("tensorrt engine", "On no page: “tensorrt”"),
    ],
)
def test_a_typo_is_forgiven_and_a_word_that_is_nowhere_is_named(
    handbook: Server, page: Page, words: str, said: str
) -> None:
    page.goto(handbook.url("measuring"))
    page.keyboard.press("Control+k")
    ask(page, words)
    expect(page.locator(".search-said")).to_contain_text(said)
    expect(hits(page)).not_to_have_count(0)


def test_where_nothing_is_found_the_nearest_words_are_offered(handbook: Server, page: Page) -> None:
    page.goto(handbook.url("measuring"))
    page.keyboard.press("Control+k")
    ask(page, "onnx")
    near = page.locator(".search-near")
    expect(near.get_by_role("link", name="All chapters")).to_be_visible()
    expect(near.get_by_role("button")).to_have_count(0)
    ask(page, "hybrdise")
    offered = near.get_by_role("button", name="hybridize")
    page.keyboard.press("ArrowDown")
    expect(near.get_by_role("button").first).to_be_focused()
    offered.click()
    expect(near).to_be_hidden()
    expect(hits(page)).not_to_have_count(0)
    expect(page.get_by_role("searchbox")).to_have_value("hybridize")


def chapter(title: str, text: str) -> str:
    """Write a page that can be found."""
    article = f"<section id=top><h1>{title}</h1><p>{text}</p></section>"
    return f"<html lang=en><body><article data-pagefind-body>{article}</article></body></html>"


RANKED = {
    "it.html": chapter("Hybridize", "Of other things."),
    "has.html": chapter("What hybridize leaves out", "Nothing."),
    "tour.html": chapter("First", f"To <em>hybridize</em> is this.{' Many more words.' * 30}"),
    "again.html": chapter("Second", "To <em>hybridize</em>, to <em>hybridize</em> again."),
    "much.html": chapter("Much of it", "We hybridize, and hybridize once more. " * 9),
    "root.html": chapter("Hybrid programming", "Of hybrids."),
}
"""Chapters as they answer to `hybridize`."""


def test_what_is_named_so_goes_before_what_speaks_of_it(
    site: Server, page: Page, tmp_path: Path
) -> None:
    shutil.copytree(site.folder, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "en"
    home = (folder / "index.html").read_text(encoding="utf-8")
    for path in folder.glob("*.html"):
        path.unlink()
    shutil.rmtree(folder / FOLDER)
    read = [read_page(f"en/{name}", markup.encode()) for name, markup in RANKED.items()]
    documents = [section for each in read for section in each.sections]
    for name, content in index_sections(documents, "en").items():
        (folder / FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / FOLDER / name).write_bytes(content)
    (folder / "index.html").write_text(home, encoding="utf-8")
    with serve(tmp_path) as server:
        page.goto(server.url("index"))
        page.keyboard.press("Control+k")
        ask(page, "hybridize")
        shown = [each.get_attribute("href") for each in hits(page).all()]
        assert shown[:2] == [server.top(f"/en/{name}") for name in ("it.html", "has.html")]
        assert set(shown) == {server.top(f"/en/{name}") for name in RANKED}
