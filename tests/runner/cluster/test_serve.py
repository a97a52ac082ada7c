"""A machine offers itself to a scheduler once, and for no longer than there is one."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from tests.runner.cluster.machines import POLYTAB, running, scheduler
from tests.support.traces import eventually, processes

if TYPE_CHECKING:
    from pathlib import Path


def _worker(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*POLYTAB, "worker", *words],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_machine_is_not_promised_twice(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        scheduler(tmp_path) as address,
        running([*POLYTAB, "worker", address, "--jobs", "1"], tmp_path) as first,
    ):
        assert eventually(lambda: "Registered to" in log.read_text(encoding="utf-8"))
        second = _worker(tmp_path, address)
        assert second.returncode == 1
        assert second.stderr.startswith(
            "error: another `polytab worker` speaks for this machine already\n"
        )
        first.terminate()
        assert first.wait(60) == 0
    assert processes(tmp_path) == []


def test_a_worker_that_is_killed_takes_all_with_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        scheduler(tmp_path / "far") as address,
        running([*POLYTAB, "worker", address, "--jobs", "1"], tmp_path / "near") as worker,
    ):
        log = tmp_path / "near" / "log"
        assert eventually(lambda: "Registered to" in log.read_text(encoding="utf-8"))
        worker.kill()
        assert eventually(lambda: processes(tmp_path / "near") == [])


def test_a_worker_that_finds_no_scheduler_gives_up_and_says_so(tmp_path: Path) -> None:
    ended = _worker(tmp_path, "tcp://127.0.0.1:9", "--", "--death-timeout", "1")
    assert ended.returncode == 1
    assert "error: the worker ended (exit status 1)\n" in ended.stderr
    assert processes(tmp_path) == []
