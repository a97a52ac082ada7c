"""A chart: where its marks lie, and what of it can be read without seeing it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.interface.formats import Formats
from polytab.interface.messages import set_language
from polytab.pages.charts.bars import LARGEST_RATIO, Chart, Group, Mark, axis_of, draw
from polytab.pages.charts.shapes import CASE_LOOKS

if TYPE_CHECKING:
    from polytab.pages.charts.axis import Axis

EN = Formats("en")
TIMES = st.floats(min_value=1e-8, max_value=1e3)
SPREADS = st.floats(min_value=0.0, max_value=0.5)


@pytest.fixture(autouse=True)
def _english() -> None:
    """Choose the language of the notes on a chart, which a build before may have changed."""
    set_language("en")


def chart(*medians: float, spread: float = 0.1) -> Chart:
    marks = tuple(
        Mark(f"case {number}", number, median, median * (1 - spread), median * (1 + spread))
        for number, median in enumerate(medians)
    )
    return Chart("one", "A title", "A description", (Group("PyTorch", marks),))


def parsed(drawn: Chart) -> ET.Element:
    plain = draw(drawn, EN).replace('xmlns="http://www.w3.org/2000/svg" ', "", 1)
    return ET.fromstring(plain)  # noqa: S314  # what we have just written


def texts(svg: ET.Element, kind: str) -> list[str]:
    return [each.text or "" for each in svg.iter("text") if each.get("class") == kind]


@given(st.lists(TIMES, min_size=1, max_size=8), SPREADS)
def test_every_mark_lies_on_the_axis_in_the_order_of_the_times(
    medians: list[float], spread: float
) -> None:
    axis = axis_of(chart(*medians, spread=spread))
    places = [axis.at(median) for median in sorted(medians)]
    assert all(a <= b for a, b in pairwise(places))
    assert all(0 <= place <= 100 for place in places)
    assert axis.at(max(medians) * (1 + spread)) == pytest.approx(78)


@given(st.lists(TIMES, min_size=1, max_size=8))
def test_an_axis_is_logarithmic_exactly_where_cases_are_far_apart(medians: list[float]) -> None:
    axis = axis_of(chart(*medians))
    assert axis.logarithmic == (max(medians) > LARGEST_RATIO * min(medians))


@given(st.lists(TIMES, min_size=1, max_size=8))
def test_a_linear_axis_starts_at_zero_and_keeps_proportions(medians: list[float]) -> None:
    axis = axis_of(chart(*medians))
    if not axis.logarithmic:
        assert axis.at(0.0) == 0.0
        assert axis.ticks[0] == 0.0
        assert axis.at(medians[0]) / axis.at(medians[-1]) == pytest.approx(medians[0] / medians[-1])


@given(st.lists(TIMES, min_size=1, max_size=8), SPREADS)
def test_an_axis_has_a_few_round_ticks(medians: list[float], spread: float) -> None:
    axis: Axis = axis_of(chart(*medians, spread=spread))
    assert 3 <= len(axis.ticks) <= 7
    assert all(a < b for a, b in pairwise(axis.ticks))
    assert all(-1e-9 <= axis.at(tick) <= 100 for tick in axis.ticks if tick)
    for tick in filter(None, axis.ticks):
        digits = f"{tick:.6e}".partition("e")[0].replace(".", "").rstrip("0")
        assert len(digits) <= 2, tick


def test_a_chart_is_an_image_with_a_title_and_a_description() -> None:
    svg = parsed(chart(1.0, 2.0))
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "one-title one-desc"
    assert [(each.get("id"), each.text) for each in svg[:2]] == [
        ("one-title", "A title"),
        ("one-desc", "A description"),
    ]


def test_every_case_is_named_and_has_its_value_beside_its_mark() -> None:
    svg = parsed(chart(1e-3, 2e-3))
    assert texts(svg, "title") == ["PyTorch"]
    assert texts(svg, "name") == ["case 0", "case 1"]
    assert texts(svg, "value") == [EN.time(1e-3), EN.time(2e-3)]


def test_near_times_are_bars_on_an_axis_that_says_nothing_special() -> None:
    svg = parsed(chart(1.0, 1.5))
    bars = [each for each in svg.iter("rect") if each.get("class") == "mark"]
    assert [bar.get("x") for bar in bars] == ["0", "0"]
    assert not list(svg.iter("circle"))
    assert texts(svg, "axis") == ["Time per call; shorter is faster"]


def test_far_times_are_points_on_an_axis_that_says_it_is_logarithmic() -> None:
    svg = parsed(chart(1.0, 100.0))
    assert len(list(svg.iter("circle"))) == 2
    assert not [each for each in svg.iter("rect") if each.get("width", "").endswith("%")]
    assert "logarithmic" in texts(svg, "axis")[0]


@pytest.mark.parametrize("times", [(1.0, 1.1, 1.2, 1.3), (1.0, 30.0, 60.0, 90.0)])
def test_cases_differ_in_shape_and_not_in_colour_alone(times: tuple[float, ...]) -> None:
    rows = [each for each in parsed(chart(*times)).iter("g") if "case" in each.get("class", "")]
    assert len({row.get("class") for row in rows}) == CASE_LOOKS
    shapes = {
        tuple(
            (each.tag, each.get("transform"), each.get("fill"))
            for each in row.iter()
            if each.tag != "text"
        )
        for row in rows
    }
    # Disc, square and diamond; or plain and hatched bars, of which one is only an outline.
    assert len(shapes) == (3 if times[-1] > LARGEST_RATIO else 2)


def test_each_mark_can_be_read_once_with_its_case_its_value_and_its_spread() -> None:
    svg = parsed(chart(1e-3, 2e-3))
    read = [row.find("title") for row in svg.iter("g") if "case" in row.get("class", "")]
    assert [each.text for each in read if each is not None] == [
        f"PyTorch · case {number}\n{EN.time(value)}\n"
        f"half of the samples: {EN.time(value * 0.9)} to {EN.time(value * 1.1)}"
        for number, value in enumerate((1e-3, 2e-3))
    ]


def test_two_charts_of_a_page_share_no_name() -> None:
    first = chart(1.0, 1.1, 1.2)
    second = Chart("two", first.title, first.description, first.groups)
    ids = [{each.get("id") for each in parsed(one).iter()} - {None} for one in (first, second)]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_a_name_is_text_whatever_it_holds() -> None:
    mark = Mark("</svg><script>", 0, 1.0, 1.0, 1.0)
    svg = parsed(Chart("one", "a & b", "<b>", (Group(None, (mark,)),)))
    assert texts(svg, "name") == ["</svg><script>"]
    assert texts(svg, "title") == []


def test_no_spread_at_all_can_be_drawn() -> None:
    assert texts(parsed(chart(1e-6, spread=0.0)), "value") == [EN.time(1e-6)]
