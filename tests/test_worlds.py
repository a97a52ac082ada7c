"""The handbook builds in each world: all faster, all slower, all the same, all undecided."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.files import read_recording
from polytab.recordings.measurements import measurements_of
from polytab.recordings.verdicts import ratio, verdict
from tests.support.worlds import ROOT, WORLDS, comparisons, copy_handbook, doctor, forced

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("world", WORLDS)
def test_in_a_world_every_verdict_is_the_one_wished_for(world: str) -> None:
    judged = 0
    for path in sorted((ROOT / "recordings").rglob("*.ipynb")):
        recording = read_recording(path.read_bytes())
        compared = comparisons(ROOT, recording.page)
        for measurement in measurements_of(recording):
            pairs = compared.get(measurement.name, [])
            names = {case.full_name for case in measurement.cases}
            changed = forced(measurement, pairs, world) if pairs else measurement
            for a, b in pairs:
                if {a, b} <= names:
                    judged += 1
                    assert verdict(ratio(changed, a, b)) == world, (recording.name, a, b)
    assert judged > 100


def build(root: Path, *languages: str) -> str:
    """Build languages as a person does; return what was complained of."""
    command = [sys.executable, "-m", "polytab", "site", *languages, "--strict"]
    done = subprocess.run(
        command, cwd=root, env={**os.environ}, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_a_page_in_an_undecided_world_has_no_complaint(tmp_path: Path) -> None:
    """It takes half a minute, because the English of the handbook is built."""
    root = copy_handbook(tmp_path / "world")
    doctor(root, "undecided")
    assert build(root, "en") == ""
    page = (root / "_build" / "site" / "en" / "hardware.html").read_text(encoding="utf-8")
    assert page.count("This measurement does not decide") > 5


@pytest.mark.soak
@pytest.mark.parametrize("world", WORLDS)
def test_every_page_builds_in_every_world_and_language(world: str, tmp_path: Path) -> None:
    """It takes minutes: all pages of three languages, as they would be in this world."""
    root = copy_handbook(tmp_path / "world")
    doctor(root, world)
    assert build(root) == ""
