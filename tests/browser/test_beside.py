"""Given a wide screen, when a reader sets two frameworks side by side, then blocks have both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.blocks import expect_shown, panel, query, radio, tab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from playwright.sync_api import Locator, Page, ViewportSize

    from tests.browser.conftest import Open
    from tests.browser.served import Server

WIDE: ViewportSize = {"width": 1400, "height": 900}
KEPT = "localStorage.getItem('polytab:beside')"


@pytest.fixture
def page(open_page: Open) -> Iterator[Page]:
    """A page in a wide window."""
    with open_page(viewport=WIDE) as opened:
        yield opened


def choice(page: Page) -> Locator:
    """Return what chooses the second framework."""
    return page.get_by_role("combobox", name="Compare with")


def block(page: Page, label: str) -> Locator:
    """Return the block of this snippet."""
    return page.locator(f".sphinx-tabs:has([id^={label}-])")


def expect_pair(page: Page, label: str, left: str, right: str) -> None:
    """Expect a block to show two panels next to each other, each under its name."""
    shown = block(page, label).locator("> .sphinx-tabs-panel:visible")
    expect(shown).to_have_count(2)
    for each in (left, right):
        expect(panel(page, label, each).locator("> .tab-title")).to_be_visible()
    boxes = shown.evaluate_all(  # at once: the page may be scrolling
        "all => all.map((each) => [each.id, each.getBoundingClientRect().toJSON()])"
    )
    first, second = (dict(boxes)[f"{label}-{each}"] for each in (left, right))
    assert first["top"] == second["top"]
    assert first["right"] < second["left"]
    assert first["width"] == pytest.approx(second["width"], abs=1)


# Choosing


def test_at_first_there_is_one_and_a_choice(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    expect(choice(page)).to_have_value("")
    expect(page.locator("[role=group]")).to_have_count(0)
    assert query(page) == ""


def test_a_second_framework_stands_beside_the_first_in_every_block(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour"))
    choice(page).select_option("JAX")
    expect_pair(page, "add", "torch", "jax")
    expect_pair(page, "say", "torch", "jax")
    assert query(page) == "?tab=torch&beside=jax"
    choice(page).select_option("nothing")
    expect_shown(page, add="torch", say="torch")
    assert query(page) == "?tab=torch"
    page.goto(site.url("tour"))
    expect_shown(page, add="torch", say="torch")


def test_an_address_says_both_in_any_order_of_the_tabs(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax", beside="mxnet"))
    expect_pair(page, "add", "jax", "mxnet")
    expect_pair(page, "twice", "jax", "mxnet")
    expect(choice(page)).to_have_value("mxnet")
    assert page.evaluate(KEPT) == "mxnet"


def test_both_are_kept_on_other_pages_visits_and_in_other_languages(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    page.get_by_role("link", name="another page").click()
    expect_pair(page, "last", "torch", "jax")
    visit = page.context.new_page()
    visit.goto(site.url("tour"))
    expect_pair(visit, "add", "torch", "jax")
    visit.get_by_role("link", name="Português").click()
    visit.wait_for_url("**/pt/tour.html?tab=torch&beside=jax")
    expect_pair(visit, "add", "torch", "jax")
    expect(visit.get_by_role("combobox", name="Comparar com")).to_have_value("jax")


def test_going_back_does_not_bring_the_second_back(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    page.get_by_role("link", name="another page").click()
    choice(page).select_option("nothing")
    page.go_back()
    expect_shown(page, add="torch")
    assert query(page) == "?tab=torch"


@pytest.mark.parametrize("name", ["pascal", "", "constructor", "torch"])
def test_a_name_that_cannot_stand_there_is_ignored(site: Server, page: Page, name: str) -> None:
    page.goto(site.url("tour", tab="torch", beside=name))
    expect_shown(page, add="torch")
    expect(choice(page)).to_have_value("")


def test_who_chooses_the_second_as_the_first_has_them_change_places(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    expect(choice(page).get_by_role("option", name="PyTorch")).to_be_disabled()
    tab(page, "add", "jax").click()
    expect_pair(page, "add", "jax", "torch")
    assert query(page) == "?tab=jax&beside=torch"


def test_what_is_taken_away_follows_the_first(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    expect(page.locator(".downloads-row:visible")).to_have_attribute("data-framework", "torch")


# What lacks one says so


def test_a_block_that_lacks_one_says_so_and_has_all_the_room(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    whole = block(page, "add").bounding_box()
    expect_shown(page, twice="jax")
    said = block(page, "twice").locator(".tab-absence")
    expect(said).to_have_text("PyTorch has nothing here; JAX is shown.")
    page.goto(site.url("tour", tab="jax", beside="torch"))
    expect_shown(page, twice="jax")
    expect(said).to_have_text("PyTorch has nothing here; JAX is shown.")
    alone = panel(page, "twice", "jax").bounding_box()
    assert whole is not None
    assert alone is not None
    assert alone["width"] == whole["width"]


def test_a_block_that_lacks_both_says_so(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="tensorflow"))
    expect(block(page, "twice").locator(".tab-absence")).to_have_text(
        "PyTorch has nothing here; MXNet is shown. TensorFlow has nothing here; MXNet is shown."
    )


def test_a_page_that_lacks_the_second_says_so_and_it_can_be_given_up(
    site: Server, page: Page
) -> None:
    page.goto(site.url("end", tab="torch", beside="mxnet"))
    expect_shown(page, last="torch")
    expect(page.locator(".tab-absence:visible")).to_have_text(
        "MXNet has nothing on this page; other frameworks are shown."
    )
    expect(choice(page)).to_have_value("mxnet")
    choice(page).select_option("nothing")
    expect(page.locator(".tab-absence:visible")).to_have_count(0)


def test_a_link_into_a_third_framework_opens_it_on_the_left(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax", anchor="add-paddle"))
    expect_pair(page, "add", "paddle", "jax")
    expect_pair(page, "say", "torch", "jax")


# Keys and ears


def test_one_tab_is_selected_and_the_second_panel_is_a_named_group(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    expect(block(page, "add").get_by_role("tab", selected=True)).to_have_id("add-torch-tab")
    shown = block(page, "add").locator("> [role=tabpanel]:not([hidden])")
    expect(shown).to_have_id("add-torch")
    expect(shown).to_have_accessible_name("PyTorch")
    expect(block(page, "add").get_by_role("group", name="JAX")).to_have_id("add-jax")
    choice(page).select_option("nothing")
    expect(page.get_by_role("group")).to_have_count(0)


def test_arrows_choose_the_left_one_and_the_control_the_right_one(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    tab(page, "add", "torch").press("ArrowRight")
    expect(tab(page, "add", "mxnet")).to_be_focused()
    expect_pair(page, "add", "mxnet", "jax")
    radio(page, "mxnet").focus()
    page.keyboard.press("Tab")
    expect(choice(page)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect_pair(page, "add", "mxnet", "paddle")
    expect(choice(page)).to_be_focused()


def test_keys_go_from_left_to_right(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax", beside="torch"))
    expect(page.locator("html.arriving")).to_have_count(0)  # wide boxes can be reached by keys
    tab(page, "add", "jax").focus()
    stops = []
    while "torch" not in stops:
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.closest('[id^=add-]').id.slice(4)"))
    assert stops[0] == "jax"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(
    site: Server, open_page: Open, theme: Literal["light", "dark"], language: str
) -> None:
    with open_page(viewport=WIDE, color_scheme=theme) as page:
        for name, first, second in (("tour", "torch", "jax"), ("end", "jax", "paddle")):
            page.goto(site.url(name, language, tab=first, beside=second))
            found = Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


# The screen


def test_code_scrolls_in_its_column_and_the_page_does_not(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    for each in ("#add-torch .snippet-output pre", "#say-jax .snippet-output pre"):
        assert page.locator(each).last.evaluate("pre => pre.scrollWidth > pre.clientWidth")
    for box in ("document.documentElement", "document.querySelector('.content')"):
        assert page.evaluate(f"{box}.scrollWidth - {box}.clientWidth") == 0


@pytest.mark.parametrize("width", [1280, 1400, 1920, 2560])
def test_text_stays_where_it_is_and_what_is_on_this_page_can_be_reached(
    site: Server, page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site.url("tour", tab="torch"))
    text = page.locator("article section > p").first
    before = text.bounding_box()
    choice(page).select_option("JAX")
    assert text.bounding_box() == before
    contents = page.get_by_role("complementary", name="On this page")
    if width < 2560:
        expect(contents).to_be_hidden()
        page.locator(".toc-content-icon").click()
    expect(contents).to_be_in_viewport()


def test_a_narrow_window_has_one_until_it_is_wide_again(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    page.set_viewport_size({"width": 1270, "height": 900})
    expect_shown(page, add="torch", say="torch")
    expect(choice(page)).to_be_hidden()
    assert query(page) == "?tab=torch&beside=jax"
    page.set_viewport_size(WIDE)
    expect_pair(page, "add", "torch", "jax")


def test_a_phone_has_neither_two_nor_the_choice(site: Server, open_page: Open) -> None:
    with open_page(viewport={"width": 390, "height": 844}) as page:
        page.goto(site.url("tour", tab="torch", beside="jax"))
        expect_shown(page, add="torch", twice="mxnet")
        expect(page.locator(".chooser-beside")).to_be_hidden()


def test_paper_has_the_first_alone(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    page.emulate_media(media="print")
    expect(page.locator(".sphinx-tabs-panel:visible")).to_have_count(3)
    expect(page.locator("#add-torch")).to_be_visible()
    expect(page.locator(".chooser-beside")).to_be_hidden()


def test_without_script_nothing_of_it_shows(site: Server, open_page: Open) -> None:
    with open_page(viewport=WIDE, java_script_enabled=False) as page:
        page.goto(site.url("tour", tab="torch", beside="jax"))
        expect(page.locator(".chooser-beside")).to_be_hidden()
        expect(page.locator(".sphinx-tabs-panel:visible")).to_have_count(9)


def test_a_page_without_two_frameworks_has_no_choice(site: Server, page: Page) -> None:
    page.goto(site.url("plain", tab="torch", beside="jax"))
    expect(page.locator("select")).to_have_count(0)


@pytest.mark.parametrize("hold", ["<article", "Framework", "chooser-beside", "twice-torch"])
def test_nothing_moves_while_two_arrive(site: Server, page: Page, hold: str) -> None:
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => {"
        " for (const each of list.getEntries()) window.moved += each.value;"
        "}).observe({ type: 'layout-shift', buffered: true })"
    )
    site.go_on.clear()
    page.goto(site.url("tour", tab="jax", beside="torch", hold=hold), wait_until="commit")
    expect(page.locator(".main")).to_be_attached()
    frame = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    page.evaluate(frame)
    site.go_on.set()
    page.wait_for_load_state()
    expect_pair(page, "add", "jax", "torch")
    page.evaluate(frame)
    assert page.evaluate("window.moved") < 0.001


def test_what_the_reader_touched_stays_where_it_is(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="torch", beside="jax"))
    touched = tab(page, "say", "jax")
    touched.evaluate("tab => tab.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = touched.bounding_box()
    touched.click()
    expect_pair(page, "say", "jax", "torch")
    after = touched.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] == pytest.approx(before["y"], abs=1)


def test_in_forced_colours_the_choice_is_seen(site: Server, open_page: Open) -> None:
    with open_page(viewport=WIDE, forced_colors="active") as page:
        page.goto(site.url("tour", tab="torch", beside="jax"))
        colours = "each => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor]"
        ink, ground = choice(page).evaluate(colours)
        assert ink != ground
        expect_pair(page, "add", "torch", "jax")
