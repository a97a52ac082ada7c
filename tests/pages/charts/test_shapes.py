"""The shapes of a chart: notes that a phone has room for, and looks that differ without colour."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from polytab.pages.charts.shapes import axis_title, case_look, framework_look, marker, note


def test_a_short_note_is_one_line() -> None:
    svg = ET.Element("svg")
    assert note(svg, "axis", "0", 1.0, "Time per call; shorter is faster") == 0
    assert [len(each) for each in svg] == [0]


def test_a_long_note_has_lines_and_reads_as_one_sentence() -> None:
    svg = ET.Element("svg")
    said = (
        "Tempo por chamada, eixo logarítmico; mais à esquerda é mais rápido, e mais abaixo também"
    )
    assert note(svg, "axis", "0", 1.0, said) > 1
    [text] = svg
    lines = list(text.itertext())
    assert len(lines) > 1
    assert max(map(len, lines)) <= 45
    assert "".join(lines) == said


def test_a_title_that_a_large_screen_has_room_for_is_there_whole_too() -> None:
    svg = ET.Element("svg")
    said = "Tempo por chamada, logarítmico; à esquerda é mais rápido"
    height = axis_title(svg, "0", 1.0, said)
    lines, whole = svg
    assert (whole.text, whole.get("y"), whole.get("display")) == (said, "1em", "none")
    assert [lines.get("class"), whole.get("class")] == ["axis lines", "axis whole"]
    axis_title(svg, "0", 1.0, said, above=True)
    assert svg[3].get("y") == f"{1 + height:g}em"
    too_long = ET.Element("svg")
    axis_title(too_long, "0", 1.0, f"{said}, ou mais acima")
    short = ET.Element("svg")
    axis_title(short, "0", 1.0, "Time per call")
    assert [each.get("class") for each in (*too_long, *short)] == ["axis", "axis"]


def drawn(look: int) -> bytes:
    """Return the marker of a look, without what CSS adds."""
    svg = ET.Element("svg")
    marker(svg, look, "0", 0.0)
    return ET.tostring(svg)


def test_five_frameworks_over_each_other_have_five_markers() -> None:
    looks = [framework_look(number) for number in range(5)]
    assert len({drawn(look) for look in looks}) == 5


def test_no_framework_looks_like_a_case() -> None:
    assert not {framework_look(each) for each in range(9)} & {case_look(each) for each in range(9)}
