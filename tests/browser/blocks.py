"""What the tests of tabs look at: the rows, panels and the chooser of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

NO_UNTIL_FOUND = "delete HTMLElement.prototype.onbeforematch"
"""Make this browser one that cannot search what is hidden."""


def tab(page: Page, block: str, framework: str) -> Locator:
    """Return the tab of a framework in the block of this snippet."""
    return page.locator(f"#{block}-{framework}-tab")


def panel(page: Page, block: str, framework: str) -> Locator:
    """Return the panel of a framework in the block of this snippet."""
    return page.locator(f"#{block}-{framework}")


def radio(page: Page, framework: str) -> Locator:
    """Return the radio button of a framework at the top of the page."""
    return page.locator(f".chooser input[value={framework}]")


def expect_shown(page: Page, **blocks: str) -> None:
    """Expect each of these blocks to show this framework and to hide all others."""
    for block, framework in blocks.items():
        row = tab(page, block, framework).locator("..")
        expect(row.get_by_role("tab", selected=True)).to_have_id(f"{block}-{framework}-tab")
        panels = page.locator(f".sphinx-tabs:has(#{block}-{framework}) > .sphinx-tabs-panel")
        expect(panels.and_(page.locator(":not([hidden])"))).to_have_id(f"{block}-{framework}")


def query(page: Page) -> str:
    """Return the part of the address that a choice may change."""
    return page.evaluate("location.search")  # type: ignore[no-any-return]


def kept(page: Page) -> str | None:
    """Return what is remembered."""
    return page.evaluate("localStorage.getItem('polytab:framework')")  # type: ignore[no-any-return]
