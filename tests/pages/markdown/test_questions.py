"""Where a page asks for a measurement is read with its line, its tab and what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.markdown.questions import Question, check_questions, questions_of

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """\
# Joins

One {ratio}`join: loop vs merge` and
two {measured}`join: loop`.

:::{benchmark} join
:::

::::{roofline} product; copy
:peak: product: product at 8
:bandwidth: copy: copy at 8; copy: copy at 9
::::

:::::::{tabs}
::::::{group-tab} pandas

::::{verdict} join: loop vs merge
:::{when} faster
Three {ratio}`join: loop vs merge`.
:::
::::
::::::
:::::::

:::{glance}
| | time |
|---|---|
| pandas | {measured}`join: loop` |
| Polars | {measured}`join: merge` |
:::

`{ratio}` is a role, and so is {term}`join`.
"""


def test_each_question_has_its_line_and_its_tab() -> None:
    assert list(questions_of(PAGE)) == [
        Question(3, "ratio", "join: loop vs merge"),
        Question(4, "measured", "join: loop"),
        Question(6, "benchmark", "join"),
        Question(9, "benchmark", "product"),
        Question(9, "benchmark", "copy"),
        Question(9, "roof", "product: product at 8"),
        Question(9, "roof", "copy: copy at 8"),
        Question(9, "roof", "copy: copy at 9"),
        Question(17, "verdict", "join: loop vs merge", "pandas"),
        Question(19, "ratio", "join: loop vs merge", "pandas", in_branch=True),
        Question(28, "measured", "join: loop", "pandas"),
        Question(29, "measured", "join: merge", "Polars"),
    ]


def test_a_roof_that_names_no_case_asks_for_a_benchmark() -> None:
    text = ":::{roofline} copy\n:peak: product\n:bandwidth: copy; copy: copy at 8\n:::\n"
    assert [(each.kind, each.text) for each in questions_of(text)] == [
        ("benchmark", "copy"),
        ("benchmark", "product"),
        ("benchmark", "copy"),
        ("roof", "copy: copy at 8"),
    ]


def test_in_a_result_another_page_is_asked() -> None:
    text = (
        "# Start\n\n:::::{result} Is it quick?\n:page: joins\n:framework: pandas\n\n"
        ":::{benchmark} join\n:::\n\nOne {ratio}`join: loop vs merge`.\n:::::\n"
    )
    asked = [(each.text, each.page, each.framework) for each in questions_of(text)]
    assert asked == [("join", "joins", "pandas"), ("join: loop vs merge", "joins", "pandas")]


def test_what_is_not_written_as_a_question_is_found(tmp_path: Path) -> None:
    text = (
        "# Of {measured}`join: loop`\n\nA {ratio}`join`,\nB {measured}`loop`.\n\n"
        ":::{roofline} product\n:peak: product:\n:::\n"
    )
    found = [(each.line, each.message) for each in check_questions(tmp_path, text)]
    no_case = "names no case; write it as `forward: compiled` or `forward: compiled first call`"
    compares = "write `forward: compiled vs eager`: how many times as fast the first is"
    assert found == [
        (1, "a measured number cannot stand in a heading; put it into a sentence"),
        (3, f"`join` is no comparison; {compares}"),
        (4, f"`loop` {no_case}"),
        (6, f"`product:` {no_case}"),
    ]
