"""A scheduler that wants to run code in the recorder, or answers as no scheduler does."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.errors import WorkerError
from polytab.runner.cluster import connection, run
from polytab.runner.run_config import RunConfig
from tests.runner.cluster.hostile_scheduler import KINDS
from tests.runner.cluster.machines import scheduler
from tests.support.handbook import job

if TYPE_CHECKING:
    from polytab.settings import Settings

PRELOAD = Path(__file__).with_name("hostile_scheduler.py")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_scheduler_sends_runs_nothing_here_and_is_one_error(
    kind: str, handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "taken over"
    monkeypatch.setattr(connection, "SCHEDULER_TIMEOUT", 3.0)
    monkeypatch.setattr(run, "NO_WORKER_TIMEOUT", 3.0)
    with tempfile.TemporaryDirectory(prefix="pt-") as folder:
        variables = {"HOSTILE": kind, "MARK": str(mark)}
        words = ("--preload", str(PRELOAD))
        with scheduler(Path(folder), *words, variables=variables) as address:
            config = RunConfig(handbook.build, address)
            with pytest.raises(WorkerError) as caught:
                list(run.run_jobs([job(handbook, "end", "python")], config, lambda _: None))
    assert caught.value.hint
    assert not mark.exists()
