"""The training step of the chapter on where the time goes is the same in all frameworks.

Its losses are read from the recordings, and the step is run where frameworks are installed, which
takes long because five of them are imported.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.model import CPU
from polytab.recordings.files import load_recording, recording_path
from polytab.runner.environments import home_of
from polytab.scripts.helpers import KIT
from polytab.scripts.load import load_scripts
from polytab.scripts.pins import read_environment
from polytab.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
SETTINGS = load_settings(ROOT)
PAGE = "where-the-time-goes"
SCRIPTS = {each.framework: each for each in load_scripts(SETTINGS) if each.page == PAGE}
SHARED = ("documents", "input", "counts", "products", "weights", "three-models", "first")
"""Cells that need no framework, but for how a number is read."""


def losses(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def assert_equal_and_falling(found: Mapping[str, list[float]]) -> None:
    """Complain unless all five losses of all frameworks agree to three digits after the point."""
    first = next(iter(found.values()))
    assert len(first) == 5
    assert first == sorted(first, reverse=True)
    assert first[-1] < first[0] - 0.1
    for framework, others in found.items():
        assert others == pytest.approx(first, abs=0.0015), framework


def test_the_chapter_has_all_frameworks() -> None:
    assert set(SCRIPTS) == {"torch", "tensorflow", "mxnet", "paddle", "jax"}


def test_the_recorded_losses_agree() -> None:
    found = {}
    for framework in SCRIPTS:
        path = recording_path(SETTINGS.recordings, PAGE, framework, CPU)
        recording = load_recording(path)
        if recording is None:
            pytest.skip(f"{framework} has not been recorded")
        (cell,) = [each for each in recording.cells if each.label == "losses"]
        found[framework] = losses("".join(cell.outputs[0]["text"]))
    assert_equal_and_falling(found)


def test_the_losses_of_steps_run_now_agree() -> None:
    found = {}
    for framework, script in SCRIPTS.items():
        home = home_of(read_environment(SETTINGS, framework), SETTINGS.build / "envs")
        if not home.is_dir():
            pytest.skip(f"{framework} is not installed")
        labels = [each.label for each in script.cells]
        cells = script.cells[: labels.index("losses") + 1]
        done = subprocess.run(
            [home / "bin" / "python", "-P", "-c", "\n".join(each.code for each in cells)],
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'snippets'}{os.pathsep}{KIT}"},
            capture_output=True,
            text=True,
            check=True,
        )
        found[framework] = losses(done.stdout.splitlines()[-1])
    assert_equal_and_falling(found)


@pytest.mark.parametrize("label", SHARED)
def test_what_needs_no_framework_is_written_alike(label: str) -> None:
    codes = set()
    for script in SCRIPTS.values():
        cell = script.cell(label)
        assert cell is not None, script.name
        codes.add(cell.code)
    assert len(codes) == 1


def test_the_page_has_the_sizes_of_the_models() -> None:
    page = (ROOT / "docs" / f"{PAGE}.md").read_text(encoding="utf-8")
    code = (ROOT / "snippets" / "decoder.py").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \*(\w+)\* \|((?: \d+ \|){5})$", page, re.MULTILINE)
    models = re.findall(r'"(\w+)": Sizes\(([^)]+)\)', code)
    assert len(models) == 5
    told, made = (
        {name: re.findall(r"\d+", numbers) for name, numbers in found} for found in (rows, models)
    )
    assert told == made
