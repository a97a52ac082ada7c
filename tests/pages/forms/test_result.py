"""A page shows a measurement of another page, with its chart, its verdict and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.numbers_site import COMPILED_WINS, EAGER_WINS, NumbersSite, complaints, words

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from tests.support.built import Built

RESULT = """\
# Start

:::::{result} Does *compiling* pay?
:page: speed
:framework: torch

:::{benchmark} forward
:::

::::{verdict} forward: compiled vs eager
:::{when} faster
It does: {ratio}`forward: compiled vs eager`.
:::
:::{when} slower
It does not: {ratio}`forward: eager vs compiled`.
:::
::::

A call took {measured}`forward: eager`.
:::::

```{toctree}
speed
plain
```
"""


def write(to: Path, text: str = RESULT) -> NumbersSite:
    site = NumbersSite.copy(to)
    site.write("docs/index.md", text)
    site.record("torch", COMPILED_WINS)
    site.record("mxnet", EAGER_WINS)
    site.record("jax", COMPILED_WINS)
    return site


def result(built: Built) -> Tag:
    [found] = built.page("index").select(".result")
    for hidden in found.select(".number-origin"):
        hidden.decompose()
    return found


def test_it_asks_draws_and_answers_with_the_other_pages_measurement(tmp_path: Path) -> None:
    site = write(tmp_path)
    built = site.build()
    question, figure, answer, more = result(built).find_all(recursive=False)
    assert (question.name, words(question)) == ("p", "Does compiling pay?")
    assert figure.select_one("svg.chart") is not None
    assert words(answer) == "It does: 1.46."
    assert words(more) == "A call took 146 µs."
    assert complaints(built, "index") == []


def test_it_names_its_framework_and_its_machine_and_no_other(tmp_path: Path) -> None:
    [chart] = result(write(tmp_path).build()).select("svg.chart")
    said = words(result(write(tmp_path / "again").build()))
    assert [each.get_text() for each in chart.select("text.title")] == ["PyTorch"]
    assert "A Processor" in said
    assert "JAX" not in said


def test_without_a_framework_all_are_shown_and_the_numbers_are_in_branches(tmp_path: Path) -> None:
    text = RESULT.replace(":framework: torch\n", "").replace(
        "A call took {measured}`forward: eager`.\n", ""
    )
    found = result(write(tmp_path, text).build())
    titles = [each.get_text() for each in found.select("svg.chart text.title")]
    assert titles == ["PyTorch", "MXNet", "JAX"]
    said = words(found)
    assert "PyTorch and JAX: It does: 1.46 (PyTorch) and 1.46 (JAX)." in said
    assert "MXNet: It does not: 1.6." in said


def test_the_page_is_read_again_when_the_other_pages_recording_changes(tmp_path: Path) -> None:
    site = write(tmp_path)
    assert "1.46" in words(result(site.build()))
    site.record("torch", {"eager": 3e-3, "compiled": 1e-3})
    built = site.build()
    assert {"index", "speed"} <= {*built.read}
    assert "It does: 3.0." in words(result(built))
    assert site.build().read == ()


def test_a_stale_recording_is_told(tmp_path: Path) -> None:
    site = write(tmp_path)
    path = site.root / "snippets" / "speed" / "torch.py"
    path.write_text(path.read_text(encoding="utf-8") + "\nx = 1\n", encoding="utf-8")
    assert "before the last edit" in words(result(site.build()))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (":page: speed\n", "", "a result names its page"),
        (":framework: torch\n", ":framework: tourch\n", "unknown framework `tourch`"),
        (":::{benchmark} forward\n:::\n", "", "a result shows a chart"),
    ],
    ids=["no page", "no framework", "no chart"],
)
def test_what_is_wrong_is_said_at_the_result(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    [(line, text)] = complaints(write(tmp_path, RESULT.replace(before, after, 1)).build(), "index")
    assert line == 3
    assert text.startswith(said)


def test_a_page_that_measures_nothing_is_said_at_the_chart(tmp_path: Path) -> None:
    text = RESULT.replace(":page: speed", ":page: nowhere")
    said = write(tmp_path, text).build().warnings
    assert "no script of page `nowhere` measures `forward`" in said
