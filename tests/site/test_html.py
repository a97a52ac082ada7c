"""Given a written page, when it is parsed, then it is a tree whose elements know their lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polytab.errors import PolytabError
from polytab.site.html import Element, elements, parse
from tests.site.pages import PAGE

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

NAMES = st.sampled_from(["div", "p", "span", "em", "li", "table", "x-y", "main"])
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=8)
ATTRIBUTES = st.dictionaries(st.sampled_from(["id", "class", "data-a", "href"]), TEXT, max_size=2)


def spell(element: ET.Element) -> str:
    """Write an element as HTML."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items())
    inner = escape(element.text or "") + "".join(
        spell(each) + escape(each.tail or "") for each in element
    )
    return f"<{element.tag}{given}>{inner}</{element.tag}>"


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Element:
    element = Element(draw(NAMES), draw(ATTRIBUTES))
    element.text = draw(TEXT)
    for _ in range(draw(st.integers(0, depth))):
        child = draw(trees(depth=depth - 1))
        child.tail = draw(TEXT)
        element.append(child)
    return element


def shape(element: ET.Element) -> tuple[object, ...]:
    inner = tuple((shape(each), each.tail or "") for each in element)
    return (element.tag, dict(element.attrib), element.text or "", inner)


@given(trees())
def test_what_was_written_is_read_back(tree: Element) -> None:
    [root] = parse("a.html", spell(tree).encode())
    assert shape(root) == shape(tree)


@given(st.binary() | st.text("<>/!-&#;[]='\" \nabps?").map(str.encode))
def test_any_bytes_are_read(content: bytes) -> None:
    """Or are refused, with their place: two tests below."""
    assume(b"<![" not in content)
    lines = content.count(b"\n") + 1
    assert all(
        1 <= each.line <= lines for each in elements(parse("en/a.html", content)) if each.line
    )


@given(st.lists(st.sampled_from(["", "words", "<p>", "<br>", "</p>", "<!-- x -->"]), max_size=9))
def test_an_element_knows_its_line(lines: list[str]) -> None:
    content = "\n".join([*lines, '<a href="x">'])
    [link] = parse("a.html", content.encode()).iter("a")
    assert isinstance(link, Element)
    assert link.line == len(lines) + 1


@given(st.text("<!>[]xif a\n").map(lambda text: f"<![{text}".encode()))
def test_a_declaration_that_no_html_has_is_read_or_refused(content: bytes) -> None:
    try:
        root = parse("en/a.html", content)
    except PolytabError:
        return  # the next test says how
    [_top, *found] = elements(root)
    assert not found or content.count(b"<") > 1


def test_a_refusal_names_the_line() -> None:
    with pytest.raises(PolytabError, match=r"^en/a\.html:2: this is no HTML"):
        parse("en/a.html", b"<p>\n<![other[x]]>")


def test_an_element_without_content_holds_nothing_and_a_drawing_ends() -> None:
    root = parse("en/tour.html", PAGE.encode())
    [paragraph] = root.findall("html/body/article/p")
    assert [each.tag for each in paragraph] == ["br", "a", "img", "svg"]
    assert [each.tag for each in paragraph[3]] == ["use", "path"]
    assert [each.tail for each in paragraph] == ["two\n", " four\n", None, None]


@pytest.mark.parametrize(
    ("markup", "tags"),
    [
        ("<div/><p>", [("div", 1), ("p", 0)]),  # browsers take no notice of the slash
        ("<svg/><p>", [("svg", 0), ("p", 0)]),
        ("<ul><li>a<li>b</ul><p>", [("ul", 1), ("li", 1), ("li", 0), ("p", 0)]),
        ("</div><p></em></p>", [("p", 0)]),
        ("<script>a < b</script><p>", [("script", 0), ("p", 0)]),
        ("<script/>a<b></script><p>", [("script", 0), ("p", 0)]),
    ],
)
def test_what_browsers_forgive_is_forgiven(markup: str, tags: list[tuple[str, int]]) -> None:
    [_, *found] = elements(parse("a.html", markup.encode()))
    assert [(each.tag, len(each)) for each in found] == tags


def test_of_two_attributes_of_a_name_the_first_counts() -> None:
    [link] = parse("a.html", b'<a href="x" href="y">')
    assert link.get("href") == "x"
