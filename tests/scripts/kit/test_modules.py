"""Every module of the kit runs in every environment, and rounds as the pages do."""

from __future__ import annotations

import ast
import importlib
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from polytab.interface.formats import Formats
from polytab.recordings.plain_text import three_digits, two_or_three_digits
from polytab.scripts.helpers import KIT

MODULES = sorted(KIT.glob("*.py"))
NAMES = {path.stem for path in MODULES}
IN_FUNCTION = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_needs_python_3_9_and_the_kit_alone(path: object) -> None:
    text = (KIT / str(path)).read_text("utf-8")
    tree = ast.parse(text, feature_version=(3, 9))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names | NAMES
    assert len(text.splitlines()) <= 220


@IN_FUNCTION
@given(st.floats(1e-9, 1e6))
def test_page_table_and_recording_write_a_number_alike(kit: None, number: float) -> None:
    del kit
    written = importlib.import_module("measured").written_ratio(number)
    assert written == two_or_three_digits(number)
    assert written == Formats("en").factor(number).replace(",", "")
    assert written == Formats("pt_BR").factor(number).replace(".", "").replace(",", ".")


@IN_FUNCTION
@given(st.floats(1e-9, 900.0))
def test_page_and_table_write_a_time_alike(kit: None, seconds: float) -> None:
    del kit
    written = importlib.import_module("measured").written_time(seconds)
    assert written == Formats("en").time(seconds).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("number", "written"), [(2.245, "2.25"), (2.5, "2.50"), (0.99951, "1.00"), (1360.4, "1360")]
)
def test_three_digits_are_written_whatever_they_are(number: float, written: str) -> None:
    assert three_digits(number) == written
