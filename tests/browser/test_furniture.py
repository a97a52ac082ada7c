"""Given a page and what stands around it, then keys, fingers and ears reach all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.kinds import DESK, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

MAY_COPY = ["clipboard-read", "clipboard-write"]


def button(page: Page, block: str) -> Locator:
    return page.locator(f"{block} .copy")


def copied(page: Page) -> str:
    return page.evaluate("navigator.clipboard.readText()")  # type: ignore[no-any-return]


def test_a_button_copies_the_code_and_says_so(site: Server, open_page: Open) -> None:
    with open_page(permissions=MAY_COPY) as page:
        page.goto(site.url("tour", "pt", tab="torch"))
        code = page.locator("#add-torch .snippet-code pre").inner_text()
        add = button(page, "#add-torch")
        expect(add).to_have_accessible_name("Copiar o código")
        add.focus()
        page.keyboard.press("Enter")
        expect(page.locator("article > [role=status]")).to_have_text("Copiado")
        assert copied(page) == code.rstrip("\n")
        expect(add).to_be_focused()


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (".highlight-pycon", 'for each in "ab":\n    print(each)\n\n1 + 2'),
        (".highlight-console", "ls\nmake all"),
    ],
)
def test_of_a_session_only_what_was_typed_is_copied(
    site: Server, open_page: Open, block: str, expected: str
) -> None:
    with open_page(permissions=MAY_COPY) as page:
        page.goto(site.url("formulas"))
        button(page, block).click()
        expect(page.locator("article > [role=status]")).to_have_text("Copied")
        assert copied(page) == expected


def test_what_cannot_be_copied_is_selected(site: Server, page: Page) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error())")
    page.goto(site.url("plain"))
    button(page, "article").click()
    expect(page.locator("article > [role=status]")).to_contain_text("selected")
    assert page.evaluate("getSelection().toString().trim()") == "a = 1  # a comment"


def test_outputs_have_no_button_and_without_script_nothing_has(
    site: Server, open_page: Open
) -> None:
    with open_page() as page:
        page.goto(site.url("tour", tab="torch"))
        expect(page.locator(".copy")).not_to_have_count(0)
        expect(page.locator(".snippet-output .copy")).to_have_count(0)
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("tour"))
        expect(page.locator(".copy")).to_have_count(0)
        margin = "each => getComputedStyle(each).marginInlineEnd"
        assert page.locator(".snippet-code pre").first.evaluate(margin) == "0px"


def test_a_button_is_seen_when_the_hand_or_the_focus_is_there(site: Server, page: Page) -> None:
    page.goto(site.url("plain"))
    shown = button(page, "article")
    expect(shown).to_have_css("opacity", "0")
    page.locator("article .highlight").hover()
    expect(shown).to_have_css("opacity", "1")
    page.mouse.move(0, 0)
    expect(shown).to_have_css("opacity", "0")
    page.locator("article .highlight").press("Tab")
    page.keyboard.press("Shift+Tab")
    shown.focus()
    page.keyboard.press("Shift")  # a key makes focus visible
    expect(shown).to_have_css("opacity", "1")


def test_on_a_touch_screen_it_is_always_seen_and_large_enough(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.goto(site.url("plain"))
        shown = button(page, "article")
        expect(shown).to_have_css("opacity", "1")
        box = shown.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        block = page.locator("article .highlight").bounding_box()
        assert block is not None
        assert box["y"] + box["height"] <= block["y"] + block["height"]


@pytest.mark.parametrize("touch", [False, True])
def test_a_button_never_covers_code(site: Server, open_page: Open, touch: bool) -> None:  # noqa: FBT001
    with open_page(viewport=PHONE, has_touch=touch, is_mobile=touch) as page:
        page.goto(site.url("tour", tab="jax"))
        for block in page.locator(".highlight:has(> .copy):visible").all():
            code, beside = (block.locator(each).bounding_box() for each in ("pre", ".copy"))
            assert code is not None
            assert beside is not None
            assert code["x"] + code["width"] <= beside["x"] + 0.5


@pytest.mark.parametrize(("name", "drawer"), [("navigation", "sidebar"), ("contents", "toc")])
def test_keys_open_and_close_the_drawers_of_a_phone(
    site: Server, open_page: Open, name: str, drawer: str
) -> None:
    with open_page(viewport=PHONE, reduced_motion="reduce") as page:
        page.goto(site.url("tour"))
        sign = page.locator(".mobile-header").get_by_role("button", name=name)
        panel = page.locator(f".{drawer}-drawer")
        expect(sign).to_have_attribute("aria-expanded", "false")
        expect(panel).to_be_hidden()
        sign.focus()
        page.keyboard.press("Enter")
        expect(sign).to_have_attribute("aria-expanded", "true")
        expect(panel).to_be_in_viewport()
        expect(panel.locator(":focus")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(sign).to_have_attribute("aria-expanded", "false")
        expect(sign).to_be_focused()
        expect(panel).to_be_hidden()
        page.keyboard.press("Space")
        expect(panel).to_be_in_viewport()


def test_fingers_open_and_close_them_as_before(site: Server, open_page: Open) -> None:
    with open_page(viewport=PHONE, has_touch=True, reduced_motion="reduce") as page:
        page.goto(site.url("tour"))
        panel = page.locator(".sidebar-drawer")
        page.locator(".nav-overlay-icon").tap()
        expect(panel).to_be_in_viewport()
        expect(page.locator(".nav-overlay-icon")).to_have_attribute("aria-expanded", "true")
        page.touchscreen.tap(380, 600)  # beside it
        expect(panel).to_be_hidden()
        expect(page.locator(".nav-overlay-icon")).to_have_attribute("aria-expanded", "false")


def test_keys_reach_the_drawers_in_the_order_of_the_page(site: Server, open_page: Open) -> None:
    with open_page(viewport=PHONE) as page:
        page.goto(site.url("tour"))
        seen = []
        for _ in range(6):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.className.split(' ')[0]"))
        assert seen == [
            "skip-to-content",
            "nav-overlay-icon",
            "header-title",
            "search-open",
            "theme-toggle",
            "toc-overlay-icon",
        ]


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_place_that_a_link_leads_to_is_not_behind_the_header(
    handbook: Server, open_page: Open, size: dict[str, int]
) -> None:
    with open_page(viewport=size, reduced_motion="reduce") as page:
        page.goto(handbook.url("compilers", anchor="the-network"))
        heading = page.locator("#the-network > h2").bounding_box()
        assert heading is not None
        header = page.locator(".mobile-header").bounding_box() or {"height": 0.0}
        assert header["height"] + 16 < heading["y"] < 160


def test_without_script_keys_open_the_drawers_too(site: Server, open_page: Open) -> None:
    with open_page(viewport=PHONE, java_script_enabled=False, reduced_motion="reduce") as page:
        page.goto(site.url("tour"))
        expect(page.locator(".sidebar-drawer")).to_be_hidden()
        page.keyboard.press("Tab")
        expect(page.locator(".skip-to-content")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(page.locator(".sidebar-drawer")).to_be_in_viewport()
        expect(page.locator(".nav-overlay-icon")).to_have_css("outline-style", "solid")


def test_a_report_names_the_framework_that_the_reader_chose(site: Server, page: Page) -> None:
    page.goto(site.url("tour", tab="jax"))
    report = page.get_by_role("link", name="Report a problem")
    report.evaluate("each => each.addEventListener('click', (event) => event.preventDefault())")
    for framework in ("JAX", "PyTorch"):
        page.locator(".chooser-row label", has_text=framework).click()
        report.click()
        [body] = parse_qs(urlsplit(str(report.get_attribute("href"))).query)["body"]
        assert body == f"Page: tour\nLanguage: en\nFramework: {framework}\n"


def test_a_page_without_frameworks_reports_none(site: Server, page: Page) -> None:
    page.goto(site.url("plain"))
    report = page.get_by_role("link", name="Report a problem")
    report.evaluate("each => each.addEventListener('click', (event) => event.preventDefault())")
    report.click()
    assert "Framework" not in str(report.get_attribute("href"))


def test_no_date_and_no_version_is_broken_on_a_phone(site: Server, open_page: Open) -> None:
    with open_page(viewport={"width": 320, "height": 640}) as page:
        page.goto(site.url("tour", "pt", tab="torch"))
        line = page.locator(".provenance:visible").first
        tool, *_, day = line.inner_text().split(" · ")
        assert "\N{NO-BREAK SPACE}" in tool
        lines = line.evaluate(
            """(line, parts) => parts.map((part) => {
                const range = document.createRange();
                const at = line.firstChild.data.indexOf(part);
                range.setStart(line.firstChild, at);
                range.setEnd(line.firstChild, at + part.length);
                return range.getClientRects().length;
            })""",
            [tool, day],
        )
        assert lines == [1, 1]


def test_formulas_are_as_large_as_the_text_and_a_wide_one_scrolls_in_its_box(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport=PHONE) as page:
        page.goto(site.url("formulas"))
        inline = page.locator("article p math").first.bounding_box()
        assert inline is not None
        assert 8 < inline["height"] < 30
        equation = page.locator(".equation math").first.bounding_box()
        assert equation is not None
        assert 30 < equation["height"] < 90
        ends = page.locator("mtd[columnalign=right]").evaluate_all(
            "all => all.map((each) => Math.round(each.lastChild.getBoundingClientRect().right))"
        )
        assert len(ends) == 2
        assert len(set(ends)) == 1
        wide = page.locator(".equation-body").nth(1)
        assert wide.evaluate("each => each.scrollWidth > each.clientWidth")
        expect(wide).to_have_attribute("tabindex", "0")
        expect(page.locator(".equation .eqno")).to_be_in_viewport(ratio=1)


def test_formulas_need_no_script(site: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("formulas"))
        expect(page.locator("math").first).to_be_visible()
        expect(page.locator("script[src*=mathjax]")).to_have_count(0)


def test_in_forced_colours_what_a_button_shows_is_seen(site: Server, open_page: Open) -> None:
    with open_page(forced_colors="active") as page:
        page.goto(site.url("plain"))
        page.locator("article .highlight").hover()
        shown = button(page, "article")
        ink = shown.locator("svg").evaluate("each => getComputedStyle(each).stroke")
        ground = page.locator("body").evaluate("each => getComputedStyle(each).backgroundColor")
        assert ink != ground


def test_less_motion_is_none_of_ours(site: Server, open_page: Open) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(site.url("tour"))
        for each in (".copy", ".sidebar-drawer", ".toc-drawer"):
            assert page.locator(each).first.evaluate(
                "each => parseFloat(getComputedStyle(each).transitionDuration)"
            ) == 0  # fmt: skip
