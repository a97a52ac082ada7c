"""Given a written page, when it is read, then it is a tree with lines, and says what it holds."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polytab.errors import PolytabError
from polytab.site.page import Element, Link, elements, read_page, read_pages
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path
    from xml.etree import ElementTree as ET

PAGE = """\
<!doctype html>
<html lang="en"><head>
<meta property="og:title" content="Tour &amp; <b>"><meta name="description" content="All.">
<link rel="stylesheet" href="_static/a.css?v=1"></head>
<body><article id="top"><p>one<br>two
<a name="named" href=" other.html#x ">three</a> four
<img src="dot.png"/><svg><use xlink:href="#dot"/><path id="dot"/></svg></p>
<dialog data-runtime="_static/hits.js"></dialog><a href="">nowhere</a>
</article></body></html>
"""
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
    [root] = read_page("a.html", spell(tree).encode()).root
    assert shape(root) == shape(tree)


@given(st.binary() | st.text("<>/!-&#;[]='\" \nabps?").map(str.encode))
def test_any_bytes_are_read(content: bytes) -> None:
    """Or are refused, with their place: two tests below."""
    assume(b"<![" not in content)
    page = read_page("en/a.html", content)
    assert all(1 <= link.line <= content.count(b"\n") + 1 for link in page.links)
    assert page.ids
    assert set(page.said.values()) <= {each.get("content", "") for each in page.root.iter()}


@given(st.lists(st.sampled_from(["", "words", "<p>", "<br>", "</p>", "<!-- x -->"]), max_size=9))
def test_an_element_knows_its_line(lines: list[str]) -> None:
    content = "\n".join([*lines, '<a href="x">'])
    assert read_page("a.html", content.encode()).links == (Link("x", len(lines) + 1),)


@given(st.text("<!>[]xif a\n").map(lambda text: f"<![{text}".encode()))
def test_a_declaration_that_no_html_has_is_read_or_refused(content: bytes) -> None:
    with suppress(PolytabError):
        read_page("en/a.html", content)


def test_a_refusal_names_the_line() -> None:
    with pytest.raises(PolytabError, match=r"^en/a\.html:2: this is no HTML"):
        read_page("en/a.html", b"<p>\n<![other[x]]>")


def test_a_page_says_what_it_holds() -> None:
    page = read_page("en/tour.html", PAGE.encode())
    assert page.content == PAGE.encode()
    assert page.ids >= {"top", "named", "dot"}
    assert page.said == {"og:title": "Tour & <b>"}
    assert page.links == (
        Link("_static/a.css?v=1", 4),
        Link("other.html#x", 6),
        Link("dot.png", 7),
        Link("#dot", 7),
        Link("_static/hits.js", 8),
    )


def test_an_element_without_content_holds_nothing_and_a_drawing_ends() -> None:
    root = read_page("en/tour.html", PAGE.encode()).root
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
    [_, *found] = elements(read_page("a.html", markup.encode()).root)
    assert [(each.tag, len(each)) for each in found] == tags


def test_of_two_attributes_of_a_name_the_first_counts() -> None:
    [link] = read_page("a.html", b'<a href="x" href="y">').links
    assert link.address == "x"


def test_of_all_files_pages_are_read_each_under_its_path(tmp_path: Path) -> None:
    write(tmp_path, {"tour.html": PAGE})
    read = read_pages({"en/tour.html": tmp_path / "tour.html", "a.html": b"<p>", "x.js": b"<p>"})
    assert [(name, page.path) for name, page in read.items()] == [
        ("a.html", "a.html"),
        ("en/tour.html", "en/tour.html"),
    ]
    assert read["en/tour.html"].content == PAGE.encode()
