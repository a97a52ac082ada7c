"""What the chapter on where the time goes asks of a trace."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from polytab.pages.code.pictures import clean_svg
from polytab.recordings.compare import same_text

if TYPE_CHECKING:
    from types import ModuleType

SNIPPETS = Path(__file__).parents[2] / "snippets"


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SNIPPETS)
    return importlib.import_module("traces")


def of_one_step(traces: ModuleType, *operators: tuple[str, float, float]) -> dict[str, Any]:
    times: dict[str, Any] = traces.parts([(10.0, 20.0)], operators)
    return {name: pytest.approx(seconds) for name, (seconds,) in times.items()}


def test_a_step_is_divided_by_what_goes_on_in_it(traces: ModuleType) -> None:
    assert of_one_step(traces, ("aten::mm", 11, 14), ("aten::relu", 15, 16)) == {
        "step": 10.0,
        "products": 3.0,
        "other operators": 1.0,
        "between operators": 6.0,
        "all rows": 4.0,
        "per operator": 5.0,
    }


def test_one_operator_within_another_counts_once(traces: ModuleType) -> None:
    found = of_one_step(traces, ("aten::matmul", 11, 15), ("aten::mm", 12, 14), ("view", 14, 15))
    assert (found["products"], found["other operators"]) == (4.0, 0.0)
    assert found["all rows"] == 7.0


def test_what_runs_at_the_same_time_is_a_product_if_one_of_it_is(traces: ModuleType) -> None:
    found = of_one_step(traces, ("dot", 12, 16), ("exp", 10, 20))
    assert (found["products"], found["other operators"]) == (4.0, 6.0)
    assert found["between operators"] == 0.0


def test_what_reaches_beyond_a_step_counts_inside_it(traces: ModuleType) -> None:
    found = of_one_step(traces, ("dot", 8, 12), ("exp", 19, 25), ("exp", 30, 40))
    assert (found["products"], found["other operators"]) == (2.0, 1.0)
    assert found["all rows"] == 3.0


def test_each_step_has_its_own_numbers(traces: ModuleType) -> None:
    times = traces.parts([(0.0, 1.0), (2.0, 4.0)], [("dot", 0.0, 0.5), ("dot", 3.0, 4.0)])
    assert times["step"] == [1.0, 2.0]
    assert times["products"] == [0.5, 1.0]


def test_a_step_without_operators_has_no_part_but_itself(traces: ModuleType) -> None:
    found = of_one_step(traces)
    assert (found["between operators"], found["per operator"]) == (10.0, 10.0)


def heights(traces: ModuleType, drawing: str, colour: str) -> list[float]:
    """Return how high the columns of a colour are, as shares of the highest that may be."""
    (outline,) = re.findall(rf'fill="{colour}" d="M0 ([^"]+)z"', drawing)
    bottom, *tops = re.findall(r"(?:^|V)([\d.]+)", outline)
    return [(float(bottom) - float(top)) / traces.HEIGHT for top in tops[:-1]]


def test_a_timeline_shows_what_ran_when(traces: ModuleType) -> None:
    operators = [("dot", 10.0, 15.0), ("exp", 15.0, 17.5)]
    drawing = traces.Timeline(small=([(10.0, 20.0)], operators))._repr_svg_()
    half, quarter = traces.COLUMNS // 2, traces.COLUMNS // 4
    assert heights(traces, drawing, traces.DARK) == [1.0] * half + [0.0] * half
    assert heights(traces, drawing, traces.LIGHT) == [1.0] * (half + quarter) + [0.0] * quarter


def test_a_timeline_draws_a_step_that_is_as_long_as_most(traces: ModuleType) -> None:
    steps = [(0.0, 9.0), (10.0, 12.0), (20.0, 21.0)]
    assert ">small: 2e+03 ms<" in traces.Timeline(small=(steps, []))._repr_svg_()


def test_the_drawings_of_two_recordings_differ_in_numbers_alone(traces: ModuleType) -> None:
    first, second = (
        traces.Timeline(small=([(0.0, end)], [("dot", 0.1, end / 3)]))._repr_svg_()
        for end in (0.7, 1.9)
    )
    assert first != second
    assert same_text(first, second, varies=True)


def test_a_page_shows_the_whole_drawing(traces: ModuleType) -> None:
    drawing = traces.Timeline(small=([(0.0, 1.0)], [("dot", 0.0, 0.5)]))._repr_svg_()
    shown = clean_svg(drawing)
    assert shown is not None
    for kind in ("path", "rect", "text"):
        assert len(re.findall(rf"<(?:\w+:)?{kind}\b", shown)) == drawing.count(f"<{kind}")
