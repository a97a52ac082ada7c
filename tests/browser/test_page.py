"""Given any page, then it is open to everyone: screens, keys, eyes and paper of every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.support.traces import eventually

if TYPE_CHECKING:
    from typing import Literal

    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

PAGES = ("index", "tour", "end", "plain", "formulas")


@pytest.mark.parametrize(
    ("theme", "language", "framework"), [("light", "en", "jax"), ("dark", "pt", "paddle")]
)
def test_axe_finds_nothing(
    site: Server,
    open_page: Open,
    theme: Literal["light", "dark"],
    language: str,
    framework: str,  # some blocks and a whole page lack paddle, and say so
) -> None:
    with open_page(color_scheme=theme) as page:
        for name in PAGES:
            for width in (1280, 360):
                page.set_viewport_size({"width": width, "height": 900})
                page.goto(site.url(name, language, tab=framework))
                found = Axe().run(page).response["violations"]
                said = [(each["id"], each["nodes"][0]["html"]) for each in found]
                assert said == [], f"{name} {width}"


def test_axe_looks_at_the_page(site: Server, open_page: Open) -> None:
    with open_page(bypass_csp=True) as page:
        page.goto(site.url("plain"))
        page.add_style_tag(content="article p { color: #ccc }")
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found] == ["color-contrast"]


def expect_no_sideways_scrolling(page: Page, site: Server) -> None:
    """Expect it of the window, and of the article's column."""
    for name in PAGES:
        page.goto(site.url(name, tab="jax"))
        for box in ("document.documentElement", "document.querySelector('.content')"):
            assert page.evaluate(f"{box}.scrollWidth - {box}.clientWidth") == 0, f"{name} {box}"


def test_no_page_scrolls_sideways_on_the_narrowest_screen(site: Server, open_page: Open) -> None:
    with open_page(viewport={"width": 320, "height": 640}) as page:
        expect_no_sideways_scrolling(page, site)


@pytest.mark.parametrize("width", [1280, 640])
def test_no_page_scrolls_sideways_with_text_of_twice_the_size(
    site: Server, browser: Browser, width: int
) -> None:
    args = [*FLAGS, "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"]
    kind = browser.browser_type
    with kind.launch(executable_path=CHROMIUM, args=args) as large:
        page = large.new_page(viewport={"width": width, "height": 640})
        expect_no_sideways_scrolling(page, site)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"


def test_keys_reach_the_boxes_that_scroll_and_no_others(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    code = page.locator("#add-jax .snippet-code pre")
    output = page.locator("#add-jax .snippet-output pre")
    expect(code).to_have_attribute("tabindex", "0")
    expect(output).not_to_have_attribute("tabindex", "0")
    code.press("ArrowRight")
    assert eventually(lambda: code.evaluate("each => each.scrollLeft") > 0)
    page.set_viewport_size({"width": 320, "height": 640})
    expect(page.locator(".table-wrapper")).to_have_attribute("tabindex", "0")


def test_code_and_output_are_one_box_and_told_apart(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    ground = "each => getComputedStyle(each).backgroundColor"
    bar = "each => getComputedStyle(each).borderInlineStartWidth"
    snippet = page.locator("#say-jax .snippet")
    code = snippet.locator(".snippet-code .highlight").evaluate(ground)
    assert code != snippet.locator(".snippet-output .highlight").evaluate(ground)
    expect(page.locator("#say-jax .snippet-output")).to_contain_text("ValueError: jax says traced")
    assert snippet.locator(".traceback").evaluate(bar) == "3px"
    assert page.locator("#twice-jax .output").evaluate(bar) == "0px"


def test_paper_has_no_skip_link_and_no_cut_lines(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    page.emulate_media(media="print")
    expect(page.locator(".skip-to-content")).to_be_hidden()
    wide = "all => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert page.locator("pre:visible").evaluate_all(wide) == 0


def test_less_motion_is_less_motion(site: Server, open_page: Open) -> None:
    moves = "getComputedStyle(document.documentElement).scrollBehavior"
    for wish, behaviour in (("reduce", "auto"), ("no-preference", "smooth")):
        with open_page(reduced_motion=wish) as page:
            page.goto(site.url("plain"))
            assert page.evaluate(moves) == behaviour


def test_nothing_moves_while_a_page_arrives(site: Server, page: Page) -> None:
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => {"
        " for (const each of list.getEntries()) window.moved += each.value;"
        "}).observe({ type: 'layout-shift', buffered: true })"
    )
    page.goto(site.url("tour", tab="mxnet"))
    expect(page.locator("#twice-mxnet")).to_be_visible()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("window.moved") < 0.001
