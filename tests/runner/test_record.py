"""What each job gives is saved as it arrives, whatever becomes of the others."""

from __future__ import annotations

import errno
import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from polytab.errors import InstallError, RecordingError, RunError
from polytab.model import CPU
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.plan import plan
from polytab.runner import perform as module
from polytab.runner.perform import equip, perform
from polytab.runner.record import record
from polytab.runner.run_config import RunConfig
from tests.runner.cluster.machines import recorded
from tests.support.handbook import recording, stream, write
from tests.support.sealed import VERSION, seal

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.model import Job, Recording
    from polytab.runner.environments import Installed
    from polytab.runner.events import Event, Outcome
    from polytab.settings import Settings


class Kernels:
    """Stands for the kernels: what a script gives is set, and who ran is remembered."""

    def __init__(self) -> None:
        self.errors: dict[str, BaseException] = {}
        self.ran: list[str] = []

    def __call__(
        self, job: Job, installed: Installed, report: Callable[[str], None], *_: object
    ) -> Recording:
        del installed
        report("a cell")
        self.ran.append(job.name)
        if job.name in self.errors:
            raise self.errors[job.name]
        return recording(job)


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch, handbook: Settings) -> Kernels:
    kernels = Kernels()
    monkeypatch.setattr(module, "run", kernels)
    seal(handbook, "python", "torch")
    return kernels


@pytest.fixture
def jobs(handbook: Settings) -> tuple[Job, ...]:
    """Give the jobs of the frameworks that have an environment."""
    return plan(handbook, frameworks=["python", "torch"])


def _record(settings: Settings, jobs: tuple[Job, ...]) -> tuple[list[str], dict[str, Outcome]]:
    """Run jobs one at a time."""
    said: list[str] = []

    def hear(event: Event) -> None:
        assert event.job is not None
        said.append(f"{event.job.name}: {event.text}")

    outcomes = record(jobs, RunConfig(settings.build, jobs=1), settings.recordings, hear)
    return said, {outcome.job.name: outcome for outcome in outcomes}


def _saved(settings: Settings) -> set[str]:
    return {path.relative_to(settings.recordings).as_posix()
            for path in settings.recordings.rglob("*") if path.is_file()}  # fmt: skip


def test_every_job_runs_in_order_and_is_saved(
    handbook: Settings, kernels: Kernels, jobs: tuple[Job, ...]
) -> None:
    said, outcomes = _record(handbook, jobs)
    assert kernels.ran == ["end/python", "tour/python", "tour/torch"]
    for job in jobs:
        path = recording_path(handbook.recordings, job.script.page, job.script.framework, "cpu")
        assert load_recording(path) == outcomes[job.name].recording == recording(job)
    assert set(outcomes) == {job.name for job in jobs}
    assert said[:3] == [
        "end/python: runs, because there is no recording yet",
        "end/python: a cell",
        "end/python: recorded in 2 s",
    ]


def test_a_job_that_fails_neither_stops_the_next_nor_leaves_a_file(
    handbook: Settings, kernels: Kernels, jobs: tuple[Job, ...]
) -> None:
    kernels.errors["tour/python"] = RunError("a cell raised")
    said, outcomes = _record(handbook, jobs)
    assert kernels.ran == ["end/python", "tour/python", "tour/torch"]
    assert str(outcomes["tour/python"].error) == "a cell raised"
    assert _saved(handbook) == {"end/python.cpu.ipynb", "tour/torch.cpu.ipynb"}
    assert "tour/python: failed" in said


def test_a_job_that_fails_leaves_the_earlier_recording_as_it_was(
    handbook: Settings, kernels: Kernels, jobs: tuple[Job, ...]
) -> None:
    _record(handbook, jobs)
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    before = path.read_bytes()
    kernels.errors["tour/torch"] = RunError("a cell raised")
    _record(handbook, jobs)
    assert path.read_bytes() == before


def test_an_environment_that_cannot_be_had_is_no_fault_of_the_script(
    handbook: Settings, kernels: Kernels
) -> None:
    write(handbook.root, {"environments/mxnet.txt": "# python: 3.99\nmxnet==1.9.1\n"})
    jobs = plan(handbook, frameworks=["mxnet"])
    _, outcomes = _record(handbook, jobs)
    assert kernels.ran == []
    assert isinstance(outcomes["tour/mxnet"].error, InstallError)
    assert _saved(handbook) == set()


@pytest.mark.usefixtures("kernels")
def test_a_recording_that_cannot_be_written_is_one_error_and_the_others_are_kept(
    handbook: Settings, jobs: tuple[Job, ...]
) -> None:
    write(handbook.root, {"recordings/end": "a file where a folder must be"})
    _, outcomes = _record(handbook, jobs)
    assert isinstance(outcomes["end/python"].error, RecordingError)
    assert outcomes["end/python"].recording is None
    assert _saved(handbook) == {"end", "tour/python.cpu.ipynb", "tour/torch.cpu.ipynb"}


@pytest.mark.usefixtures("kernels")
def test_a_full_disk_leaves_the_earlier_recording_and_no_half_of_a_new_one(
    handbook: Settings, jobs: tuple[Job, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    _record(handbook, jobs)
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    for each in handbook.recordings.rglob("*.ipynb"):
        each.write_bytes(each.read_bytes() + b"\n")  # what is equal is not written again
    before, files = path.read_bytes(), _saved(handbook)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    _, outcomes = _record(handbook, jobs)
    for outcome in outcomes.values():
        assert isinstance(outcome.error, RecordingError)
        assert "No space left on device" in str(outcome.error)
    assert path.read_bytes() == before
    assert _saved(handbook) == files


@pytest.mark.usefixtures("kernels")
def test_who_stops_listening_keeps_what_was_saved(
    handbook: Settings, jobs: tuple[Job, ...]
) -> None:
    config = RunConfig(handbook.build, jobs=1)
    with closing(record(jobs, config, handbook.recordings, lambda _: None)) as outcomes:
        assert next(outcomes).job.name == "end/python"
    assert _saved(handbook) == {"end/python.cpu.ipynb"}


@pytest.mark.usefixtures("watched")
def test_a_job_runs_in_its_own_environment(handbook: Settings) -> None:
    code = "# %% add\nprint(1 + 2)\n\n# %% twice\n2\n"
    write(handbook.root, {"snippets/tour/torch.py": code})
    seal(handbook, "torch")
    [job] = plan(handbook, ["tour"], ["torch"])
    said: list[str] = []
    made = perform(job, equip(job, handbook.build / "envs", said.append), said.append)
    assert made.provenance.version == VERSION
    assert said == ["cell 1 of 2: `add`", "cell 2 of 2: `twice`"]


def test_what_a_framework_warns_of_is_told_and_not_recorded(handbook: Settings) -> None:
    head = "W1122 01:46:57.438000 31359 torch/_dynamo/convert_frame.py:1994] [1/8] "
    told = "hit config.[red]recompile_limit (8)"
    script = f"# %% add\nimport sys\nprint({head + told!r}, file=sys.stderr)\nprint('good')\n"
    write(handbook.snippets, {"tour/torch.py": script})
    seal(handbook, "python", "torch", "mxnet")

    done = recorded(handbook, {}, "tour", "torch")

    assert done.returncode == 0
    assert f"tour/torch: cell `add` logged: {told}" in " ".join(done.stderr.split())
    made = load_recording(recording_path(handbook.recordings, "tour", "torch", CPU))
    assert made is not None
    assert made.cells[0].outputs == (stream("good\n"),)
