"""Given a page's policy, then what is ours works and what was slipped in does not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

SLIPPED_IN = {
    "an inline script": "<script>window.ran = true</script>",
    "an event handler": '<img src="data:," onerror="window.ran = true">',
    "a link that is a script": '<a id="slip" href="javascript:window.ran = true">here</a>',
    "a script from another host": '<script src="http://127.0.0.2/x.js"></script>',
    "a page in the page": '<iframe srcdoc="<script>parent.ran = true</script>"></iframe>',
    "another start of addresses": '<base href="http://127.0.0.2/">',
    "a style": '<p id="slip" style="position: fixed">here</p>',
}


def slip_in(page: Page, file: Path, markup: str) -> list[str]:
    """Serve a page with this at the start of its body; return what its policy stops."""
    stopped: list[str] = []
    page.on("console", lambda message: stopped.append(message.text))
    written = file.read_text(encoding="utf-8").replace("<body>", f"<body>{markup}", 1)
    page.route(
        f"**/{file.name}*",
        lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=written),
    )
    return stopped


@pytest.mark.parametrize("kind", SLIPPED_IN)
def test_what_was_slipped_in_does_not_run(site: Server, browser: Browser, kind: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        stopped = slip_in(page, site.folder / "en" / "tour.html", SLIPPED_IN[kind])
        page.goto(site.url("tour", tab="jax"))
        if (slip := page.locator("#slip")).count():
            slip.dispatch_event("click")
            assert slip.evaluate("each => getComputedStyle(each).position") == "static"
        expect(page.locator("#add-jax")).to_be_visible()  # ours has run
        page.wait_for_load_state()
        assert page.evaluate("window.ran") is None
        assert page.evaluate("document.baseURI").startswith(site.url("tour"))
        assert any("Content Security Policy" in each for each in stopped)


def test_a_script_would_run_without_a_policy(site: Server, browser: Browser) -> None:
    with browser.new_context(bypass_csp=True) as context:
        page = context.new_page()
        slip_in(page, site.folder / "en" / "tour.html", SLIPPED_IN["an inline script"])
        page.goto(site.url("tour"))
        assert page.evaluate("window.ran") is True


def test_every_page_of_a_site_has_a_policy_that_stops_nothing_of_it(
    site: Server, page: Page
) -> None:
    pages = sorted(site.folder.rglob("*.html"))
    assert {"404.html", "index.html"} <= {each.name for each in pages}
    for each in pages:
        address = f"http://127.0.0.1:{site.server_port}/{each.relative_to(site.folder).as_posix()}"
        page.goto(address)  # the fixture complains of whatever the browser does
        first = page.locator("head > :first-child")
        expect(first).to_have_attribute("http-equiv", "Content-Security-Policy")


def test_pages_from_the_disk_work_under_it(site: Server, open_page: Open) -> None:
    with open_page() as page:
        page.goto((site.folder / "en" / "tour.html").as_uri() + "?tab=jax")
        expect(page.locator("#add-jax")).to_be_visible()
        expect(page.locator("#add-torch")).to_be_hidden()
        ground = "getComputedStyle(document.querySelector('.snippet')).borderRadius"
        assert page.evaluate(ground) == "8px"
        page.goto((site.folder / "404.html").as_uri())
        expect(page.get_by_role("list")).to_be_visible()


def test_the_colours_that_a_reader_chooses_hold(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
