"""Given text that is folded away, then links, searches, paper and no script all show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from pypdf import PdfReader

from polytab.settings import load_settings
from polytab.site.build import build
from tests.browser.kinds import DESK, PHONE
from tests.browser.served import serve
from tests.browser.test_open import expect_no_sideways_scrolling
from tests.browser.test_screenshots import FOLDER
from tests.browser.test_search import ask, hits
from tests.support.forms_site import write_forms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Literal

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

FOLD = "fold-for-those-who-write-c"


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build the page of all forms and serve it."""
    settings = load_settings(write_forms(tmp_path_factory.mktemp("forms")).root)
    said: list[str] = []
    assert build(settings, [settings.source_language], strict=False, report=said.append) == 0, said
    with serve(settings.site) as server:
        yield server


def fold(page: Page, name: str = FOLD) -> Locator:
    return page.locator(f"details#{name}")


def inside(page: Page) -> Locator:
    return page.get_by_text("Words in the fold.")


def test_it_is_folded_away_and_opens_by_its_title(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed"))
    expect(inside(page)).to_be_hidden()
    page.get_by_text("For those who write C").first.click()
    expect(inside(page)).to_be_visible()
    expect(page.get_by_text("More words")).to_be_hidden()


def test_keys_open_it(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed"))
    fold(page).locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(inside(page)).to_be_visible()


def test_no_fold_is_seen_open_while_the_page_arrives(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed", hold='id="which"'), wait_until="commit")
    expect(fold(page)).to_be_visible()
    expect(inside(page)).to_be_hidden()
    forms.go_on.set()
    expect(fold(page, "solution-1")).not_to_have_attribute("open", "")


def test_an_address_opens_it(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed", anchor=FOLD))
    expect(inside(page)).to_be_visible()
    expect(inside(page)).to_be_in_viewport()
    expect(page.get_by_text("More words")).to_be_hidden()


def test_a_link_opens_it_as_often_as_it_is_followed(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed"))
    for _ in range(2):
        page.evaluate(
            """name => {
                const link = document.createElement("a");
                link.href = `#${name}`;
                document.body.append(link);
                link.click();
            }""",
            FOLD,
        )
        expect(inside(page)).to_be_visible()
        fold(page).locator("summary").first.click()
        expect(inside(page)).to_be_hidden()


def test_a_link_into_a_panel_in_a_fold_opens_both(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed", tab="torch"))
    panel = fold(page).locator(".sphinx-tabs-panel[id$=jax]")
    name = panel.get_attribute("id")
    page.evaluate("name => { location.hash = name }", name)
    expect(panel).to_be_visible()


def test_the_browsers_own_search_opens_it(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed", anchor=":~:text=Words%20in%20the%20fold"))
    expect(inside(page)).to_be_visible()


def test_the_search_finds_it_by_title_and_words_and_opens_it(forms: Server, page: Page) -> None:
    page.goto(forms.url("plain"))
    ask(page, "words in the fold")
    hit = hits(page).filter(has_text="Words in the fold")
    expect(hit).to_contain_text("For those who write C")
    expect(hit).to_contain_text("Folded")
    hit.click()
    expect(inside(page)).to_be_visible()
    assert page.evaluate("location.hash") == f"#{FOLD}"


def test_the_search_finds_what_is_folded_on_this_page(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed"))
    ask(page, "compiled one")
    hits(page).first.click()
    expect(fold(page, "solution-1").get_by_text("The compiled one.")).to_be_visible()


def test_without_script_all_is_open(forms: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(forms.url("speed"))
        for text in ("Words in the fold.", "More words", "The compiled one."):
            expect(page.get_by_text(text)).to_be_visible()


def test_paper_shows_all_and_the_screen_is_as_it_was(forms: Server, page: Page) -> None:
    page.goto(forms.url("speed"))
    fold(page).locator("summary").first.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for each in page.locator("details.fold").all():
        assert each.evaluate("each => each.open")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert [each.evaluate("each => each.open") for each in page.locator("details.fold").all()] == [
        *(True, False, False)
    ]


def test_what_is_printed_holds_what_is_folded(forms: Server, page: Page, tmp_path: Path) -> None:
    page.goto(forms.url("speed"))
    path = tmp_path / "page.pdf"
    page.pdf(path=path)
    text = " ".join(each.extract_text() for each in PdfReader(path).pages)
    assert "Words in the fold." in text
    assert "The compiled one." in text


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_all_forms_are_open_to_everyone(
    forms: Server, open_page: Open, theme: Literal["light", "dark"], size: dict[str, int]
) -> None:
    with open_page(color_scheme=theme, viewport=size) as page:
        page.goto(forms.url("speed"))
        for each in page.locator("details.fold > summary").all():
            each.click()
        expect_no_sideways_scrolling(page, "forms")
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        FOLDER.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=FOLDER / f"forms-{theme}-{size['width']}.png", full_page=True)
