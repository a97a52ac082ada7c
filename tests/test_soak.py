"""What searches goes on for the minutes it is given, and its seeds are known."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SEARCHES = """
from pathlib import Path
import pytest
from hypothesis import given, settings, strategies as st

HERE = Path(__file__).parent

def note(name, value):
    with (HERE / name).open("a") as file:
        file.write(f"{value}\\n")

@settings(max_examples=4, database=None, derandomize=True)
@given(st.integers(0, 10**9))
def test_property(number):
    note("examples", number)

@pytest.mark.soak
def test_long(seeds):
    for seed in seeds:
        note("seeds", seed)

def test_plain():
    note("plain", 1)
"""


@pytest.fixture
def searched(tmp_path: Path, request: pytest.FixtureRequest) -> dict[str, list[int]]:
    """Run the tests above with the words of a test; return what each has noted."""
    (tmp_path / "test_searches.py").write_text(SEARCHES)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = soak\n")  # and none above it
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.support.soak",
        "-p",
        "no:cacheprovider",
    ]
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    environment = {**os.environ, "CI": "true", "PYTHONPATH": path}
    done = subprocess.run(
        [*command, "-W", "ignore", *request.param, str(tmp_path)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    names = ("examples", "seeds", "plain")
    noted = {name: (tmp_path / name) for name in names}
    return {
        name: [int(line) for line in path.read_text().splitlines()] if path.is_file() else []
        for name, path in noted.items()
    }


@pytest.mark.parametrize("searched", [()], indirect=True)
def test_without_minutes_each_searches_once(searched: dict[str, list[int]]) -> None:
    assert len(searched["examples"]) == 4
    assert searched["seeds"] == [0]


@pytest.mark.parametrize("searched", [("--minutes", "0.03")], indirect=True)
def test_with_minutes_what_searches_goes_on_with_other_seeds(
    searched: dict[str, list[int]],
) -> None:
    assert len(set(searched["examples"])) > 4  # derandomized, one run knows four
    assert len(searched["seeds"]) > 2
    assert searched["seeds"] == list(range(len(searched["seeds"])))  # in CI
    assert searched["plain"] == [1]
