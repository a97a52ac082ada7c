"""Given the search dialog, when a reader asks, then sections are found, and tabs are opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.blocks import expect_shown, kept, query

if TYPE_CHECKING:
    from typing import Literal

    from playwright.sync_api import Browser, Locator, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server


def dialog(page: Page) -> Locator:
    return page.locator("dialog.search")


def field(page: Page) -> Locator:
    return dialog(page).get_by_role("searchbox")


def hits(page: Page) -> Locator:
    return dialog(page).locator(".search-hits a")


def said(page: Page) -> Locator:
    return dialog(page).get_by_role("status")


def ask(page: Page, words: str) -> None:
    """Open the dialog, ask, and wait for an answer."""
    page.keyboard.press("Control+k")
    field(page).fill(words)
    expect(said(page)).not_to_be_empty()


# Opening and closing


@pytest.mark.parametrize("key", ["Control+k", "Meta+k", "/"])
def test_a_key_opens_it(site: Server, page: Page, key: str) -> None:
    page.goto(site.url("tour"))
    expect(dialog(page)).to_be_hidden()
    page.keyboard.press(key)
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("")


def test_a_slash_that_is_written_is_a_slash(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    page.keyboard.press("/")
    page.keyboard.type("a/b")
    expect(field(page)).to_have_value("a/b")


def test_the_focus_goes_back_to_the_button_that_opened_it(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    button = page.locator(".sidebar-drawer").get_by_role("button", name="Search")
    button.click()
    expect(field(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(button).to_be_focused()


def test_the_focus_stays_in_it_and_the_page_behind_is_out_of_reach(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour"))
    ask(page, "eagerness")
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body"  # that is, the browser's own buttons
            " || !!document.activeElement.closest('dialog')"
        )


def test_a_click_beside_it_closes_it_and_one_in_it_does_not(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    page.keyboard.press("Control+k")
    dialog(page).locator(".search-bar").click(position={"x": 4, "y": 4})
    expect(dialog(page)).to_be_visible()
    page.mouse.click(5, 5)
    expect(dialog(page)).to_be_hidden()


def test_a_phone_has_a_button_in_its_header_and_a_whole_screen(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport={"width": 320, "height": 640}, has_touch=True) as page:
        page.goto(site.url("tour"))
        page.locator(".mobile-header").get_by_role("button", name="Search").tap()
        expect(field(page)).to_be_focused()
        assert dialog(page).bounding_box() == {"x": 0, "y": 0, "width": 320, "height": 640}
        field(page).fill("eagerness")
        box = hits(page).first.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        close = dialog(page).get_by_role("button", name="Close")
        close.tap()
        expect(dialog(page)).to_be_hidden()


def test_without_script_there_is_no_button_that_does_nothing(site: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("tour"))
        expect(page.locator(".search-open:visible")).to_have_count(0)


# What is loaded


def test_nothing_is_loaded_before_it_is_opened(site: Server, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.url("tour"), wait_until="networkidle")
    assert [each for each in asked if "pagefind" in each or "hits.js" in each] == []
    ask(page, "eagerness")
    assert [each for each in asked if "/en/pagefind/pagefind.js" in each]
    assert [each for each in asked if re.search(r"/(pt|_)/pagefind", each)] == []


# What is found


def test_hits_are_sections_with_what_was_found_marked(site: Server, page: Page) -> None:
    page.goto(site.url("end"))
    ask(page, "uncompromising words")
    expect(said(page)).to_have_text(re.compile(r"Results: \d"))
    first = hits(page).first
    expect(first.locator(".search-above")).to_have_text("Tour")
    expect(first.locator(".search-title")).to_have_text("The end")
    marked = first.locator(".search-excerpt mark")
    assert set(marked.all_inner_texts()) == {"uncompromising", "words"}
    first.click()
    expect(page).to_have_url(re.compile(r"/en/tour\.html#the-end$"))
    expect(page.get_by_role("heading", name="The end")).to_be_in_viewport()


def test_a_hit_in_a_tab_says_so_and_opens_it(site: Server, page: Page) -> None:
    page.goto(site.url("end"))
    ask(page, "tracing")
    expect(hits(page)).to_have_count(1)
    expect(hits(page).locator(".search-title")).to_have_text("In words")
    expect(hits(page).locator(".search-tab")).to_have_text("in the JAX tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/en/tour\.html\?tab=jax#say-jax$"))
    expect_shown(page, say="jax", add="jax")
    expect(page.get_by_text("JAX speaks of tracing.")).to_be_in_viewport()


def test_a_hit_on_the_same_page_is_gone_to_and_the_dialog_is_closed(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour", tab="jax"))
    page.evaluate("window.stays = true")
    ask(page, "uncompromising")
    page.keyboard.press("Enter")
    expect(dialog(page)).to_be_hidden()
    expect(page.get_by_role("heading", name="The end")).to_be_in_viewport()
    assert page.evaluate("window.stays")
    assert query(page) == "?tab=jax"


def test_of_many_tabs_the_readers_own_is_opened(site: Server, page: Page) -> None:
    for framework, title in (("jax", "JAX"), ("torch", "PyTorch")):
        page.goto(site.url("tour", tab=framework))
        ask(page, "speaks")
        expect(hits(page).first.locator(".search-tab")).to_have_text(f"in the {title} tab")
        page.keyboard.press("Escape")


def test_a_search_chooses_nothing_until_a_hit_is_opened(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    ask(page, "tracing")
    page.keyboard.press("Escape")
    assert kept(page) is None
    assert query(page) == ""


def test_accents_and_case_are_not_needed(site: Server, page: Page) -> None:
    page.goto(site.url("tour", "pt"))
    page.keyboard.press("Control+k")
    field(page).fill("EÁGERNESS")
    expect(hits(page)).to_have_count(1)
    expect(hits(page).locator("mark")).to_have_text("eagerness")
    expect(hits(page).locator(".search-tab")).to_have_text("na aba PyTorch")


def test_words_that_only_begin_alike_are_not_what_was_asked(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    ask(page, "wxyzzy")  # Pagefind would look for `w`
    expect(said(page)).to_contain_text("Nothing was found for “wxyzzy”.")
    expect(hits(page)).to_have_count(0)
    field(page).fill("eagerness")
    expect(hits(page)).to_have_count(1)
    field(page).fill("")
    expect(said(page)).to_be_empty()
    expect(hits(page)).to_have_count(0)


def test_what_was_asked_is_text_and_no_markup(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    ask(page, "<img src=x onerror=alert(1)>")
    expect(said(page)).to_contain_text("“<img src=x onerror=alert(1)>”")
    expect(dialog(page).locator("img")).to_have_count(0)


# Keys in the list


def test_arrows_go_through_the_hits_and_letters_go_to_the_field(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    ask(page, "say")
    expect(hits(page)).not_to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect(field(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(hits(page).first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("s")
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("says")


def test_enter_that_ends_a_composed_word_opens_nothing(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    ask(page, "tracing")
    expect(hits(page)).to_have_count(1)
    press = "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: %s })"
    field(page).evaluate(f"field => field.dispatchEvent({press % 'true'})")
    expect(dialog(page)).to_be_visible()
    assert query(page) == ""
    field(page).evaluate(f"field => field.dispatchEvent({press % 'false'})")
    expect_shown(page, say="jax")


# Where there is no index


def test_from_the_disk_it_says_why_it_is_not_there(site: Server, open_page: Open) -> None:
    said_in = {"en": "Search works on the website only", "pt": "A busca só funciona no site"}
    for language, reason in said_in.items():
        with open_page() as page:
            page.goto((site.folder / language / "tour.html").as_uri())
            page.keyboard.press("Control+k")
            expect(said(page)).to_contain_text(reason)
            expect(field(page)).to_be_disabled()
            page.keyboard.press("Escape")
            expect(dialog(page)).to_be_hidden()


def test_in_a_preview_it_says_so(site: Server, page: Page) -> None:
    live = '<dialog data-live="This preview has no search." '
    page.route(
        "**/tour.html",
        lambda route: route.fulfill(
            content_type="text/html; charset=utf-8",
            body=(site.folder / "en/tour.html").read_text("utf-8").replace("<dialog ", live),
        ),
    )
    page.goto(site.url("tour"))
    page.keyboard.press("Control+k")
    expect(said(page)).to_have_text("This preview has no search.")
    expect(field(page)).to_be_disabled()


@pytest.mark.parametrize("missing", ["hits.js", "pagefind.js", "pagefind-entry.json", "_fragment"])
def test_what_did_not_come_is_asked_for_again(site: Server, browser: Browser, missing: str) -> None:
    page = browser.new_page()  # whose complaints of what is missing are not of interest
    pattern = re.compile(re.escape(missing))
    page.route(pattern, lambda route: route.abort())
    page.goto(site.url("tour"))
    page.keyboard.press("Control+k")
    field(page).fill("tracing")
    expect(said(page)).to_contain_text("could not be loaded")
    page.unroute(pattern)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    field(page).fill("tracing ")
    expect(hits(page)).to_have_count(1)
    page.close()


# Open to everyone


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("words", ["speaks", "wxyzzy"])
def test_axe_finds_nothing_in_the_open_dialog(
    site: Server, open_page: Open, theme: Literal["light", "dark"], words: str
) -> None:
    with open_page(color_scheme=theme) as page:
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(site.url("tour", "pt"))
            ask(page, words)
            found = Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_large_text_on_a_small_screen_fits(site: Server, open_page: Open) -> None:
    with open_page(viewport={"width": 320, "height": 640}) as page:
        page.goto(site.url("tour"))
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        ask(page, "incomprehensible")
        for box in (".search", ".search-found"):
            found = dialog(page).locator("xpath=.") if box == ".search" else page.locator(box)
            assert found.evaluate("box => box.scrollWidth - box.clientWidth") == 0
