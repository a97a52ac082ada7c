"""What Markdown makes of what we write is the text that was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from polytab.export.inline import code, escape, escape_starts, inline

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_TEXTS = st.text(st.sampled_from("ab中。“*_`\\<>&;#-+=~|[]()!.:1 "), min_size=1, max_size=12)
_WORDS = st.text(st.sampled_from("ab中。“（1"), min_size=1, max_size=4)


def _shown(markdown: str) -> BeautifulSoup:
    return BeautifulSoup(_MARKDOWN.render(markdown), "html.parser")


@given(st.lists(_TEXTS.map(str.strip).filter(bool), min_size=1, max_size=3))
def test_text_is_shown_as_it_is(lines: list[str]) -> None:
    shown = _shown(escape_starts(escape("\n".join(lines))))
    assert [child.name for child in shown.find_all()] == ["p"]
    assert shown.get_text().split() == "\n".join(lines).split()


@given(_TEXTS.filter(str.strip))
def test_code_is_shown_as_it_is(text: str) -> None:
    [found] = _shown(f"x {code(text)} y").find_all("code")
    assert found.get_text().strip() == text.strip()


def _link(node: nodes.reference) -> str | None:
    return str(node["refuri"]) if "refuri" in node else None


@given(
    st.lists(
        st.tuples(st.sampled_from([nodes.Text, nodes.emphasis, nodes.strong]), _WORDS),
        min_size=1,
        max_size=5,
    )
)
def test_emphasis_is_seen_wherever_it_stands(
    parts: Sequence[tuple[type[nodes.Text | nodes.TextElement], str]],
) -> None:
    children: list[nodes.Node] = [nodes.Text("a")]
    children += [
        kind("", text) if issubclass(kind, nodes.TextElement) else nodes.Text(text)
        for kind, text in parts
    ]
    shown = _shown(inline(children, _link))
    names = {nodes.emphasis: "em", nodes.strong: "strong"}
    wanted = [(names[kind], text) for kind, text in parts if kind in names]
    assert [(each.name, each.get_text()) for each in shown.find_all(["em", "strong"])] == wanted
    assert shown.get_text().strip() == "a" + "".join(text for _, text in parts)


@pytest.mark.parametrize(
    ("node", "written"),
    [
        (nodes.literal("", "a`b"), "``a`b``"),
        (nodes.math("", "a_1"), "$a_1$"),
        (nodes.Text("$5"), r"\$5"),
        (nodes.Text("snake_case and _this_"), r"snake_case and \_this\_"),
        (nodes.reference("", "here", refuri="https://x.example/"), "[here](https://x.example/)"),
        (nodes.reference("", "here", refid="below"), "here"),
        (nodes.comment("", "unseen"), ""),
        (nodes.raw("", "<b>", format="html"), ""),
    ],
)
def test_what_a_sentence_may_hold(node: nodes.Node, written: str) -> None:
    assert inline([node], _link) == written


def test_what_looks_like_a_list_stays_a_sentence_and_a_number_stays_plain() -> None:
    assert escape_starts("1. one") == r"1\. one"
    assert escape_starts("3.58 ms") == "3.58 ms"
    assert escape_starts("- minus") == r"\- minus"
    assert escape_starts("-0.5") == "-0.5"
