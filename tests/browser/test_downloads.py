"""Given a page with code, then a reader takes it, or the book, for the framework that is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.blocks import radio, tab

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server


def expect_offered(page: Page, framework: str, title: str) -> None:
    """Expect the row of this framework and no other."""
    expect(page.locator(".downloads-row:visible")).to_have_attribute("data-framework", framework)
    expect(page.get_by_role("link", name=f"Notebook ({title})")).to_be_visible()


def test_what_is_offered_follows_the_chosen_framework(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    expect_offered(page, "torch", "PyTorch")
    radio(page, "mxnet").check()
    expect_offered(page, "mxnet", "MXNet")
    tab(page, "add", "jax").click()
    expect_offered(page, "jax", "JAX")
    page.goto(site.url("tour", tab="paddle"))
    expect_offered(page, "paddle", "PaddlePaddle")


def test_a_page_that_lacks_the_framework_offers_its_first(site: Server, page: Page) -> None:
    page.goto(site.url("end", tab="paddle"))
    expect(page.locator(".downloads-row:visible")).to_have_count(1)
    expect(page.get_by_role("link", name="Notebook (PyTorch)")).to_be_visible()


def test_the_notebook_of_the_chosen_framework_is_what_comes(
    site: Server, page: Page, tmp_path: Path
) -> None:
    page.goto(site.url("tour", tab="jax"))
    link = page.get_by_role("link", name="Notebook (JAX)")
    link.focus()
    with page.expect_download() as coming:
        page.keyboard.press("Enter")
    assert coming.value.suggested_filename == "tour-jax.ipynb"
    coming.value.save_as(tmp_path / "tour.ipynb")
    book = nbformat.read(tmp_path / "tour.ipynb", 4)
    nbformat.validate(book)
    assert book.metadata.polytab.framework == "jax"


def test_keys_lead_from_the_choice_to_what_is_offered(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    radio(page, "jax").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Compare with")).to_be_focused()
    for name in ("Notebook (JAX)", "Python (JAX)"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name)).to_be_focused()


def test_the_book_of_the_chosen_framework_is_what_comes(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    radio(page, "mxnet").check()
    for kind in ("EPUB", "PDF"):
        with page.expect_download() as coming:
            page.get_by_role("link", name=f"{kind} (4.77 MiB) (MXNet)").click()
        assert coming.value.suggested_filename == f"en-mxnet.{kind.lower()}"


def test_keys_open_the_books_of_the_start_page(site: Server, page: Page) -> None:
    page.goto(site.url("index", "pt"))
    summary = page.locator(".downloads summary")
    expect(summary).to_have_text("Baixar o livro inteiro")
    expect(page.locator(".downloads-row:visible")).to_have_count(0)
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".downloads-row:visible")).to_have_count(5)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="EPUB (4,77 MiB) (PyTorch)")).to_be_focused()


def test_axe_finds_nothing_in_the_books_of_the_start_page(site: Server, page: Page) -> None:
    page.goto(site.url("index"))
    page.locator(".downloads summary").click()
    found = Axe().run(page, ".downloads").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@pytest.mark.parametrize("width", [320, 1280])
def test_every_offer_is_large_enough_for_a_finger(
    site: Server, open_page: Open, width: int
) -> None:
    with open_page(viewport={"width": width, "height": 640}) as page:
        page.goto(site.url("tour", tab="jax"))
        for link in page.locator(".downloads-row:visible a").all():
            box = link.bounding_box()
            assert box is not None
            assert box["width"] >= 44
            assert box["height"] >= 44


def test_without_script_a_list_offers_every_framework(site: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("tour"))
        expect(page.locator(".downloads-row:visible")).to_have_count(0)
        page.locator(".downloads summary").click()
        expect(page.locator(".downloads-row:visible")).to_have_count(5)
        expect(page.get_by_role("link", name="Notebook (MXNet)")).to_be_visible()


def test_axe_finds_nothing_in_the_list_without_script(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    page.evaluate(  # axe is a script itself: show it what those without script see
        "document.documentElement.classList.remove('tabbed');"
        "for (const each of document.querySelectorAll('.downloads noscript'))"
        "  each.outerHTML = each.textContent;"
        "document.querySelector('.downloads details').open = true"
    )
    expect(page.locator(".downloads-row:visible")).to_have_count(5)
    found = Axe().run(page, ".downloads").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_paper_offers_nothing(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    page.emulate_media(media="print")
    expect(page.locator(".downloads")).to_be_hidden()
