"""A worker that wants to run code in the recorder: whatever it sends, nothing of it runs."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from distributed import Client

from polytab.errors import WorkerError
from polytab.runner.cluster import run
from polytab.runner.cluster.run import run_jobs
from polytab.runner.run_config import RunConfig
from tests.runner.cluster.hostile_worker import KINDS
from tests.runner.cluster.machines import running, scheduler
from tests.support.handbook import job

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.runner.events import Event
    from polytab.settings import Settings

PROGRAM = Path(__file__).with_name("hostile_worker.py")
ROOT = Path(__file__).parents[3]

LONGEST_LEAVE = 120.0
"""Seconds, on a busy machine; without a limit it would be as long as the worker likes."""


@contextmanager
def hostile(kind: str, mark: Path) -> Iterator[str]:
    """Run a scheduler with one such worker; give the scheduler's address."""
    words = ["--nthreads", "1", "--nworkers", "1", "--no-nanny", "--resources", "machine=1 gpu=0"]
    words += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--host", "127.0.0.1"]
    variables = {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "MARK": str(mark)}
    with tempfile.TemporaryDirectory(prefix="pt-") as name:
        folder = Path(name)
        with scheduler(folder, variables=variables) as address:
            command = [sys.executable, str(PROGRAM), kind, address, *words]
            with running(command, folder / "worker", variables):
                with Client(address, set_as_default=False) as client:
                    client.wait_for_workers(1)
                yield address


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_worker_sends_runs_nothing_here(
    kind: str, handbook: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = job(handbook, "end", "python")
    mark = tmp_path / "taken over"
    errors: list[WorkerError] = []
    with hostile(kind, mark) as address:
        try:
            for outcome in run_jobs([asked], RunConfig(handbook.build, address), lambda _: None):
                assert outcome.recording is None
                assert isinstance(outcome.error, WorkerError)
                errors.append(outcome.error)
        except WorkerError as error:
            errors.append(error)
    touched = mark.read_text(encoding="utf-8").split() if mark.exists() else []
    assert str(os.getpid()) not in touched  # Dask's worker itself tries what it raises
    [told] = errors
    assert told.hint
    assert "Traceback" not in str(told)
    assert "printed by a worker" not in "".join(capfd.readouterr())


def test_who_leaves_does_not_wait_for_a_worker_that_does_not_answer(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_RELEASE_TIMEOUT", 2.0)

    def leave(event: Event) -> None:
        if event.kind == "starts":
            raise InterruptedError

    asked = [job(handbook, "end", "python")]
    with hostile("slow", tmp_path / "taken over") as address:
        began = time.monotonic()
        with pytest.raises(InterruptedError):
            list(run_jobs(asked, RunConfig(handbook.build, address), leave))
        assert time.monotonic() - began < LONGEST_LEAVE
