"""Given a chart, then each of its marks can be read: with eyes, a mouse, a finger, keys, by ear."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.kinds import DESK, LANGUAGES, PHONE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Open
    from tests.browser.served import Server

BARS, CURVES, ROOFLINE = "compilers", "when-compiling-pays", "hardware"
WIDTHS = (320, 390, 480, 600, 768, 1024, 1280)
LEAST, LEAST_OF_TEXT = 3.0, 4.5
"""The contrast that WCAG asks of what is no text (1.4.11), and of text (1.4.3)."""

BOXES = """(plane, kinds) => kinds.map((kind) => [...plane.querySelectorAll(kind)]
    .filter((each) => each.checkVisibility())
    .map((each) => {
        const box = each.getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom];
    }))"""
COLOURS = """(svg, [which, property]) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const read = (colour) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const found = [...svg.querySelectorAll(which)];
    const paint = [...new Set(found.map((each) => getComputedStyle(each)[property]))];
    return [getComputedStyle(document.documentElement).backgroundColor, ...paint].map(read);
}"""


def figure(page: Page, holds: str) -> Locator:
    """Return the first figure in sight that holds something."""
    return page.locator(f".benchmark:has({holds}):visible").first


def cells(box: Locator) -> set[str]:
    """Return what stands in the table of a figure."""
    return {each.strip() for each in box.locator("td").all_text_contents()}


# Reading


@pytest.mark.parametrize(("name", "holds"), [(BARS, ".case"), (CURVES, ".look-4")])
def test_keys_lead_through_all_that_the_table_says(
    handbook: Server, open_page: Open, name: str, holds: str
) -> None:
    with open_page(viewport=DESK) as page:
        page.goto(handbook.url(name))
        box = figure(page, holds)
        chart, reading = box.locator("svg.chart").first, box.locator(".chart-reading").first
        count = chart.locator("g > title").count()
        chart.focus()
        expect(reading).to_be_hidden()
        read = []
        for _ in range(count):
            page.keyboard.press("ArrowRight")
            expect(reading).to_be_visible()
            read.append(reading.text_content() or "")
        assert len(set(read)) == count
        known = cells(box)
        for each in read:
            _, value, spread = each.split("\n")
            assert value in known
            assert spread.startswith("half of the samples: ")
        page.keyboard.press("Escape")
        expect(reading).to_be_hidden()


def test_up_and_down_lead_to_the_neighbouring_curve_at_the_same_place(
    handbook: Server, open_page: Open
) -> None:
    with open_page(viewport=DESK) as page:
        page.goto(handbook.url(CURVES))
        box = figure(page, ".look-4")
        reading = box.locator(".chart-reading").first
        box.locator("svg.chart").first.focus()
        heads = []
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "End", "Home"):
            page.keyboard.press(key)
            heads.append((reading.text_content() or "").split("\n")[0])
        first, second, below, above, end, home = heads
        assert below.partition(":")[2] == second.partition(":")[2]
        assert below != second
        assert above == second
        assert home == first
        assert end not in {first, second, below}


@pytest.mark.parametrize("width", WIDTHS)
def test_the_title_of_an_axis_is_one_line_where_there_is_room_and_is_inside(
    handbook: Server, open_page: Open, width: int
) -> None:
    with open_page(viewport={"width": width, "height": 900}) as page:
        page.goto(handbook.url(CURVES, "pt"))
        titles = page.locator(".chart:visible .axis:visible")
        shown = {each for found in titles.all() for each in [found.get_attribute("class")]}
        assert shown == {"axis", "axis whole" if width > 500 else "axis lines"}
        for title in titles.all():
            outer, inner = title.evaluate(
                "each => [each.closest('.benchmark'), each].map((one) => {"
                " const box = one.getBoundingClientRect(); return [box.left, box.right]; })"
            )
            assert outer[0] - 1 <= inner[0] < inner[1] <= outer[1] + 1


def test_a_chart_is_one_stop_of_the_tab_key(handbook: Server, open_page: Open) -> None:
    with open_page(viewport=DESK) as page:
        page.goto(handbook.url(BARS))
        box = figure(page, ".case")
        box.locator("svg.chart").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        expect(box.locator("summary")).to_be_focused()
        expect(box.locator(".chart-reading")).to_be_hidden()


def test_a_mouse_reads_the_mark_it_is_near(handbook: Server, open_page: Open) -> None:
    with open_page(viewport=DESK) as page:
        page.goto(handbook.url(BARS))
        expect(page.locator("html.arriving")).to_have_count(0)
        box = figure(page, ".case")
        reading = box.locator(".chart-reading")
        box.evaluate("each => each.scrollIntoView({ behavior: 'instant' })")
        place = box.locator(".case").nth(1).bounding_box()
        assert place is not None
        across, down = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        page.mouse.move(across, down, steps=5)
        expect(reading).to_be_visible()
        value = box.locator(".case").nth(1).locator(".value").text_content() or ""
        assert value in (reading.text_content() or "")
        page.mouse.move(0, 0)
        expect(reading).to_be_hidden()


def test_a_finger_reads_a_mark_and_nothing_leaves_the_screen(
    handbook: Server, open_page: Open
) -> None:
    with open_page(viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.goto(handbook.url(CURVES))
        box = figure(page, ".look-4")
        on_top = box.locator(".group > .trace:visible").last  # others may lie below its marks
        for mark in on_top.locator("g").all():
            mark.tap()
            reading = box.locator(".chart-reading").first
            expect(reading).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_without_script_a_browser_tells_it_on_hover_and_the_table_has_it_all(
    handbook: Server, open_page: Open
) -> None:
    with open_page(java_script_enabled=False, viewport=DESK) as page:
        page.goto(handbook.url(BARS))
        box = figure(page, ".case")
        known = cells(box)
        titles = box.locator("g > title").all_text_contents()
        assert len(titles) == box.locator("tbody tr").count()
        assert all(each.split("\n")[1] in known for each in titles)
        expect(box.locator("[tabindex], output")).to_have_count(0)


def test_by_ear_a_chart_is_one_picture_and_each_reading_is_said_once(
    handbook: Server, open_page: Open
) -> None:
    with open_page(viewport=DESK) as page:
        page.goto(handbook.url(BARS))
        box = figure(page, ".case")
        box.locator("svg.chart").focus()
        page.keyboard.press("ArrowRight")
        said = box.locator(".chart-reading").text_content() or ""
        tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        parents = {each["nodeId"]: each.get("parentId") for each in tree}
        heard = {each["nodeId"]: each for each in tree if not each["ignored"]}
        texts = [number for number, each in heard.items() if each["role"]["value"] == "StaticText"]
        spread = said.split("\n")[2]
        assert [spread in heard[each]["name"]["value"] for each in texts].count(True) == 1
        inside = [each for each in texts if in_chart(each, parents, heard)]
        assert [heard[each]["name"]["value"] for each in inside] == []


def in_chart(node: str, parents: Mapping[str, str | None], heard: Mapping[str, Any]) -> bool:
    """Tell whether a node of the accessibility tree is a part of a chart."""
    above = parents.get(node)
    while above is not None:
        name = heard[above].get("name", {}) if above in heard else {}
        if str(name.get("value")).startswith("Time per call: "):
            return True
        above = parents.get(above)
    return False


# Seeing


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("framework", ["torch", "tensorflow", "mxnet", "paddle", "jax"])
def test_no_label_of_a_roofline_stands_on_a_point_or_a_label_at_any_width(
    handbook: Server, open_page: Open, language: str, framework: str
) -> None:
    with open_page(viewport=DESK) as page:
        page.goto(handbook.url(ROOFLINE, language, tab=framework))
        plane = figure(page, ".ridge").locator(".group")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            marks, words = plane.evaluate(BOXES, [".trace .mark", "text"])
            assert marks
            assert [pair for pair in combinations(words, 2) if touch(*pair)] == [], width
            assert [each for each in words if any(touch(each, m) for m in marks)] == [], width
            expect(plane.locator(".name:not(.spare)", has_text="FLOP/B")).to_be_visible()
        assert plane.locator(".size").count() >= 4


def touch(one: list[float], other: list[float]) -> bool:
    """Tell whether two boxes overlap by more than the leading of a line."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 2


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", [BARS, CURVES, ROOFLINE])
def test_every_word_of_a_chart_is_read_against_the_page(
    handbook: Server, open_page: Open, name: str, theme: Literal["light", "dark"]
) -> None:
    """Axe leaves all text in an SVG undecided, so this decides it."""
    with open_page(viewport=DESK, color_scheme=theme) as page:
        page.goto(handbook.url(name))
        charts = page.locator("svg.chart:visible").all()
        assert charts
        for chart in charts:
            page_colour, *inks = chart.evaluate(COLOURS, ["text", "fill"])
            assert inks
            assert min(contrast(each, page_colour) for each in inks) >= LEAST_OF_TEXT


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_curves_of_frameworks_stand_out_from_the_page(
    handbook: Server, open_page: Open, theme: Literal["light", "dark"]
) -> None:
    with open_page(viewport=DESK, color_scheme=theme) as page:
        page.goto(handbook.url(CURVES))
        page_colour, *strokes = (
            figure(page, ".look-4")
            .locator("svg.chart")
            .first.evaluate(COLOURS, [".group .trace .stroke", "stroke"])
        )
        assert len(strokes) == 5
        for each in strokes:
            assert contrast(each, page_colour) >= LEAST


def contrast(one: list[int], other: list[int]) -> float:
    """Return the contrast of two colours, as WCAG computes it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: list[int]) -> float:
    """Return the relative luminance of a colour of sRGB."""
    shares = [each / 255 for each in colour]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
              for each in shares]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
