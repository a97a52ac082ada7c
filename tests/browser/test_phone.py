"""Given a phone, then nothing of a page is too small to read or outside without a sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.blocks import radio
from tests.browser.kinds import LANGUAGES, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.served import Server

FIGURES = (
    "asynchronous",
    "compilers",
    "compiling-in-depth",
    "hardware",
    "parallelism",
    "where-the-time-goes",
)
SHORTEST_TEXT = """all => Math.min(...all.filter((each) => each.checkVisibility()).map(
    (each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a
))"""
ROWS = ".sphinx-tabs > [role=tablist]"
INSIDE = """tab => {
    const [inner, outer] = [tab, tab.parentElement].map((each) => each.getBoundingClientRect());
    return inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
}"""
CUT_OFF = """all => all.filter((each) =>
    each.checkVisibility() && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1
    && ["hidden", "clip"].includes(getComputedStyle(each).overflowX)
).map((each) => each.outerHTML.slice(0, 80))"""


def shades(box: Locator) -> int:
    """Count the shades of a box that say that it goes on, and what covers them at its ends."""
    return box.evaluate(  # type: ignore[no-any-return]
        "each => getComputedStyle(each).backgroundImage.split('gradient').length - 1"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_in_every_figure_is_at_least_11_px_high(
    handbook: Server, open_page: Open, language: str
) -> None:
    with open_page(viewport=PHONE, has_touch=True, is_mobile=True) as page:
        for name in FIGURES:
            page.goto(handbook.url(name, language))
            expect(page.locator("html.arriving")).to_have_count(0)
            smallest = page.locator("article :is(.drawing, .chart) text").evaluate_all(
                SHORTEST_TEXT
            )
            assert smallest >= 11, name


def test_the_names_of_all_five_frameworks_are_in_sight(site: Server, open_page: Open) -> None:
    with open_page(viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.goto(site.url("tour", tab="torch"))
        tabs = page.locator(f"{ROWS} > [role=tab]")
        assert tabs.count() > 5
        for tab in tabs.all():
            assert tab.evaluate(INSIDE)
        for name in ("torch", "jax"):
            expect(radio(page, name)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("framework", ["torch", "paddle", "jax"])
def test_on_any_screen_the_chosen_tab_is_in_sight(
    site: Server, open_page: Open, framework: str
) -> None:
    with open_page(viewport={"width": 240, "height": 600}) as page:
        page.goto(site.url("tour", tab=framework))
        row = page.locator(ROWS).first
        row.evaluate("row => row.scrollIntoView({ block: 'center', behavior: 'instant' })")
        assert row.evaluate("row => row.scrollWidth > row.clientWidth")
        chosen = row.locator(f"[data-tab={framework}]")
        expect(chosen).to_be_in_viewport(ratio=0.95)
        assert shades(row) == 4


def test_what_is_wider_than_the_screen_says_so_and_is_reached_by_keys(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.goto(site.url("tour", tab="torch"))
        table = page.locator(".table-wrapper")
        output = (
            page.locator(".snippet-output pre:visible").filter(has_text="its box must scroll").first
        )
        for box in (table, output):
            assert box.evaluate("each => each.scrollWidth > each.clientWidth")
            assert shades(box) == 4
            expect(box).to_have_attribute("tabindex", "0")


def test_nothing_is_cut_off(site: Server, open_page: Open) -> None:
    with open_page(viewport=PHONE, has_touch=True, is_mobile=True) as page:
        for name in ("tour", "formulas", "plain"):
            page.goto(site.url(name))
            expect(page.locator("html.arriving")).to_have_count(0)
            assert page.locator("article *").evaluate_all(CUT_OFF) == []
