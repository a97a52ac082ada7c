"""An old address with a fragment leads to where that section went."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server


@pytest.mark.parametrize("language", ["en", "pt"])
def test_an_old_address_leads_on_and_the_framework_goes_along(
    site: Server, page: Page, language: str
) -> None:
    page.goto(site.url("plain", language, anchor="the-end", tab="jax"))
    page.wait_for_url(site.url("tour", language, anchor="the-end", tab="jax"))
    expect(page.locator("#the-end").first).to_be_in_viewport()
    expect(page.locator("#the-end h2, h2#the-end")).to_have_count(1)


def test_the_way_back_does_not_lead_into_it_again(site: Server, page: Page) -> None:
    page.goto(site.url("index"))
    page.goto(site.url("plain", anchor="the-end"))
    page.wait_for_url(site.url("tour", anchor="the-end"))
    page.go_back()
    assert urlsplit(page.url).path == "/en/index.html"


def test_a_fragment_that_changes_is_followed_too(site: Server, page: Page) -> None:
    page.goto(site.url("plain"))
    page.evaluate("location.hash = 'the-end'")
    page.wait_for_url(site.url("tour", anchor="the-end"))


def test_other_fragments_stay(site: Server, page: Page) -> None:
    for anchor in ("content", "nowhere", "%"):
        page.goto(site.url("plain", anchor=anchor))
        page.wait_for_load_state()
        assert urlsplit(page.url).path == "/en/plain.html"
    expect(page.locator(".moved-section")).to_be_hidden()


def test_without_script_a_line_leads_there(site: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("plain"))
        line = page.get_by_text("This section has moved.")
        expect(line).to_be_hidden()
        page.goto(site.url("plain", anchor="the-end"))
        expect(line).to_be_in_viewport()
        line.get_by_role("link").click()
        assert page.url == site.url("tour", anchor="the-end")
