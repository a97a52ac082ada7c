"""Outputs become repeatable: log noise and what names a run is taken out, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polytab.recordings.normalise import RULES, normalise_text
from polytab.settings import load_settings
from tests.support.noise import KEPT, LOGS, OWN_LOGS, PLACES, REPLACED, TEXTS

LOG = load_settings(Path(__file__).parents[2]).log
"""How the handbook says that lines of logs begin."""

LINES = [line for lines in (*LOGS.values(), *OWN_LOGS.values()) for line in lines]


def _stream(text: str) -> str:
    return normalise_text(text, PLACES, stream=True, log=LOG)


def test_every_rule_has_an_example_here() -> None:
    assert {rule.reason for rule in RULES} == {*LOGS, *REPLACED}
    assert {rule.reason for rule in RULES if rule.log} == set(LOGS)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("indent", ["", "  "])
def test_log_noise_goes_with_its_line(line: str, indent: str) -> None:
    assert _stream(f"before\n{indent}{line}\nafter\n") == "before\nafter\n"
    assert _stream(f"{indent}{line}\n{indent}{line}") == ""


@pytest.mark.parametrize(
    ("reason", "line"), [(reason, line) for reason, lines in LOGS.items() for line in lines]
)
def test_it_takes_the_rule_of_that_reason(reason: str, line: str) -> None:
    matching = [rule.reason for rule in RULES if rule.log and rule.pattern.match(line)]
    assert matching == [reason]


@pytest.mark.parametrize("line", [line for lines in OWN_LOGS.values() for line in lines])
def test_a_log_that_a_book_names_is_of_one_of_its_patterns_and_stays_in_other_books(
    line: str,
) -> None:
    assert sum(re.match(each, line) is not None for each in LOG) == 1
    others = normalise_text(f"{line}\nafter\n", PLACES, stream=True)
    assert others.count("\n") == line.count("\n") + 2


def test_every_pattern_of_the_handbook_has_an_example_here() -> None:
    lines = [line for each in OWN_LOGS.values() for line in each]
    assert [each for each in LOG if not any(re.match(each, line) for line in lines)] == []


@pytest.mark.parametrize("line", LINES)
def test_where_nothing_is_logged_no_line_is_taken_out(line: str) -> None:
    kept = normalise_text(f"{line}\nafter", {}, log=LOG)
    assert kept.count("\n") == line.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "result"), [pair for pairs in REPLACED.values() for pair in pairs]
)
def test_what_names_a_run_is_replaced(text: str, result: str) -> None:
    assert _stream(text).startswith(result)
    assert normalise_text(text, {}).startswith(result)


@pytest.mark.parametrize("text", KEPT)
def test_what_no_rule_names_comes_through_unchanged(text: str) -> None:
    assert _stream(text) == text


def test_the_paths_of_a_run_become_relative() -> None:
    text = "in /scratch/p-x1/work: /scratch/p-x1/work/net.pt /scratch/p-x1/lib/measure.py"
    assert _stream(text) == "in .: net.pt lib/measure.py"


# Laws


@given(TEXTS, st.booleans())
@example("\x1b[\x1b[0m0m", True)  # noqa: FBT003
@example("/scratch/p-/scratch/p-x1/x1/", False)  # noqa: FBT003
def test_normalising_twice_is_normalising_once(text: str, logs: bool) -> None:  # noqa: FBT001  # drawn
    once = normalise_text(text, PLACES, stream=logs, log=LOG)
    assert normalise_text(once, PLACES, stream=logs, log=LOG) == once


@given(st.text(st.characters(exclude_categories=["C"], exclude_characters="%[/:_0123456789")))
def test_text_without_what_the_rules_look_for_comes_through(text: str) -> None:
    assert _stream(text) == text


@pytest.mark.parametrize(
    "piece", ["/a", "./", " ", "\x1b[", "0", "x:1: ", "9%|", "[0:00", "\n ", " at 0x", "a "]
)
def test_what_only_begins_like_something_to_remove_stays_however_long(piece: str) -> None:
    text = piece * (200_000 // len(piece))  # in quadratic time this would take minutes
    assert _stream(text) == text


def test_a_line_that_is_overwritten_again_and_again_goes() -> None:
    assert _stream("\r" * 200_000) == ""
