"""Tasks are numbered on their page; what solves one is folded away, and its code was run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.numbers_site import NumbersSite, complaints, words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built


def test_exercises_are_numbered_and_may_have_a_title(built: Built) -> None:
    titles = built.page("speed").select(".exercise > .form-title")
    assert [words(each) for each in titles] == ["Exercise 1: Which is faster?", "Exercise 2"]


def test_an_exercise_can_be_linked_to(built: Built) -> None:
    page = built.page("speed")
    [link] = [each for each in page.select("p a.internal") if words(each) == "the exercise"]
    assert link["href"] == "#which"
    assert page.select_one(".exercise#which") is not None


def test_a_solution_is_folded_and_shows_recorded_code(built: Built) -> None:
    [solution] = built.page("speed").select("details.fold#solution-1")
    assert [words(each) for each in solution.select("summary")] == ["Solution of exercise 1"]
    assert len(solution.select(".snippet-code")) == len(solution.select(".provenance")) == 3


EXERCISE = ":::{exercise}\n:name: one\n\nDo it.\n:::\n"
SOLUTION = ":::{solution} one\nDone.\n:::\n"
NO_EXERCISE = (
    "no exercise `one` without a solution stands above "
    "give the exercise `:name: one`; known here: none"
)


def test_a_solution_stands_below_its_exercise(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("docs/plain.md", f"# Plain\n\n{SOLUTION}\n{EXERCISE}")
    assert complaints(site.build(), "plain") == [(3, NO_EXERCISE)]


def test_an_exercise_has_one_solution(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("docs/plain.md", f"# Plain\n\n{EXERCISE}\n{SOLUTION}\n{SOLUTION}")
    assert complaints(site.build(), "plain") == [(13, NO_EXERCISE)]


def test_the_exercise_of_another_page_is_none_of_this_page(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("docs/index.md", f"# Numbers\n\n```{{toctree}}\nspeed\nplain\n```\n\n{EXERCISE}")
    site.write("docs/plain.md", f"# Plain\n\n{SOLUTION}")
    assert complaints(site.build(), "plain") == [(3, NO_EXERCISE)]
