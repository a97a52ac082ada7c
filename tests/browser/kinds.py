"""Every kind of page that a reader meets, in every language that is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.served import Server

LANGUAGES = ("en", "zh", "pt")
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


@dataclass(frozen=True)
class Kind:
    """A kind of page: where it lies, and whether it is looked at with the search open."""

    name: str
    page: str
    searching: bool = False
    framework: str | None = None

    def open(self, page: Page, server: Server, language: str) -> None:
        """Go there and wait for all that a reader would see."""
        query = {} if self.framework is None else {"tab": self.framework}
        page.goto(
            server.top(self.page) if self.page[:1] == "/" else
            server.url(self.page, language, **query)
        )  # fmt: skip
        expect(page.locator("html.arriving")).to_have_count(0)
        if self.searching:
            page.keyboard.press("Control+k")
            page.get_by_role("searchbox").fill("torch.compile")
            expect(page.locator(".search-hits a").first).to_be_visible()


KINDS = (
    Kind("article", "compilers", framework="torch"),
    Kind("another article", "parallelism", framework="jax"),
    Kind("an article about numbers", "hardware", framework="mxnet"),
    Kind("an article with wide tables", "when-compiling-pays", framework="torch"),
    Kind("index", "index"),
    Kind("search", "measuring", searching=True),
    Kind("status", "translations"),
    Kind("terms", "terms"),
    Kind("404", "/404.html"),
    Kind("root", "/index.html"),
)
