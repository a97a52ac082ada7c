"""Given panels that are hidden, then links, searches, phones, paper and no script all cope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.blocks import NO_UNTIL_FOUND, expect_shown, kept, panel, tab

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server


def y_of(locator: Locator) -> float:
    """Return where on the screen something stands."""
    box = locator.bounding_box()
    assert box is not None
    return box["y"]


# Links and the browser's search


@pytest.mark.parametrize("script", ["", NO_UNTIL_FOUND], ids=["until-found", "plain hidden"])
def test_a_link_into_a_hidden_panel_opens_it_in_its_block_alone(
    site: Server, page: Page, script: str
) -> None:
    page.add_init_script(script)
    page.goto(site.url("tour"))
    page.evaluate("location.hash = 'say-jax'")
    expect_shown(page, say="jax", add="torch", twice="mxnet")
    expect(page.get_by_text("JAX speaks of tracing.")).to_be_in_viewport()
    assert kept(page) is None


@pytest.mark.parametrize("script", ["", NO_UNTIL_FOUND], ids=["until-found", "plain hidden"])
def test_an_address_that_leads_into_a_hidden_panel_opens_it(
    site: Server, page: Page, script: str
) -> None:
    page.add_init_script(script)
    page.goto(site.url("tour", anchor="say-jax"))
    expect_shown(page, say="jax", add="torch")
    expect(page.get_by_text("JAX speaks of tracing.")).to_be_in_viewport()


def test_the_browser_finds_text_in_a_hidden_panel(site: Server, page: Page) -> None:
    page.goto(site.url("tour", anchor=":~:text=speaks%20of%20tracing"))
    expect_shown(page, say="jax", add="torch")
    expect(page.get_by_text("JAX speaks of tracing.")).to_be_in_viewport()


def test_a_browser_without_that_search_hides_all_the_same(site: Server, page: Page) -> None:
    page.add_init_script(NO_UNTIL_FOUND)
    page.goto(site.url("tour", tab="jax"))
    expect(panel(page, "add", "torch")).to_be_hidden()
    assert panel(page, "add", "torch").get_attribute("hidden") == ""


# The screen


@pytest.mark.parametrize(("before", "after"), [("mxnet", "torch"), ("torch", "jax")])
def test_what_the_reader_touched_stays_where_it_is(
    site: Server, page: Page, before: str, after: str
) -> None:
    page.goto(site.url("tour", tab=before))
    touched = tab(page, "say", after)
    touched.evaluate("tab => tab.scrollIntoView({ block: 'center', behavior: 'instant' })")
    top, scrolled = y_of(touched), page.evaluate("scrollY")
    touched.click()
    expect_shown(page, add=after)
    assert page.evaluate("scrollY") != scrolled, "nothing above it has changed its height"
    assert y_of(touched) == pytest.approx(top, abs=1)


def test_no_panel_is_shown_that_was_not_chosen_while_a_page_arrives(
    site: Server, page: Page
) -> None:
    site.go_on.clear()
    page.goto(site.url("tour", tab="jax", hold="JAX speaks"), wait_until="commit")
    expect(page.locator("#say-torch")).to_be_attached()
    shown = page.locator(".sphinx-tabs-panel:not([hidden])")
    expect(shown).to_have_count(3)
    assert shown.evaluate_all("all => all.map((each) => each.id)") == [
        "add-jax",
        "twice-jax",
        "say-jax",
    ]
    assert page.evaluate("document.readyState") == "loading"
    site.go_on.set()
    expect(page.get_by_text("JAX speaks of tracing.")).to_be_visible()


def test_a_phone_has_one_scrolling_row_of_tabs_a_thumb_can_hit(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport={"width": 320, "height": 960}, has_touch=True) as page:
        page.goto(site.url("tour", tab="jax"))
        row = tab(page, "add", "jax").locator("..")
        tabs = [each.bounding_box() for each in row.get_by_role("tab").all()]
        labels = [each.bounding_box() for each in page.locator(".chooser-row label").all()]
        for box in (*tabs, *labels):
            assert box is not None
            assert box["height"] >= 44
            assert box["width"] >= 44
        assert len({box["y"] for box in tabs if box}) == 1
        assert row.evaluate("row => row.scrollWidth - row.clientWidth") > 0
        assert page.evaluate("document.querySelector('.content').scrollLeft") == 0
        expect(tab(page, "add", "jax")).to_be_in_viewport(ratio=0.9)
        expect(page.locator(".chooser-row label:has(:checked)")).to_be_in_viewport(ratio=0.9)


# Without a script, and on paper


def test_without_script_every_panel_is_shown_under_its_name(site: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("tour"))
        for framework, title in [("torch", "PyTorch"), ("mxnet", "MXNet"), ("jax", "JAX")]:
            expect(panel(page, "add", framework)).to_be_visible()
            expect(panel(page, "add", framework).locator(".tab-title")).to_have_text(title)
            expect(panel(page, "add", framework).locator(".tab-title")).to_be_visible()
        expect(page.get_by_role("tab")).to_have_count(0)
        expect(page.locator(".chooser")).to_be_hidden()


def test_a_script_that_does_not_arrive_leaves_the_page_as_without(site: Server, page: Page) -> None:
    page.route("**/first.*.js", lambda route: route.fulfill(body=""))
    page.goto(site.url("tour"))
    expect(page.locator(".sphinx-tabs-panel:visible")).to_have_count(9)
    expect(page.get_by_role("tab")).to_have_count(0)


def test_paper_shows_the_chosen_panel_under_its_name(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    page.emulate_media(media="print")
    expect(page.locator(".sphinx-tabs-panel:visible")).to_have_count(3)
    expect(panel(page, "add", "jax").get_by_text("JAX", exact=True)).to_be_visible()
    expect(page.get_by_role("tab")).to_have_count(0)
    expect(page.get_by_role("radio")).to_have_count(0)
