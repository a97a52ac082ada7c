"""Given a reader in the middle of a page, when it changes, then what was in sight stays there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from polytab.settings import load_settings
from polytab.site.build import build
from tests.browser.blocks import query, radio
from tests.browser.kinds import DESK, PHONE
from tests.browser.served import serve
from tests.browser.test_tabs import NO_STORAGE
from tests.support.forms_site import write_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

SIZES = {"phone": PHONE, "desk": DESK}
LOOPS = "#loops > p"
BELOW = 2.0
"""How far below the bars something stands of which nothing has gone by."""

IN_SIGHT = """() => {
    const each = polytabPlace.inSight();
    const around = each.closest("[id]");
    return [around.id, each.localName, [...around.querySelectorAll("*")].indexOf(each)];
}"""
KEPT = "sessionStorage.getItem('polytab:place')"


def settled(page: Page) -> None:
    """Wait until the page is laid out, and has been shown so."""
    expect(page.locator("html.arriving")).to_have_count(0)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def y_of(locator: Locator) -> float:
    """Return where on the screen something stands."""
    box = locator.bounding_box()
    assert box is not None
    return box["y"]


def bring(locator: Locator, y: float) -> None:
    """Scroll so that something stands at a height of the screen."""
    locator.evaluate("(each, y) => scrollBy(0, each.getBoundingClientRect().top - y)", y)
    settled(locator.page)
    assert y_of(locator) == pytest.approx(y, abs=1)


def choose(page: Page, framework: str) -> None:
    """Press the name of a framework in the chooser."""
    page.locator(f".chooser-row label:has([value={framework}])").click()
    expect(radio(page, framework)).to_be_checked()
    settled(page)


# Another framework


@pytest.mark.parametrize("size", SIZES)
def test_what_is_read_stays_when_panels_above_change(
    handbook: Server, open_page: Open, size: str
) -> None:
    with open_page(viewport=SIZES[size], reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        read = page.locator(LOOPS).first
        for y in (200.0, 20.0):  # below the bars, and begun above them
            bring(read, y)
            for framework in ("jax", "mxnet", "torch"):
                scrolled = page.evaluate("scrollY")
                choose(page, framework)
                assert page.evaluate("scrollY") != scrolled, "nothing above has changed"
                assert y_of(read) == pytest.approx(y, abs=1.5)


def test_keys_leave_it_too(handbook: Server, open_page: Open) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        read = page.locator(LOOPS).first
        bring(read, 200)
        radio(page, "torch").focus(timeout=1000)
        page.keyboard.press("ArrowRight")
        expect(radio(page, "tensorflow")).to_be_checked()
        settled(page)
        assert y_of(read) == pytest.approx(200, abs=1.5)


@pytest.mark.parametrize("size", SIZES)
def test_in_a_panel_the_same_cell_takes_the_place_of_another_frameworks(
    handbook: Server, open_page: Open, size: str
) -> None:
    with open_page(viewport=SIZES[size], reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        y = page.evaluate("polytabPlace.line()") + 20  # nothing is in sight above it
        bring(page.locator("#loop-torch [data-cell=loop-while]"), y)
        choose(page, "tensorflow")
        assert y_of(page.locator("#loop-tensorflow [data-cell=loop-while]")) == pytest.approx(
            y, abs=1.5
        )


def test_where_the_other_has_no_such_cell_its_panel_is_in_sight(
    handbook: Server, open_page: Open
) -> None:
    with open_page(viewport=PHONE, reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        bring(page.locator("#loop-torch [data-cell=loop-right]"), 150)
        choose(page, "tensorflow")
        expect(page.locator("#loop-tensorflow")).to_be_in_viewport()


def test_at_the_top_the_chooser_itself_stays(site: Server, page: Page) -> None:
    page.goto(site.url("end", tab="mxnet"))
    settled(page)
    before = y_of(page.locator(".chooser"))
    choose(page, "jax")  # what says that MXNet is not here goes away
    assert y_of(page.locator(".chooser")) == before
    assert page.evaluate("scrollY") == 0


# Another language


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("y", [300.0, BELOW, -20.0])
def test_another_language_shows_the_same_paragraph(
    handbook: Server, open_page: Open, size: str, y: float
) -> None:
    with open_page(viewport=SIZES[size], reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="jax"))
        settled(page)
        read = page.locator("#loop-jax > p:not(.tab-title)").nth(1)
        bars = page.evaluate("polytabPlace.line()")
        bring(read, y + bars)
        before = page.evaluate(IN_SIGHT)
        for language, code in (("zh-CN", "zh"), ("pt-BR", "pt"), ("en", "en")):
            page.locator(f".languages a[hreflang={language}]").evaluate("each => each.click()")
            page.wait_for_url(f"**/{code}/capturing.html?tab=jax")
            settled(page)
            assert page.evaluate(IN_SIGHT) == before
            if y == BELOW:
                assert y_of(read) == pytest.approx(y + bars, abs=1.5)


def test_a_heading_in_sight_stays_where_it_is(handbook: Server, open_page: Open) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        heading = page.locator("#loops > h3")
        bring(heading, 60)
        page.get_by_role("link", name="简体中文").click()
        page.wait_for_url("**/zh/capturing.html?tab=torch")
        settled(page)
        assert y_of(heading) == pytest.approx(60, abs=1.5)


def test_the_place_in_sight_wins_over_the_one_in_the_address(
    handbook: Server, open_page: Open
) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch", anchor="the-captured-program"))
        settled(page)
        heading = page.locator("#loops > h3")
        bring(heading, 60)
        page.get_by_role("link", name="Português do Brasil").click()
        page.wait_for_url("**/pt/capturing.html?tab=torch#the-captured-program")
        page.wait_for_load_state("load")
        settled(page)
        assert y_of(heading) == pytest.approx(60, abs=1.5)


def test_the_top_stays_the_top(handbook: Server, open_page: Open) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        page.get_by_role("link", name="简体中文").click()
        page.wait_for_url("**/zh/capturing.html?tab=torch")
        settled(page)
        assert page.evaluate("scrollY") == 0


def test_what_was_kept_serves_once_and_its_page_alone(handbook: Server, open_page: Open) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        bring(page.locator("#loops > h3"), 60)
        path = page.evaluate("location.pathname").replace("/en/", "/zh/")
        page.evaluate("path => polytabPlace.keep(path)", path)
        assert page.evaluate(KEPT) is not None
        page.goto(handbook.url("parallelism"))
        settled(page)
        assert page.evaluate("scrollY") == 0
        assert page.evaluate(KEPT) is None
        page.goto(handbook.url("capturing", "zh", tab="torch"))
        settled(page)
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize(
    "kept",
    [
        *("{", "null", "1", '{"path": "PATH"}', '{"path": "PATH", "open": []}'),
        '{"path": "PATH", "open": [true], "place": {"id": "nowhere", "tag": "p", "at": 3}}',
        '{"path": "PATH", "open": 1, "place": 1}',
    ],
)
def test_what_no_page_of_ours_kept_is_no_error(site: Server, page: Page, kept: str) -> None:
    page.goto(site.url("plain"))
    page.evaluate(
        "kept => sessionStorage.setItem('polytab:place', kept)",
        kept.replace("PATH", "/en/tour.html"),
    )
    page.goto(site.url("tour"))
    settled(page)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("script", ["", NO_STORAGE], ids=["another window", "no storage"])
def test_where_nothing_can_be_kept_the_section_goes_along(
    handbook: Server, open_page: Open, script: str
) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.add_init_script(script)
        page.goto(handbook.url("capturing", tab="torch"))
        settled(page)
        bring(page.locator(LOOPS).first, 60)
        link = page.get_by_role("link", name="简体中文")
        if script:
            link.click()
            opened = page
        else:
            with page.context.expect_page() as asked:
                link.click(modifiers=["Control"])
            opened = asked.value
            assert page.evaluate(KEPT) is None
        opened.wait_for_url("**/zh/capturing.html?tab=torch#loops")
        expect(opened.locator("#loops > h3")).to_be_in_viewport()


def test_without_script_links_lead_to_the_page_in_each_language(
    site: Server, open_page: Open
) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("tour"))
        page.get_by_role("link", name="Português").click()
        page.wait_for_url("**/pt/tour.html")


# Folds


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build the page of all forms in its languages and serve it."""
    settings = load_settings(write_forms(tmp_path_factory.mktemp("forms")).root)
    said: list[str] = []
    assert build(settings, settings.languages, strict=False, report=said.append) == 0, said
    with serve(settings.site) as server:
        yield server


def opened(page: Page) -> list[bool]:
    """Return which folds of a page are open."""
    return page.locator("article details").evaluate_all(  # type: ignore[no-any-return]
        "all => all.map((each) => each.open)"
    )


def test_open_folds_are_open_in_another_language(forms: Server, open_page: Open) -> None:
    with open_page(viewport={"width": 1280, "height": 500}, reduced_motion="reduce") as page:
        page.goto(forms.url("speed", tab="torch"))
        settled(page)
        assert not any(opened(page))
        page.locator("#solution-1 > summary").click()
        read = page.locator("#solution-1 > p").first
        bring(read, page.evaluate("polytabPlace.line()") + BELOW)
        at = y_of(read)
        before = opened(page)
        assert sum(before) == 1
        other = page.locator(".languages a:not([aria-current])").first
        other.click()
        page.wait_for_url(lambda address: "/en/" not in address)
        settled(page)
        assert opened(page) == before
        assert y_of(read) == pytest.approx(at, abs=1.5)
        assert query(page) == "?tab=torch"


def test_a_fold_that_was_closed_again_stays_closed(forms: Server, open_page: Open) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(forms.url("speed", tab="torch", anchor="solution-1"))
        settled(page)
        page.locator("#solution-1 > summary").click()
        assert not any(opened(page))
        page.locator(".languages a:not([aria-current])").first.click()
        page.wait_for_url(lambda address: "/en/" not in address)
        settled(page)
        assert not any(opened(page))


def test_a_panel_that_a_link_has_opened_is_open_there_too(
    handbook: Server, open_page: Open
) -> None:
    with open_page(reduced_motion="reduce") as page:
        page.goto(handbook.url("capturing", tab="torch", anchor="loop-jax"))
        settled(page)
        read = page.locator("#loop-jax > p:not(.tab-title)").first
        bring(read, page.evaluate("polytabPlace.line()") + BELOW)
        at = y_of(read)
        page.get_by_role("link", name="简体中文").click()
        page.wait_for_url("**/zh/capturing.html?tab=torch#loop-jax")
        settled(page)
        expect(page.locator("#loop-jax")).to_be_visible()
        expect(page.locator("#loop-torch")).to_be_hidden()
        assert y_of(read) == pytest.approx(at, abs=1.5)
