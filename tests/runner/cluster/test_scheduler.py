"""A scheduler that is lost is one error; what was recorded stays, and the rest can be done."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.plan import plan
from tests.runner.cluster.machines import POLYTAB, running, scheduler
from tests.support.handbook import write
from tests.support.sealed import seal
from tests.support.traces import alive, eventually, processes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pt-") as folder:
        yield Path(folder)
        assert eventually(lambda: processes(Path(folder)) == [])


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_is_lost_is_one_error_and_a_second_run_does_the_rest(
    handbook: Settings, folder: Path, fault: int
) -> None:
    seal(handbook, "python", "torch", "mxnet")
    pids = folder / "pids"
    waits = f"""\
# %% add
import os, pathlib, time
pids = pathlib.Path({str(pids)!r})
first = not pids.exists()
pids.write_text(f"{{os.getpid()}}\\n")
if first:
    time.sleep(1000)
"""
    write(handbook.root, {"snippets/tour/torch.py": waits})
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(folder))
        command = [*POLYTAB, "worker", address, "--jobs", "1"]
        command += ["--envs", str(handbook.build / "envs")]
        stack.enter_context(running(command, folder / "one"))
        recorder = stack.enter_context(
            subprocess.Popen(
                [*POLYTAB, "record", "--scheduler", address],
                cwd=handbook.root,
                env={**os.environ, "TMPDIR": str(folder)},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        assert eventually(lambda: pids.exists() and pids.read_text().endswith("\n"), 120)
        before = {path: path.read_bytes() for path in handbook.recordings.rglob("*.ipynb")}
        lost = int((folder / "scheduler" / "pid").read_text(encoding="utf-8"))
        os.kill(lost, fault)
        _, errors = recorder.communicate(timeout=120)
        if fault == signal.SIGSTOP:
            os.kill(lost, signal.SIGCONT)
        assert recorder.returncode == 1
        assert errors.splitlines() == [
            f"error: the scheduler {address} was lost",
            "  what was recorded is kept; run it again for the rest",
        ]
        kernel = int(pids.read_text())
        assert eventually(lambda: not alive(kernel))
    assert {path: path.read_bytes() for path in before} == before
    ran = subprocess.run(
        [*POLYTAB, "record"], cwd=handbook.root, check=True, capture_output=True, text=True
    )
    assert f"4 scripts: {4 - len(before)} recorded, {len(before)} reused, 0 failed" in ran.stdout
    assert [job.reason for job in plan(handbook)] == [None] * 4
