"""What the chapter on where the time goes asks of a trace."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

SNIPPETS = Path(__file__).parents[2] / "snippets"


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SNIPPETS)
    return importlib.import_module("traces")


def of_one_step(traces: ModuleType, *operators: tuple[str, float, float]) -> dict[str, float]:
    times: dict[str, Any] = traces.parts([(10.0, 20.0)], operators)
    return {name: pytest.approx(seconds) for name, (seconds,) in times.items()}


def test_a_step_is_divided_by_what_goes_on_in_it(traces: ModuleType) -> None:
    assert of_one_step(traces, ("aten::mm", 11, 14), ("aten::relu", 15, 16)) == {
        "step": 10.0,
        "products": 3.0,
        "other operators": 1.0,
        "between operators": 6.0,
        "all rows": 4.0,
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
