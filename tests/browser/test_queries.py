"""Given the handbook as it is, when its readers search, then the right section comes first."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from polytab.search.index import FOLDER, index_sections
from polytab.site.page import read_page
from tests.browser.served import serve

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.served import Server

RIGHT = {
    "en": {
        "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
        "torch.compile": "compilers.html?tab=torch#compile-torch",
        "tf.function": "compilers.html?tab=tensorflow#compile-tensorflow",
        "symbolic": "compilers.html#the-program-as-data",
        "compiler": "compilers.html",
        "dead code": "compilers.html#leave-out-and-free",
        "tracing": "compilers.html#what-tracing-leaves-out",
        "warm up": "measuring.html#warming-up",
        "warming up": "measuring.html#warming-up",
        "TracerArrayConversionError": "compilers.html?tab=jax#numpy-jax",
    },
    "zh": {
        "编译器": "compilers.html",
        "符号式编程": "compilers.html#the-program-as-data",
        "计算图": "compilers.html?tab=torch#program-torch",
        "图": "compilers.html?tab=torch#compile-torch",
        "编译器 性能": "compilers.html#what-compiling-gains",
        "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
        "torch.compile": "compilers.html?tab=torch#compile-torch",
        "追踪": "compilers.html#what-tracing-leaves-out",
    },
    "pt": {
        "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
        "computacao": "compilers.html?tab=tensorflow#program-tensorflow",
        "simbolico": "compilers.html#the-program-as-data",
        "otimização": "compilers.html#in-place-updates",
        "otimizacao": "compilers.html#in-place-updates",
        "torch.compile": "compilers.html?tab=torch#compile-torch",
        "rastreamento": "compilers.html#what-tracing-leaves-out",
    },
}


def test_the_way_to_a_section_is_told(handbook: Server, page: Page) -> None:
    page.goto(handbook.url("measuring"))
    page.keyboard.press("Control+k")
    page.get_by_role("searchbox").fill("fold constants")
    above = page.locator(".search-hits li:first-child .search-above")
    expect(above).to_have_text("Compilers and interpreters › What a compiler may do")


@pytest.mark.parametrize("language", RIGHT)
def test_the_right_section_comes_first(handbook: Server, page: Page, language: str) -> None:
    page.goto(handbook.url("measuring", language))
    page.keyboard.press("Control+k")
    for words, section in RIGHT[language].items():
        page.get_by_role("searchbox").fill(words)
        first = page.locator(".search-hits li:first-child a")
        expect(first, words).to_have_attribute("href", handbook.url("x", language)[:-6] + section)
        expect(first.locator("mark").first).to_be_visible()


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
"""Chapters as they answer to `hybridize`; the list on the home page has the tour only."""


def test_a_title_goes_before_an_introduction_and_that_before_a_mention(
    site: Server, page: Page, tmp_path: Path
) -> None:
    shutil.copytree(site.folder, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "en"
    home = (folder / "index.html").read_text(encoding="utf-8")
    for path in folder.glob("*.html"):
        path.unlink()
    shutil.rmtree(folder / FOLDER)
    read = [read_page(f"en/{name}", markup.encode()) for name, markup in RANKED.items()]
    sections = [section for each in read for section in each.sections]
    for name, content in index_sections(sections).items():
        (folder / FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / FOLDER / name).write_bytes(content)
    (folder / "index.html").write_text(home, encoding="utf-8")
    with serve(tmp_path) as server:
        page.goto(server.url("index"))
        page.keyboard.press("Control+k")
        page.get_by_role("searchbox").fill("hybridize")
        hits = page.locator(".search-hits a")
        expect(hits).to_have_count(len(RANKED))
        found = [each.get_attribute("href") for each in hits.all()]
        assert found == [server.top(f"/en/{name}") for name in RANKED]
