"""What the pages on trust and on faults promise: each of their lines has a test that is there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "contributing"
PAGE = (PAGES / "trust.md").read_text(encoding="utf-8")


def _rows(page: str, heading: str) -> dict[str, list[str]]:
    text = (PAGES / page).read_text(encoding="utf-8")
    table = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    return {line.strip(): re.findall(r"`([^`]+)`", tests) for line, *_, tests in rows[2:]}


def _functions(path: Path) -> set[str]:
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {each.name for each in found if isinstance(each, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("page", "heading", "lines"),
    [
        ("trust.md", "Each line and its test", 26),
        ("recording.md", "When something goes wrong", 22),
    ],
)
def test_every_line_names_a_test_that_is_there(page: str, heading: str, lines: int) -> None:
    rows = _rows(page, heading)
    assert len(rows) >= lines
    for line, tests in rows.items():
        assert tests, line
        for named in tests:
            file, _, function = named.partition("::")
            path = ROOT / file
            assert path.is_file(), (line, named)
            assert path.name.startswith("test_"), (line, named)
            assert not function or function in _functions(path), (line, named)


def test_every_session_and_verb_of_the_page_runs_as_it_says() -> None:
    noxfile = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    for session in re.findall(r"nox -s (\w+)", PAGE):
        assert f"def {session}(session" in noxfile, session


_LOAD = """
import sys
for name in ("polytab.runner", "ipykernel", "distributed", "virtualenv"):
    sys.modules[name] = None  # importing it fails, as where it is not installed
import polytab.site.build, polytab.pages, polytab.site.sphinx
"""


def test_what_builds_pages_cannot_run_snippets() -> None:
    """It does without the runner, and without what makes environments and kernels."""
    done = subprocess.run(
        [sys.executable, "-c", _LOAD], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
