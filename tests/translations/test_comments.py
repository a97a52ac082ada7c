"""Comments leave the code as messages and come back as comments, and nothing else changes."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.scripts.canonical import canonical, comments
from polytab.translations import comments as translations
from polytab.translations.comments import (
    WIDTH,
    CommentError,
    extract_comments,
    refusal,
    same_code,
    translate_comments,
)

CELL = """\
graphs = []


# A backend is a function from a graph
# to something that can be called.
def recording(graph_module, example_inputs):
    graphs.append(graph_module.graph)  # Keep it.
    # Run it as it is.
    return "# no comment"
"""


def messages(text: str) -> list[str]:
    return [message.text for message in extract_comments(text)]


def test_lines_that_follow_each_other_are_one_message() -> None:
    assert messages(CELL) == [
        "A backend is a function from a graph to something that can be called.",
        "Keep it.",
        "Run it as it is.",
    ]


def test_a_message_tells_its_place() -> None:
    first, second, third = extract_comments(CELL)
    assert (first.line, first.lines, first.column) == (4, 2, 0)
    assert (second.line, second.lines, second.column) == (7, 1, 39)
    assert (third.line, third.lines, third.column) == (8, 1, 4)


@pytest.mark.parametrize(
    "text",
    [
        "# One.\n\n# Two.\n",
        "# One.\n#\n# Two.\n",
        "if x:\n    # One.\n    y = 1\n# Two.\n",
        "if x:\n    y = 1\n    # One.\n# Two.\n",
        "x = 1  # One.\n       # Two.\n",
        "x = 1  # One.\ny = 2  # Two.\n",
        "       # One.\nx = 123# Two.\n",
        "# - One.\n# - Two.\n",
        "# 1. One.\n# 2. Two.\n",
        "# One.\n#   Two.\n",
    ],
    ids=[
        *("a blank line", "an empty comment", "another block", "another indentation"),
        *(
            "behind code",
            "behind two lines",
            "before one behind code",
            "a list",
            "a numbered list",
            "an inner indentation",
        ),
    ],
)
def test_comments_that_do_not_go_on_are_messages_of_their_own(text: str) -> None:
    assert [message.rstrip(".")[-3:] for message in messages(text)] == ["One", "Two"]


@pytest.mark.parametrize(
    "comment",
    [
        *("#", "#!", "#: a documented name", "#no space", "# ----", "# 3.5", "#!/usr/bin/python"),
        *("# noqa", "# NOQA: E501", "# Said.  # noqa: E501", "# type: ignore[arg-type]"),
        *("# fmt: off", "# pragma: no cover", "# ruff: noqa", "# pylint: disable=all"),
        *("# -*- coding: latin-1 -*-", "# vim: set fileencoding=utf-8 :", "# %% label"),
        *("# %time", "# !rm x"),
    ],
)
def test_a_comment_that_speaks_to_programs_is_no_message(comment: str) -> None:
    text = f"x = 1  {comment}\n{comment}\ny = 2\n"
    assert messages(text) == []
    assert translate_comments(text, lambda _: "Sim.") == text


def test_an_inline_block_is_no_message() -> None:
    text = "# Before.\n\n# /// polytab\n# gpus = 2\n# ///\n\n# Behind.\nx = 1\n"
    assert messages(text) == ["Before.", "Behind."]


def test_translations_stand_where_the_comments_stood() -> None:
    sentences = {
        "A backend is a function from a graph to something that can be called.": "后端是函数。",
        "Keep it.": "Guarde-o.",
    }
    result = """\
graphs = []


# 后端是函数。
def recording(graph_module, example_inputs):
    graphs.append(graph_module.graph)  # Guarde-o.
    # Run it as it is.
    return "# no comment"
"""
    assert translate_comments(CELL, sentences.get) == result


def test_what_is_not_translated_stays_as_it_was_written() -> None:
    assert translate_comments(CELL, lambda _: None) == CELL
    assert translate_comments(CELL, lambda _: "") == CELL
    assert translate_comments(CELL, lambda text: text) == CELL


def test_a_long_translation_is_wrapped_at_spaces() -> None:
    text = "if x:\n    # Said.\n    y = 1\n"
    long = "uma frase que é bem mais comprida em português do que era em inglês, como sempre " * 2
    result = """\
if x:
    # uma frase que é bem mais comprida em português do que era em inglês, como
    # sempre uma frase que é bem mais comprida em português do que era em
    # inglês, como sempre
    y = 1
"""
    assert translate_comments(text, lambda _: long) == result


def test_chinese_is_wrapped_by_its_width_and_its_rules() -> None:
    text = "# Said.\nx = 1\n"
    long = (
        "编译器把（整个）计算图交给后端，后端返回一个“可以调用”的对象；torch.compile 会保留。" * 2
    )
    result = """\
# 编译器把（整个）计算图交给后端，后端返回一个“可以调用”的对象；torch.compile
# 会保留。编译器把（整个）计算图交给后端，后端返回一个“可以调用”的对象；
# torch.compile 会保留。
x = 1
"""
    assert translate_comments(text, lambda _: long) == result


def test_a_comment_behind_code_stays_on_its_line() -> None:
    text = "x = 1  # Said.\n"
    assert translate_comments(text, lambda _: "longo " * 30) == f"x = 1  # {'longo ' * 29}longo\n"


HOSTILE = [
    *("Sim.\nimport os", "Sim.\r\nimport os", "Sim.\rimport os", "Sim.\x0cimport os"),
    *("Sim.\u2028import os", "Sim.\u2029import os", "Sim.\x85import os", "Sim.\x1cimport os"),
    *("Sim.\0", "Sim.\x1b[2J", "\u202etxet", "a\u2066b\u2069", "a\u200bb", "\ufeffa", "\udc80"),
    *("noqa", "Sim. # noqa: E501", "type: ignore", "fmt: off", "pragma: no cover"),
    *("ruff: noqa", "类type: ignore", "vim: set fileencoding=latin-1", "-*- coding: utf-8 -*-"),
    *("%% rede", "%time", "Sim %run x", "/// polytab", "///", "! rm -rf x", "Sim !rm x"),
]


@pytest.mark.parametrize("translation", HOSTILE, ids=ascii)
@pytest.mark.parametrize("text", ["# Said.\nx = 1\n", "x = 1  # Said.\n"], ids=["own", "behind"])
def test_a_hostile_translation_stops_the_build(text: str, translation: str) -> None:
    assert refusal(translation)
    with pytest.raises(CommentError, match="a translated comment holds"):
        translate_comments(text, lambda _: translation)


def test_what_nobody_thought_of_stops_the_build_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "refusal", lambda _: None)
    with pytest.raises(CommentError, match="would change the code"):
        translate_comments("x = 1  # Said.\n", lambda _: "Sim.\nimport os")


@pytest.mark.parametrize(
    "translation",
    [
        *("O tipo: um tensor.", "100 % de x", "Protótipo: x", "É isso!", "第 1 步：编译！", "#1"),
        *("a\N{NO-BREAK SPACE}b", "prototype: x", "veja `x`", "\\"),
    ],
)
def test_a_harmless_translation_is_put_in(translation: str) -> None:
    assert (
        translate_comments("# Said.\nx = 1\n", lambda _: translation) == f"# {translation}\nx = 1\n"
    )


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("x = 1  # another\n\n", True),
        ("\n# more\nx = 1\n", True),
        ("x = 2  # said\n", False),
        ("x = (1)  # said\n", False),
        ("x = \n", False),
        ("x = '''\n", False),
        ("x = 1\0", False),
    ],
)
def test_the_same_code_differs_in_comments_only(other: str, *, same: bool) -> None:
    assert same_code("x = 1  # said\n", other) is same


STATEMENTS = st.sampled_from(
    [
        *("x = 1", "def f(a,\n      b=2):\n    return a", "if x:\n    y = '''\n# no comment\n'''"),
        *(
            "print('# no comment')",
            "z = [\n    1,\n    2,\n]",
            "with a as b:\n    pass",
            "",
            "f'{x}'",
        ),
    ]
)
ASIDES = st.sampled_from(
    [
        *(
            "",
            "# Said once.",
            "# Said.\n# And more.",
            "    # Said inside.",
            "# - an item",
            "#",
            "# noqa",
        ),
        *("# /// polytab\n# gpus = 1\n# ///", "# %% label", "# 3.5", "# type: ignore"),
    ]
)
BEHIND = st.sampled_from(["", "  # Behind.", "  # Said once.", "  # noqa: E501"])


@st.composite
def cells(draw: st.DrawFn) -> str:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 5))):
        statement = draw(STATEMENTS)
        lines += [draw(ASIDES), statement + (draw(BEHIND) if statement else "")]
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n# The end."]))


TRANSLATIONS = st.text() | st.sampled_from(HOSTILE) | st.text("a 编译，（）“”!:#%", max_size=200)


@given(cells(), st.data())
def test_code_never_changes(text: str, data: st.DataObject) -> None:
    said = {message: data.draw(TRANSLATIONS) for message in messages(text)}
    try:
        result = translate_comments(text, said.get)
    except CommentError:
        assert any(refusal(each.strip()) for each in said.values())
        return
    assert same_code(text, result)
    assert canonical(result) == canonical(text)


@given(cells(), st.text("ab 编译，（）“”", min_size=1))
def test_a_comment_says_the_whole_translation_and_fits(text: str, translation: str) -> None:
    result = translate_comments(text, lambda _: translation)
    kept = translation.strip().replace(" ", "")
    shown = "".join(each.text[1:] for each in comments(result)).replace(" ", "")
    if kept:
        assert shown.count(kept) >= len(messages(text))
    for line in result.split("\n"):
        wide = sum(unicodedata.east_asian_width(each) in "WF" for each in line)
        assert len(line) + wide <= WIDTH or " #" in line or line.count(" ") <= 1


@given(st.text("编译a ，。（）“”、", min_size=45, max_size=120))
def test_no_line_begins_or_ends_where_chinese_does_not(translation: str) -> None:
    result = translate_comments("# Said.\n", lambda _: translation)
    lines = [line.removeprefix("# ").strip(" ") for line in result.rstrip("\n").split("\n")]
    for before, after in pairwise(line for line in lines if line):
        joined = f"{before}{after}"
        if joined in translation:  # no space was between them
            assert before[-1] not in "（“"
            assert after[0] not in "，。）”、"


@given(cells())
def test_every_message_is_asked_for_once_per_place(text: str) -> None:
    asked: list[str] = []

    def translate(message: str) -> None:
        asked.append(message)

    assert translate_comments(text, translate) == text
    assert asked[::-1] == messages(text)
