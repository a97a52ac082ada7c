"""Given a page recorded on CPU and CUDA, when a reader chooses, all of it follows and remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.blocks import NO_UNTIL_FOUND, query
from tests.browser.served import build_site, serve
from tests.support.numbers_site import COMPILED_WINS, EAGER_WINS, NumbersSite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from playwright.sync_api import Locator, Page, Route

    from tests.browser.conftest import Open
    from tests.browser.served import Server

KEPT = "localStorage.getItem('polytab:device')"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build the site as if torch and JAX had run on CUDA too, and serve it."""
    folder = tmp_path_factory.mktemp("devices")
    with serve(build_site(folder, on_cuda=("tour/torch", "tour/jax"))) as server:
        yield server


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build a page with numbers, and return its address."""
    numbers = NumbersSite.copy(tmp_path_factory.mktemp("numbers"))
    for framework in ("torch", "mxnet", "jax"):
        numbers.record(framework, EAGER_WINS)
    numbers.record("torch", COMPILED_WINS, device="cuda")
    numbers.build()
    return (numbers.root / "_build" / "html" / "speed.html").as_uri()


def part(page: Page, block: str, framework: str, device: str) -> Locator:
    """Return what a device has made of a snippet in a framework."""
    return page.locator(f"#{block}-{framework}-{device}")


def choose(page: Page, device: str) -> None:
    page.get_by_role("radiogroup", name="Device").get_by_label(device).check()


def expect_device(page: Page, device: str) -> None:
    """Expect all parts that are in sight to be of one device."""
    shown = page.locator(".device-part:visible")
    expect(shown.first).to_be_visible()
    for each in shown.all():
        expect(each).to_have_attribute("data-device", device)
    expect(page.locator(f".device-switch input[value={device}]")).to_be_checked()


# The choice


def test_before_any_choice_the_cpu_is_shown(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    expect_device(page, "cpu")
    expect(page.locator(".device-absence:visible, .device-title:visible")).to_have_count(0)
    assert query(page) == ""
    assert page.evaluate(KEPT) is None


def test_a_choice_shows_the_other_device_everywhere_and_in_the_address(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour", tab="jax"))
    choose(page, "CUDA")
    expect_device(page, "cuda")
    expect(part(page, "add", "jax", "cuda")).to_contain_text("NVIDIA H100")
    expect(part(page, "add", "jax", "cpu")).to_be_hidden()
    assert query(page) == "?tab=jax&device=cuda"
    choose(page, "CPU")
    expect_device(page, "cpu")
    assert query(page) == "?tab=jax&device=cpu"


def test_the_choice_is_kept_over_pages_languages_and_visits(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    choose(page, "CUDA")
    page.get_by_role("link", name="Português").click()
    page.wait_for_url("**/pt/tour.html?device=cuda")
    expect_device(page, "cuda")
    visit = page.context.new_page()
    visit.goto(site.url("end"))
    expect(visit.locator(".device-switch, .device-part, .device-absence")).to_have_count(0)
    visit.goto(site.url("tour", "pt"))
    expect_device(visit, "cuda")
    expect(visit.get_by_role("radiogroup", name="Dispositivo")).to_be_visible()


def test_an_address_from_elsewhere_wins_and_a_strange_one_is_ignored(
    site: Server, page: Page
) -> None:
    page.goto(site.url("tour", device="cuda"))
    expect_device(page, "cuda")
    assert page.evaluate(KEPT) == "cuda"
    page.goto(site.url("tour", device="cpu", other="stays"))
    expect_device(page, "cpu")
    assert query(page) == "?device=cpu&other=stays"
    page.goto(site.url("tour", device="tpu"))
    expect_device(page, "cpu")


def test_the_keys_of_radio_buttons_choose(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    page.locator(".device-switch input[value=cpu]").focus()
    page.keyboard.press("ArrowRight")
    expect_device(page, "cuda")
    expect(page.locator(".device-switch input[value=cuda]")).to_be_focused()


def test_a_page_out_of_the_browsers_memory_catches_up(site: Server, page: Page) -> None:
    page.goto(site.url("tour", device="cpu"))
    page.evaluate("localStorage.setItem('polytab:device', 'cuda')")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect_device(page, "cuda")


def test_what_has_nothing_from_cuda_says_so_once_cuda_is_chosen(site: Server, page: Page) -> None:
    page.goto(site.url("tour", device="cuda", tab="mxnet"))
    why = "MXNet has gone. What is shown is from the CPU."
    expect(page.locator("#add-mxnet .device-absence")).to_have_text(why)
    expect(page.locator("#add-mxnet .provenance")).to_contain_text("CPU: A Processor")
    choose(page, "CPU")
    expect(page.locator(".device-absence:visible")).to_have_count(0)


# The screen


def test_nothing_is_shown_that_was_not_chosen_while_a_page_arrives(
    site: Server, page: Page
) -> None:
    site.go_on.clear()
    page.goto(site.url("tour", tab="jax", device="cuda", hold="JAX speaks"), wait_until="commit")
    expect(page.locator("#say-torch")).to_be_attached()
    expect_device(page, "cuda")
    assert page.evaluate("document.readyState") == "loading"
    site.go_on.set()
    expect(page.get_by_text("JAX speaks of tracing.")).to_be_visible()


@pytest.mark.parametrize("script", ["", NO_UNTIL_FOUND], ids=["until-found", "plain hidden"])
def test_a_link_opens_what_is_hidden_in_its_block_alone_and_names_it(
    site: Server, page: Page, script: str
) -> None:
    page.add_init_script(script)
    page.goto(site.url("tour", anchor="add-jax-cuda"))
    expect(part(page, "add", "jax", "cuda")).to_be_in_viewport()
    expect(part(page, "add", "jax", "cuda").get_by_text("CUDA", exact=True)).to_be_visible()
    expect(part(page, "add", "jax", "cpu")).to_be_hidden()
    expect(page.locator(".device-switch input[value=cpu]")).to_be_checked()
    assert page.evaluate(KEPT) is None


def test_the_browser_finds_what_is_hidden(site: Server, page: Page) -> None:
    page.goto(site.url("tour", anchor=":~:text=torch%20from%20CUDA"))
    expect(part(page, "add", "torch", "cuda").get_by_text("torch from CUDA")).to_be_in_viewport()
    expect(part(page, "add", "torch", "cpu")).to_be_hidden()


def test_a_thumb_can_hit_the_switch_and_nothing_scrolls_sideways(
    site: Server, open_page: Open
) -> None:
    with open_page(viewport={"width": 320, "height": 640}, has_touch=True) as page:
        page.goto(site.url("tour", device="cuda"))
        for label in page.locator(".device-switch label").all():
            box = label.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["width"] >= 44
        content = "document.querySelector('.content')"
        assert page.evaluate(f"{content}.scrollWidth - {content}.clientWidth") == 0


def test_what_the_reader_touched_stays_where_it_is(site: Server, page: Page) -> None:
    page.goto(site.url("tour"))
    switch = page.locator(".device-switch")
    before = switch.bounding_box()
    choose(page, "CUDA")
    expect_device(page, "cuda")
    assert switch.bounding_box() == before


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(site: Server, open_page: Open, theme: Literal["light", "dark"]) -> None:
    with open_page(color_scheme=theme) as page:
        for language, framework in (("en", "torch"), ("pt", "mxnet")):
            for device in ("cpu", "cuda"):
                page.goto(site.url("tour", language, tab=framework, device=device))
                found = Axe().run(page).response["violations"]
                assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


# Without a script, and on paper


def test_without_script_both_are_shown_under_their_names(site: Server, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site.url("tour"))
        for device, title in (("cpu", "CPU"), ("cuda", "CUDA")):
            expect(
                part(page, "add", "torch", device).get_by_text(title, exact=True)
            ).to_be_visible()
        expect(page.locator(".device-switch")).to_be_hidden()


def test_a_script_that_does_not_arrive_leaves_the_page_as_without(site: Server, page: Page) -> None:
    def without(route: Route) -> None:  # the script is published under a name of its content
        answer = route.fetch()
        ours = "polytab:device" in answer.text()
        route.fulfill(response=answer, body="" if ours else answer.body())

    page.route("**/*.js", without)
    page.goto(site.url("tour"))
    expect(part(page, "add", "torch", "cpu")).to_be_visible()
    expect(part(page, "add", "torch", "cuda")).to_be_visible()
    expect(page.locator(".device-switch")).to_be_hidden()


def test_paper_shows_the_chosen_device_under_its_name(site: Server, page: Page) -> None:
    page.goto(site.url("tour", device="cuda"))
    page.emulate_media(media="print")
    expect(part(page, "add", "torch", "cuda").get_by_text("CUDA", exact=True)).to_be_visible()
    expect(part(page, "add", "torch", "cpu")).to_be_hidden()
    expect(page.get_by_role("radio")).to_have_count(0)


# Numbers in sentences, verdicts and charts


def test_numbers_follow_the_choice(numbers: str, page: Page) -> None:
    page.goto(f"{numbers}?tab=torch&device=cpu")
    cpu, cuda = page.locator("p > .number[data-device]").all()[:2]
    expect(cpu).to_be_visible()
    expect(cuda).to_be_hidden()
    expect(page.locator(".device-label:visible, .device-between:visible")).to_have_count(0)
    expect(page.get_by_text("Compiling costs: a factor of")).to_be_visible()
    choose(page, "CUDA")
    expect(cpu).to_be_hidden()
    expect(cuda).to_be_visible()
    expect(page.get_by_text("Compiling pays, by a factor of")).to_be_visible()
    expect(page.get_by_text("Compiling costs: a factor of")).to_be_hidden()
    for chart in page.locator(".benchmark:visible").all():
        expect(chart).to_contain_text("NVIDIA H100")


def test_a_number_of_the_cpu_is_named_while_cuda_is_chosen(numbers: str, page: Page) -> None:
    page.goto(f"{numbers}?tab=jax&device=cuda")
    label = page.locator("p > .number:visible .device-label")
    expect(label).to_have_text(" (CPU)")
    expect(label).to_be_visible()
    choose(page, "CPU")
    expect(label).to_be_hidden()


def test_without_script_each_number_has_its_device(numbers: str, open_page: Open) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(numbers)
        names = page.locator("p:has(> .number[data-device]) .device-label:visible")
        assert names.all_inner_texts()[:2] == [" (CPU)", " (CUDA)"]


def test_on_paper_a_number_has_its_device(numbers: str, page: Page) -> None:
    page.goto(f"{numbers}?tab=torch&device=cuda")
    page.emulate_media(media="print")
    shown = page.locator("p > .number[data-device]:visible .device-label")
    assert {*shown.all_inner_texts()} == {" (CUDA)"}
