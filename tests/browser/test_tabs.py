"""Given a page with framework tabs, when a reader chooses, then all of it follows and remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.blocks import expect_shown, kept, query, radio, tab

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.served import Server

NO_STORAGE = """
for (const name of ["getItem", "setItem"]) {
  const method = Storage.prototype[name];
  Storage.prototype[name] = function (key, ...rest) {
    if (key.startsWith("polytab")) throw new Error("forbidden");
    return method.call(this, key, ...rest);
  };
}
"""


# One choice for all blocks, kept


def test_before_any_choice_each_block_shows_its_first_framework(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    expect_shown(page, add="torch", twice="mxnet", say="torch")
    expect(radio(page, "torch")).to_be_checked()
    assert query(page) == ""
    assert kept(page) is None


def test_a_click_chooses_in_every_block_and_in_the_address(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    tab(page, "twice", "jax").click()
    expect_shown(page, add="jax", twice="jax", say="jax")
    expect(radio(page, "jax")).to_be_checked()
    assert query(page) == "?tab=jax"


def test_the_chooser_under_the_heading_chooses_too(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    page.get_by_role("radiogroup", name="Framework").get_by_label("MXNet").check()
    expect_shown(page, add="mxnet", twice="mxnet", say="torch")
    assert query(page) == "?tab=mxnet"


def test_the_choice_is_kept_on_other_pages_and_visits(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    tab(page, "add", "jax").click()
    page.get_by_role("link", name="another page").click()
    expect_shown(page, last="jax")
    assert query(page) == "?tab=jax"
    visit = page.context.new_page()
    visit.goto(site.url("tour"))
    expect_shown(visit, add="jax", twice="jax", say="jax")


@pytest.mark.parametrize("script", ["", NO_STORAGE], ids=["storage", "no storage"])
def test_choice_and_place_go_along_to_another_language(
    site: Server, page: Page, script: str
) -> None:
    page.add_init_script(script)
    page.goto(site.url("tour", anchor="twice"))
    tab(page, "add", "jax").click()
    page.get_by_role("link", name="Português").click()
    page.wait_for_url("**/pt/tour.html?tab=jax#twice")
    expect_shown(page, add="jax", twice="jax", say="jax")


def test_an_address_from_elsewhere_wins_over_what_was_kept(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    tab(page, "add", "paddle").click()
    page.goto(site.url("tour", tab="mxnet", other="stays"))
    expect_shown(page, add="mxnet")
    assert query(page) == "?tab=mxnet&other=stays"
    assert kept(page) == "mxnet"


def test_going_back_does_not_take_the_choice_back(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    tab(page, "add", "torch").click()
    page.get_by_role("link", name="another page").click()
    tab(page, "last", "jax").click()
    page.go_back()
    expect_shown(page, add="jax")
    assert query(page) == "?tab=jax"


def test_a_page_out_of_the_browsers_memory_catches_up(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch"))
    page.evaluate("localStorage.setItem('polytab:framework', 'jax')")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect_shown(page, add="jax", twice="jax", say="jax")


@pytest.mark.parametrize("name", ["pascal", "constructor", "", "python jax"])
def test_a_name_that_is_no_framework_is_ignored(site: Server, page: Page, name: str) -> None:
    page.goto(site.url("tour", tab=name))
    expect_shown(page, add="torch")
    assert kept(page) is None


def test_without_storage_the_choice_lasts_as_long_as_the_address(site: Server, page: Page) -> None:
    page.add_init_script(NO_STORAGE)
    page.goto(site.url("tour"))
    tab(page, "add", "jax").click()
    expect_shown(page, add="jax", twice="jax")
    page.reload()
    expect_shown(page, add="jax", twice="jax")


def test_a_page_opened_from_the_disk_has_its_tabs(site: Server, page: Page) -> None:
    page.goto((site.folder / "en" / "tour.html").as_uri())
    tab(page, "add", "jax").click()
    expect_shown(page, add="jax", twice="jax", say="jax")


# What lacks the chosen framework says so


def test_a_block_that_lacks_the_framework_says_what_it_shows(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="paddle"))
    block = page.locator(".sphinx-tabs:has(#twice-mxnet)")
    expect(block.get_by_text("PaddlePaddle has nothing here; MXNet is shown.")).to_be_visible()
    expect(page.locator(".tab-absence:visible")).to_have_count(2)
    tab(page, "twice", "jax").click()
    expect(page.locator(".tab-absence:visible")).to_have_count(0)


def test_a_page_that_lacks_the_framework_says_so_once(site: Server, page: Page) -> None:
    page.goto(site.url("end", tab="mxnet"))
    expect(page.locator(".tab-absence:visible")).to_have_text(
        "MXNet has nothing on this page; other frameworks are shown."
    )
    expect(page.locator(".chooser input:checked")).to_have_count(0)
    expect_shown(page, last="torch")
    assert kept(page) == "mxnet"


# The keyboard


@pytest.mark.parametrize(
    ("start", "key", "end"),
    [
        ("torch", "ArrowRight", "mxnet"),
        ("jax", "ArrowRight", "torch"),
        ("mxnet", "ArrowLeft", "torch"),
        ("torch", "ArrowLeft", "jax"),
        ("paddle", "Home", "torch"),
        ("mxnet", "End", "jax"),
    ],
)
def test_keys_select_and_take_the_focus(
    site: Server, page: Page, start: str, key: str, end: str
) -> None:
    page.goto(site.url("tour", tab=start))
    tab(page, "add", start).press(key)
    expect(tab(page, "add", end)).to_be_focused()
    expect_shown(page, add=end)
    assert query(page) == f"?tab={end}"


def test_a_row_is_one_stop_of_the_tab_key(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="mxnet"))
    stops = page.locator("#add-torch-tab").locator("..").locator("[tabindex='0']")
    expect(stops).to_have_id("add-mxnet-tab")
    tab(page, "add", "mxnet").press("Tab")
    expect(page.locator("#add-mxnet .copy")).to_be_focused()
    page.keyboard.press("Tab")
    expect(tab(page, "twice", "mxnet")).to_be_focused()


def test_keys_with_a_modifier_stay_the_browsers(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="mxnet"))
    tab(page, "add", "mxnet").press("Control+ArrowRight")
    expect_shown(page, add="mxnet")
