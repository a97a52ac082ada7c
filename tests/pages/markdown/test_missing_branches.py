"""A verdict that lacks a branch, or has a wrong one, is found at its line; nothing is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from polytab.pages.markdown.missing_branches import check_branches

FASTER = ":::{when} faster\nA.\n:::\n"
SLOWER = ":::{when} slower\nB.\n:::\n"


def found(branches: str, asked: str = "join: loop vs merge") -> list[tuple[int | None, str]]:
    text = f"# Joins\n\n::::{{verdict}} {asked}\n{branches}::::\n"
    findings = list(check_branches(Path("join.md"), text))
    assert {each.rule for each in findings} <= {"verdict"}
    return [(each.line, each.message.partition(";")[0]) for each in findings]


@pytest.mark.parametrize("more", ["", ":::{when} same 25%\nC.\n:::\n"])
def test_a_verdict_with_both_branches_is_whole(more: str) -> None:
    assert found(FASTER + SLOWER + more) == []


@pytest.mark.parametrize(
    ("branches", "said"),
    [
        ("", [(3, "no branch for `faster`, `slower`")]),
        (FASTER, [(3, "no branch for `slower`")]),
        (FASTER + SLOWER + FASTER, [(10, "the branch `faster` stands twice")]),
        (
            FASTER + SLOWER + "Always.\n",
            [(10, "a verdict holds `{when}` branches and nothing else")],
        ),
        (FASTER + ":::{when} slower\n:::\n", [(7, "the branch `slower` says nothing")]),
        (FASTER + SLOWER + ":::{when} same\nC.\n:::\n", [(10, "`same` has no bound")]),
        (FASTER + SLOWER + ":::{when} equal\nC.\n:::\n", [(10, "`equal` is no branch")]),
    ],
)
def test_each_mistake_has_its_line(branches: str, said: list[tuple[int, str]]) -> None:
    assert found(branches) == said


def test_what_compares_nothing_is_found() -> None:
    assert found(FASTER + SLOWER, "join") == [(3, "`join` is no comparison")]


def test_a_branch_outside_of_a_verdict_is_found() -> None:
    [finding] = check_branches(Path("join.md"), f"# Joins\n\n{FASTER}")
    assert (finding.line, finding.message) == (3, "a `{when}` stands outside a `{verdict}`")


TURNED = """\
:::{{when}} faster
The loop takes {{ratio}}`join: {faster}` times as long.
:::
:::{{when}} slower
Here the loop is quicker:
the library takes {{ratio}}`join: {slower}` times as long.
:::
"""


@pytest.mark.parametrize("at", ["", " at 100"])
def test_a_ratio_that_is_below_1_whatever_is_measured_is_told_at_its_line(at: str) -> None:
    asked = f"join: merge vs loop{at}"
    right = TURNED.format(faster=f"merge vs loop{at}", slower=f"loop vs merge{at}")
    assert found(right, asked) == []
    wrong = TURNED.format(faster=f"loop vs merge{at}", slower=f"merge vs loop{at}")
    assert found(wrong, asked) == [
        (5, f"where it is faster, `join: loop vs merge{at}` is below 1"),
        (9, f"where it is slower, `join: merge vs loop{at}` is below 1"),
    ]


def test_a_ratio_of_other_cases_may_be_any() -> None:
    branches = TURNED.format(faster="loop vs merge at 100", slower="merge vs another")
    assert found(branches, "join: merge vs loop") == []
