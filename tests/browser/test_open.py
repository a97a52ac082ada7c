"""Given any page of the handbook, then it is open to everyone: eyes, hands, screens of any kind.

Every kind of page, in three languages: what holds for one of them is a promise of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.kinds import DESK, KINDS, LANGUAGES, PHONE

if TYPE_CHECKING:
    from typing import Literal

    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

NARROW = {"width": 320, "height": 640}


def expect_no_sideways_scrolling(page: Page, where: str) -> None:
    """Expect it of the window, of the article's column, and of the open dialog."""
    for box in ("html", ".content", "dialog[open]"):
        for found in page.locator(box).all():
            wide = found.evaluate("each => each.scrollWidth - each.clientWidth")
            assert wide <= 0, f"{where}: {box} is {wide} px too wide"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", ["desktop", "phone"])
def test_axe_finds_nothing(
    handbook: Server,
    open_page: Open,
    theme: Literal["light", "dark"],
    language: str,
    width: Literal["desktop", "phone"],
) -> None:
    with open_page(color_scheme=theme, viewport=PHONE if width == "phone" else DESK) as page:
        for kind in KINDS:
            kind.open(page, handbook, language)
            found = Axe().run(page).response["violations"]
            said = [(each["id"], each["nodes"][0]["html"]) for each in found]
            assert said == [], kind.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_narrowest_screen_scrolls_no_page_sideways(
    handbook: Server, open_page: Open, language: str
) -> None:
    with open_page(viewport=NARROW) as page:
        for kind in KINDS:
            kind.open(page, handbook, language)
            expect_no_sideways_scrolling(page, kind.name)


@pytest.fixture(scope="module")
def large(browser: Browser) -> Browser:
    """A browser whose reader has asked for text of twice the size."""
    args = [*FLAGS, "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"]
    return browser.browser_type.launch(executable_path=CHROMIUM, args=args)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [1280, 640])
def test_text_of_twice_the_size_scrolls_no_page_sideways(
    handbook: Server, large: Browser, language: str, width: int
) -> None:
    page = large.new_page(viewport={"width": width, "height": 640})
    for kind in KINDS:
        kind.open(page, handbook, language)
        assert page.evaluate("getComputedStyle(document.body).fontSize") != "16px"
        expect_no_sideways_scrolling(page, kind.name)
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_less_motion_is_none(handbook: Server, open_page: Open, language: str) -> None:
    moving = (
        "document.getAnimations({ subtree: true })"
        ".filter((each) => each.effect.getComputedTiming().activeDuration > 1).length"
    )
    with open_page(reduced_motion="reduce", viewport=PHONE) as page:
        for kind in KINDS:
            kind.open(page, handbook, language)
            assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == (
                "auto"
            ), kind.name
            for sign in page.locator(".nav-overlay-icon:visible").all()[: not kind.searching]:
                sign.click()
                assert page.evaluate(moving) == 0, kind.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_forced_colours_text_and_signs_are_seen(
    handbook: Server, open_page: Open, language: str
) -> None:
    unseen = """all => all.filter((each) => {
        const look = getComputedStyle(each);
        return look.color === getComputedStyle(document.documentElement).backgroundColor;
    }).map((each) => each.outerHTML.slice(0, 80))"""
    with open_page(forced_colors="active", viewport=PHONE) as page:
        for kind in KINDS:
            kind.open(page, handbook, language)
            words = page.locator("h1, h2, p, a:visible, button:visible, label:visible")
            assert words.evaluate_all(unseen) == [], kind.name
