"""A chapter opens with a question, a result, and what a reader must know before reading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from polytab.model import CUDA
from tests.support.forms_site import FORMS, write_forms
from tests.support.numbers_site import COMPILED_WINS, How, complaints, words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built


def facts(built: Built) -> dict[str, str]:
    """Return what is said of each fact of the opening."""
    [listed] = built.page("speed").select(".opening > dl")
    terms, said = listed.select("dt"), listed.select("dd")
    return {words(term): words(each) for term, each in zip(terms, said, strict=True)}


def test_it_begins_with_a_question_and_a_picture(built: Built) -> None:
    [opening] = built.page("speed").select(".opening")
    question, figure, words_on_it, listed = (each for each in opening.find_all(recursive=False))
    assert (question.name, words(question)) == ("p", "Why is the first call slow?")
    assert figure.select_one("svg.chart") is not None
    assert words(words_on_it) == "What to see in it."
    assert listed.name == "dl"


def test_it_names_readers_time_pages_machines_and_limits(built: Built) -> None:
    assert facts(built) == {
        "For whom": "Whoever calls a model for the first time.",
        "Time": "1,200 minutes",
        "Read before": "Plain",
        "Measured on": "CPU: A Processor (2) Nothing here was run on a GPU.",
        "Holds here only": "How much it costs.",
    }
    [link] = built.page("speed").select(".opening dd a")
    assert link["href"] == "plain.html"


def test_the_machines_are_those_of_the_recordings(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    site.record("torch", COMPILED_WINS, how=How(hardware="Another"))
    site.record("torch", COMPILED_WINS, device=CUDA)
    said = facts(site.build())["Measured on"]
    assert "CPU: Another (2) CPU: A Processor (2)" in said
    assert "NVIDIA H100" in said
    assert "GPU." not in said


def test_before_anything_is_measured_no_machine_is_named(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    for framework in ("torch", "mxnet", "jax"):
        site.forget(framework)
    assert "Measured on" not in facts(site.build())


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        (r":::\{for-whom\}\n[^:]*:::\n", "an opening needs a `{for-whom}` inside"),
        (r":::\{here-only\}\n[^:]*:::\n", "an opening needs a `{here-only}` inside"),
        (r":minutes: 1200\n", "an opening says how long the chapter takes"),
        (r"::::\{benchmark\} forward\n::::\n", "an opening shows a result"),
    ],
    ids=["readers", "limits", "time", "result"],
)
def test_what_it_lacks_is_said(tmp_path: Path, left_out: str, said: str) -> None:
    site = write_forms(tmp_path)
    site.write("docs/speed.md", re.sub(left_out, "", FORMS, count=1))
    [(line, text)] = complaints(site.build(), "speed")
    assert line == 3
    assert text.startswith(said)


def test_a_figure_is_a_result_for_which_no_machine_matters(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    site.write("docs/figures/a.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    figure = "::::{figure} figures/a.svg\n:alt: A box.\n::::"
    site.write("docs/speed.md", FORMS.replace("::::{benchmark} forward\n::::", figure, 1))
    built = site.build()
    assert complaints(built, "speed") == []
    assert "Measured on" not in facts(built)
    assert len(facts(built)) == 4


def test_a_part_outside_of_an_opening_is_refused(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    site.write("docs/speed.md", "# Speed\n\n:::{for-whom}\nYou.\n:::\n")
    built = site.build()
    assert complaints(built, "speed") == [(3, "a `{for-whom}` stands outside an `{opening}`")]
    assert "You." not in words(built.page("speed"))


@pytest.mark.parametrize("language", ["zh_CN", "pt_BR"])
def test_a_translated_opening_keeps_its_list_and_our_words_follow(
    tmp_path: Path, language: str
) -> None:
    found = facts(write_forms(tmp_path).build(language=language))
    assert len(found) == 5
    assert not {"For whom", "Time", "Read before", "Measured on", "Holds here only"} & {*found}
