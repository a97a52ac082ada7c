"""The words of a chart: on a phone, too, none touches another and none is cut off."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.pages.charts.labels import Label, Obstacle, Spot, labels, spot_labels


def spare(*row: Label) -> list[str]:
    """Return the labels that a narrow screen leaves out."""
    svg = ET.Element("svg")
    labels(svg, 1.0, row)
    assert {each.text for each in svg} == {each.text for each in row}
    return [str(each.text) for each in svg if each.get("class") == "tick spare"]


def test_labels_with_room_are_all_shown() -> None:
    assert spare(Label(0, "0", "start"), Label(50, "1 ms"), Label(100, "2 ms", "end")) == []


def test_of_two_that_touch_the_left_one_is_left_out() -> None:
    assert spare(Label(20, "50 µs"), Label(30, "100 µs"), Label(80, "1 ms")) == ["50 µs"]


def test_one_between_two_that_have_room_is_left_out_alone() -> None:
    row = [Label(50, "524,288"), Label(70, "4,194,304"), Label(95, "33,554,432", "end")]
    assert spare(*row) == ["4,194,304"]


@pytest.mark.parametrize(("text", "room"), [("100", True), ("一百个数", False)])
def test_chinese_characters_are_twice_as_wide(text: str, *, room: bool) -> None:
    assert (spare(Label(40, text), Label(55, "200")) == []) is room


def test_a_label_that_no_screen_has_room_for_is_not_written() -> None:
    svg = ET.Element("svg")
    row = [Label(63, "524,288"), Label(79, "4,194,304"), Label(95, "33,554,432", "end")]
    labels(svg, 1.0, row)
    assert [each.text for each in svg] == ["524,288", "33,554,432"]


# The labels of points

PLANE = (0.0, 20.0)


def placed(*spots: Spot, obstacles: tuple[Obstacle, ...] = ()) -> list[tuple[str, str]]:
    """Return the labels that are written, each with its class."""
    svg = ET.Element("svg")
    marks = tuple(Obstacle((each.at, each.down), (each.at, each.down), 0.8) for each in spots)
    spot_labels(svg, spots, (*obstacles, *marks), PLANE)
    return [(str(each.text), str(each.get("class"))) for each in svg]


def test_a_point_with_room_is_labelled_at_any_width() -> None:
    assert placed(Spot(50, 10, ("256",))) == [("256", "size")]


def test_the_shorter_text_is_taken_where_the_longer_has_no_room() -> None:
    said = "a ridge of which there is much to say"
    assert placed(Spot(50, 10, (said, "4.71"))) == [("4.71", "size")]


def test_a_label_with_room_on_wide_screens_only_is_spare() -> None:
    wall = Obstacle((60, 0), (60, 20))
    assert placed(Spot(50, 10, ("1,024",)), obstacles=(wall, Obstacle((40, 0), (40, 20)))) == [
        ("1,024", "size spare")
    ]


def test_of_points_that_lie_over_each_other_one_is_labelled() -> None:
    walls = tuple(Obstacle((0, down), (100, down)) for down in (8.5, 11.5))
    crowd = [Spot(30, 10, ("131,072",)), Spot(30.5, 10, ("1,048,576",)), Spot(31, 10, ("8,388",))]
    assert len(placed(*crowd, obstacles=walls)) < 3


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 20)), min_size=1, max_size=12),
    st.floats(13, 52),
)
def test_no_label_covers_a_mark_or_another_label(
    places: list[tuple[float, float]], width: float
) -> None:
    svg = ET.Element("svg")
    spots = [Spot(at, down, ("1,024",)) for at, down in places]
    marks = [Obstacle(place, place, 0.8) for place in places]
    spot_labels(svg, spots, marks, PLANE)
    boxes = [box_of(each, width) for each in svg if "spare" not in (each.get("class") or "")]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left <= right <= width
        for at, down in places:
            x = at * width / 100
            assert not (left - 0.3 < x < right + 0.3 and top - 0.3 < down < bottom + 0.3)
        for other in boxes[:number]:
            beside = left >= other[2] or other[0] >= right
            assert beside or top >= other[3] or other[1] >= bottom


def box_of(label: ET.Element, width: float) -> tuple[float, float, float, float]:
    """Return the letters of a label in a chart so wide, with digits that are half an em wide."""
    x = float((label.get("x") or "").removesuffix("%")) * width / 100
    x += float((label.get("dx") or "0").removesuffix("em"))
    wide = 0.5 * len(label.text or "")
    left = x - {"start": 0, "middle": wide / 2, "end": wide}[str(label.get("text-anchor"))]
    baseline = float((label.get("y") or "").removesuffix("em"))
    return left, baseline - 0.7, left + wide, baseline
