"""The words of a chart: on a phone, too, none touches another and none is cut off."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from polytab.pages.charts.shapes import Label, labels, note


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


def test_a_short_note_is_one_line() -> None:
    svg = ET.Element("svg")
    assert note(svg, 1.0, "Time per call; shorter is faster") == 0
    assert [len(each) for each in svg] == [0]


def test_a_long_note_has_lines_and_reads_as_one_sentence() -> None:
    svg = ET.Element("svg")
    said = (
        "Tempo por chamada, eixo logarítmico; mais à esquerda é mais rápido, e mais abaixo também"
    )
    assert note(svg, 1.0, said) > 1
    [text] = svg
    lines = list(text.itertext())
    assert len(lines) > 1
    assert max(map(len, lines)) <= 45
    assert "".join(lines) == said


def test_a_label_that_no_screen_has_room_for_is_not_written() -> None:
    svg = ET.Element("svg")
    row = [Label(63, "524,288"), Label(79, "4,194,304"), Label(95, "33,554,432", "end")]
    labels(svg, 1.0, row)
    assert [each.text for each in svg] == ["524,288", "33,554,432"]
