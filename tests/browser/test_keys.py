"""Given a reader with a keyboard alone, then all that a page offers can be reached and used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.kinds import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

PATIENCE = 60


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on what was asked for; each stop on the way must be seen."""
    for _ in range(PATIENCE):
        page.keyboard.press("Tab")
        focus = page.locator(":focus")
        if focus.count():
            expect(focus).to_be_in_viewport()
            if focus.evaluate("(each, selector) => each.matches(selector)", selector):
                return
    raise AssertionError(f"no key leads to {selector}")


def test_a_way_through_a_page_by_keys_alone(site: Server, open_page: Open) -> None:
    with open_page(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(site.url("tour"))

        tab_to(page, ".skip-to-content")
        page.keyboard.press("Enter")

        tab_to(page, ".chooser input")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".chooser input:checked")).to_have_value("mxnet")
        expect(page.locator("#add-mxnet")).to_be_visible()

        tab_to(page, ".copy")
        page.keyboard.press("Enter")
        assert page.evaluate("navigator.clipboard.readText()").startswith("print(")

        tab_to(page, "[role=tab]")
        page.keyboard.press("End")
        expect(page.locator("#add-jax")).to_be_visible()
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#add-jax")).to_be_hidden()
        page.keyboard.press("End")

        page.keyboard.press("/")
        page.keyboard.type("eagerness")
        expect(page.locator(".search-hits a").first).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("Control+k")
        page.keyboard.type("uncompromising")
        expect(page.locator(".search-hits a .search-title")).to_have_text("The end")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("#the-end$"))

        page.reload()
        tab_to(page, ".languages a[hreflang=pt-BR]")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"/pt/tour\.html\?tab=jax#the-end$"))
        expect(page.locator("html")).to_have_attribute("lang", "pt-BR")


def test_a_way_through_a_phones_menu_by_keys_alone(site: Server, open_page: Open) -> None:
    with open_page(viewport=PHONE, reduced_motion="reduce") as page:
        page.goto(site.url("tour"))
        tab_to(page, ".nav-overlay-icon")
        page.keyboard.press("Enter")
        tab_to(page, ".sidebar-tree a[href='end.html']")
        page.keyboard.press("Escape")
        expect(page.locator(".nav-overlay-icon")).to_be_focused()
        page.keyboard.press("Enter")
        tab_to(page, ".sidebar-tree a[href='end.html']")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"/en/end\.html"))
