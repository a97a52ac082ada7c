"""First calls, timed in real processes that find nothing of what was called before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from polytab.recordings.measurements import MIME, read_measurement
from polytab.runner.perform import perform
from polytab.scripts.helpers import KIT
from tests.support.handbook import job, write, write_handbook
from tests.support.sealed import HERE

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
import time
from measure import compare, sweep
from first_calls import seconds_of_first_call

SLOW = 0.2


class Table:
    def __init__(self):
        self.rows = {}

    def look_up(self, key):
        if not self.rows:
            time.sleep(SLOW)
            self.rows.update({each: each for each in range(10)})
        return self.rows[key]


def lookups(key=3):
    table = Table()
    return {"look up": lambda: table.look_up(key), "quick": lambda: time.sleep(1e-4)}
"""


def run(folder: Path, script: str) -> str:
    """Run a script as a person does, and return what it prints."""
    (folder / "script.py").write_text(TABLE + script)
    environment = {**os.environ, "PYTHONPATH": str(KIT), "TMPDIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout if done.returncode == 0 else done.stderr


def test_a_first_call_finds_nothing_of_what_was_called_before(tmp_path: Path) -> None:
    said = run(tmp_path, "import json\nprint(json.dumps(compare('t', lookups, first=True).data))\n")
    first, quick = json.loads(said)["cases"]
    assert first["fresh"]
    assert first["first_calls"][0] >= 0.2
    assert max(first["samples"][0]) < 0.2
    assert 1e-4 <= quick["first_calls"][0] < 0.2
    assert read_measurement(json.loads(said)).cases[0].first_calls == tuple(first["first_calls"])


def test_of_a_curve_the_named_cases_are_called_at_each_value(tmp_path: Path) -> None:
    script = "curve = sweep('t', 'key', [1, 2], lookups, first=['look up'])\n"
    said = run(
        tmp_path, f"{script}print([len(each['first_calls']) for each in curve.data['cases']])"
    )
    assert said == "[1, 0, 1, 0]\n"


CACHED = """
import os
from pathlib import Path


def cached():
    file = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"], "code")

    def run():
        if not file.exists():
            time.sleep(SLOW)
            file.write_text("code")
    return run


empty = [seconds_of_first_call(cached) for _ in range(2)]
kept = [seconds_of_first_call(cached, caches="kept") for _ in range(2)]
print([each > SLOW for each in empty + kept])
"""


def test_caches_are_empty_unless_a_folder_of_them_is_named(tmp_path: Path) -> None:
    assert run(tmp_path, CACHED) == "[True, True, True, False]\n"


PASSING = """for number in range(3):
    pass


def made():
    return lambda: number


seconds_of_first_call(made)
"""
BROKEN = """
def broken():
    return lambda: 1e300 ** 2


seconds_of_first_call(broken)
"""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("seconds_of_first_call(lambda: print)", "a lambda has no name"),
        (PASSING, "`made` uses `number`, which line 23 of its cell makes in passing"),
        (BROKEN, "OverflowError: "),
    ],
)
def test_what_cannot_be_called_afresh_says_why(tmp_path: Path, script: str, said: str) -> None:
    assert said in run(tmp_path, script)


def test_a_call_is_over_when_its_result_is_there(tmp_path: Path) -> None:
    script = """
def later():
    return lambda: 0.3


def wait(seconds):
    time.sleep(seconds)


print(seconds_of_first_call(later, wait=wait) >= 0.3, seconds_of_first_call(later) < 0.3)
"""
    assert run(tmp_path, script) == "True True\n"


def test_in_kernels_each_process_of_a_recording_makes_a_first_call(tmp_path: Path) -> None:
    settings = write_handbook(tmp_path)
    block = "# /// polytab\n# measures = true\n# ///\n"
    script = f"{block}\n# %% table\n{TABLE}\n# %% timed\ncompare('t', lookups, first=True)\n"
    write(tmp_path, {"snippets/tour/torch.py": script})
    recording = perform(job(settings, "tour", "torch"), HERE, lambda _: None)
    shown: dict[str, Any] = dict(recording.cells[1].outputs[0]["data"])
    [case, _] = read_measurement(shown[MIME]).cases
    assert case.fresh
    assert len(case.first_calls) == 3
    assert min(case.first_calls) >= 0.2
    assert "first call" in shown["text/plain"]
