"""The helper that compares works in processes of their own, with real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from polytab.scripts.helpers import KIT

# Each worker writes down its process. A call appends who works, its colour, how the others are.
SCRIPT = """
from processes import compare_processes


def prepare(name):
    import os
    from pathlib import Path

    Path(f"{name}.pid").write_text(str(os.getpid()))

    def run():
        states = {}
        for path in Path().glob("*.pid"):
            status = Path("/proc", path.read_text(), "stat").read_text()
            states[path.stem] = status.rpartition(")")[2].split()[0]
        others = [state for key, state in states.items() if key != name]
        with Path("seen").open("a") as seen:
            seen.write(f"{name} {os.environ['COLOUR']} {''.join(others)}\\n")
    return run


compare_processes("states", {
    "one": (prepare, {"COLOUR": "red"}, "one"),
    "two": (prepare, {"COLOUR": "green"}, "two"),
    "three": (prepare, {"COLOUR": "blue"}, "three")})
"""

ENDS = """
from processes import compare_processes


def fine():
    import os
    from pathlib import Path

    Path("fine.pid").write_text(str(os.getpid()))
    return lambda: None


def broken():
    raise SystemExit(3)


compare_processes("ends", {"fine": (fine, {}), "broken": (broken, {})})
"""


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(script)
    return subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(KIT), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def alive(path: Path) -> bool:
    return Path("/proc", path.read_text()).exists()


def test_while_one_works_all_others_are_stopped(tmp_path: Path) -> None:
    done = run(tmp_path, SCRIPT)
    assert done.returncode == 0, done.stderr
    seen = Counter((tmp_path / "seen").read_text().splitlines())
    # In the moment of a switch another may be seen on its way to its stop.
    often = {line for line, calls in seen.items() if calls > 0.1 * seen.total()}
    assert often == {"one red TT", "two green TT", "three blue TT"}


@pytest.mark.parametrize(("script", "code"), [(SCRIPT, 0), (ENDS, 1)])
def test_nothing_is_left_whether_it_ends_well_or_not(
    tmp_path: Path, script: str, code: int
) -> None:
    done = run(tmp_path, script)
    assert done.returncode == code, done.stderr
    assert ("ended early" in done.stderr) == bool(code)
    pids = list(tmp_path.glob("*.pid"))
    assert pids
    assert not [path.name for path in pids if alive(path)]
    assert not list(tmp_path.glob("tmp*"))
