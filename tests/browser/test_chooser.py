"""Given a page with framework tabs, while a reader reads, then the chooser stays in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from polytab.settings import load_settings
from polytab.site.build import build
from tests.browser.blocks import radio
from tests.browser.kinds import DESK, LANGUAGES, PHONE
from tests.browser.served import serve
from tests.support.forms_site import write_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

    from tests.browser.conftest import Open
    from tests.browser.served import Server

SMALL: ViewportSize = {"width": 360, "height": 740}
WIDE: ViewportSize = {"width": 1700, "height": 900}
SIZES: dict[str, ViewportSize] = {
    "small phone": SMALL,
    "phone": {"width": PHONE["width"], "height": PHONE["height"]},
    "desk": {"width": DESK["width"], "height": DESK["height"]},
    "wide": WIDE,
}
ON_TOP = """({ x, y, width, height }) =>
    document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.chooser') !== null"""


def box_of(locator: Locator) -> FloatRect:
    """Return where on the screen something stands."""
    box = locator.bounding_box()
    assert box is not None
    return box


def bars_end(page: Page) -> float:
    """Return how far down the bars at the top of the screen reach."""
    box = box_of(page.locator(".chooser"))
    return box["y"] + box["height"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_it_is_one_line_below_the_header_with_the_chosen_one_in_sight(
    handbook: Server, open_page: Open, size: str, language: str
) -> None:
    with open_page(viewport=SIZES[size], reduced_motion="reduce") as page:
        for framework in ("torch", "jax"):
            page.goto(handbook.url("capturing", language, tab=framework, anchor="loops"))
            header = page.locator(".mobile-header").bounding_box() or {"height": 0.0}
            chooser = box_of(page.locator(".chooser"))
            assert chooser["y"] == header["height"]
            assert 40 <= chooser["height"] <= 44
            shown = page.locator(".chooser :is(label, select):visible").all()
            assert {
                round(box["y"] + box["height"] / 2) for box in map(box_of, shown)
            } == {round(chooser["y"] + chooser["height"] / 2)}  # fmt: skip
            chosen = page.locator(".chooser label:has(input:checked)")
            expect(chosen).to_have_count(1)
            expect(chosen).to_be_in_viewport(ratio=0.99)
            assert page.evaluate(ON_TOP, box_of(chosen))
            if language == "en":
                for each in ("torch", "jax"):  # the first and the last
                    expect(radio(page, each)).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("size", SIZES)
def test_it_hides_no_heading_that_an_address_leads_to(
    handbook: Server, open_page: Open, size: str
) -> None:
    with open_page(viewport=SIZES[size], reduced_motion="reduce") as page:
        for anchor in ("the-captured-program", "loops", "in-place-updates"):
            page.goto(handbook.url("capturing", anchor=anchor))
            heading = box_of(page.locator(f"#{anchor} > :is(h2, h3)").first)
            assert bars_end(page) + 8 < heading["y"] < bars_end(page) + 48


def test_an_address_of_a_panel_leaves_its_row_in_sight(handbook: Server, open_page: Open) -> None:
    with open_page(viewport=SMALL, reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", anchor="loop-jax"))
        row = page.locator(".sphinx-tabs:has(> #loop-jax) > [role=tablist]")
        assert bars_end(page) < box_of(row)["y"]
        expect(row).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", SIZES)
def test_the_contents_name_the_section_that_an_address_leads_to(
    handbook: Server, open_page: Open, size: str
) -> None:
    with open_page(viewport=SIZES[size], reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", anchor="loops"))
        expect(page.locator(".toc-tree [aria-current]")).to_have_attribute("href", "#loops")


def test_it_hides_nothing_that_keys_lead_to(handbook: Server, open_page: Open) -> None:
    with open_page(viewport=SMALL, reduced_motion="reduce") as page:
        page.goto(handbook.url("compilers", tab="torch", anchor="loops"))
        page.locator("#loops [role=tab][aria-selected=true]").focus()
        for _ in range(6):
            page.keyboard.press("Shift+Tab")
            assert box_of(page.locator(":focus"))["y"] >= bars_end(page)


def test_keys_that_lead_into_the_bars_leave_the_page_where_it_is(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport=SMALL, reduced_motion="reduce") as page:
        page.goto(site.url("tour", tab="torch", anchor="in-words"))
        page.evaluate("scrollTo(0, 400)")
        for bar in (".mobile-header :is(a, button)", ".chooser input:checked"):
            page.locator(bar).first.evaluate("each => each.focus()")
            page.keyboard.press("Shift")
            assert page.evaluate("scrollY") == 400, bar


def test_drawers_and_header_lie_over_it(site: Server, open_page: Open) -> None:
    with open_page(viewport=SMALL, has_touch=True, reduced_motion="reduce") as page:
        page.goto(site.url("tour", anchor="the-end"))
        box = box_of(radio(page, "torch"))
        assert page.evaluate(ON_TOP, box)
        page.locator(".nav-overlay-icon").tap()
        expect(page.locator(".sidebar-drawer")).to_be_in_viewport()
        assert not page.evaluate(ON_TOP, box)


def test_the_way_back_to_the_top_is_not_over_it(handbook: Server, open_page: Open) -> None:
    for size in SIZES.values():
        with open_page(viewport=size, reduced_motion="reduce") as page:
            page.goto(handbook.url("compilers", tab="torch", anchor="loops"))
            page.mouse.move(size["width"] / 2, 500)
            page.mouse.wheel(0, -200)
            back = page.locator(".back-to-top")
            expect(back).to_be_visible()
            assert box_of(back)["y"] > bars_end(page)


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build the page of all forms and serve it."""
    settings = load_settings(write_forms(tmp_path_factory.mktemp("forms")).root)
    said: list[str] = []
    assert build(settings, [settings.source_language], strict=False, report=said.append) == 0, said
    with serve(settings.site) as server:
        yield server


def test_the_names_of_a_table_go_by_behind_it(forms: Server, open_page: Open) -> None:
    with open_page(viewport=SMALL, reduced_motion="reduce") as page:
        page.goto(forms.url("speed"))
        expect(page.locator("html.arriving")).to_have_count(0)
        name = page.locator(".glance tbody th").first
        name.evaluate(
            """each => scrollBy(0, each.getBoundingClientRect().top - 4
                - document.querySelector('.mobile-header').offsetHeight)"""
        )
        box = box_of(name)
        assert box["y"] < bars_end(page)
        assert page.evaluate(ON_TOP, {**box, "height": 8})


def test_a_page_without_tabs_has_none_and_no_room_for_it(site: Server, page: Page) -> None:
    room = "getComputedStyle(document.documentElement).scrollPaddingTop"
    page.goto(site.url("tour"))
    assert page.evaluate(room) == "44px"
    page.goto(site.url("plain"))
    expect(page.locator(".chooser")).to_have_count(0)
    assert page.evaluate(room) == "0px"


def test_paper_has_none(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax", anchor="the-end"))
    expect(page.locator(".chooser")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".chooser")).to_be_hidden()
