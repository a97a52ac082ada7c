"""One browser and one site for all; every page a test opens is watched for what must not happen."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.served import build_handbook, build_site, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

    from tests.browser.served import Server

    Open = Callable[..., AbstractContextManager[Page]]

CHROMIUM = shutil.which("chromium")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build the site and serve it."""
    with serve(build_site(tmp_path_factory.mktemp("site"))) as server:
        yield server


@pytest.fixture(scope="session")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build the handbook itself, in all its languages, and serve it."""
    with serve(build_handbook(tmp_path_factory.mktemp("handbook"))) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Debian's Chromium with a profile of its own."""
    if CHROMIUM is None:
        pytest.fail("install Debian's package `chromium` to run the browser tests")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser) -> Open:
    """Open a page in a window with no memory; fail where it complains or asks another host."""

    @contextmanager
    def opened(**window: object) -> Iterator[Page]:
        complaints: list[str] = []

        def hear(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                complaints.append(f"{message.text} ({message.location['url']})")

        def look(request: Request) -> None:
            if urlsplit(request.url).hostname not in {"127.0.0.1", None}:
                complaints.append(f"asked for {request.url}")

        context = browser.new_context(**window)  # type: ignore[arg-type]  # as Playwright spells it
        context.on("console", hear)
        context.on("request", look)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        yield context.new_page()
        context.close()
        assert complaints == []

    return opened


@pytest.fixture
def page(open_page: Open) -> Iterator[Page]:
    """A page in an ordinary window."""
    with open_page() as opened:
        yield opened
