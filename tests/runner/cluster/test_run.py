"""The same jobs on one worker, on three, and on workers that die: real processes, no checkout."""

from __future__ import annotations

import os
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.errors import DeviceError, UsageError, WorkerError
from polytab.model import CUDA
from polytab.recordings.plan import plan
from polytab.runner.cluster import connection
from polytab.runner.cluster.run import run_jobs
from polytab.runner.run_config import RunConfig
from tests.runner.cluster.machines import cluster
from tests.support.handbook import job, write, write_handbook
from tests.support.sealed import seal
from tests.support.traces import alive, eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.model import Job, Recording
    from polytab.runner.events import Event, Outcome
    from polytab.settings import Settings

BENCH = "# /// polytab\n# measures = true\n# ///\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = write_handbook(tmp_path_factory.mktemp("book"))
    write(settings.root, {"snippets/measure.py": "pass\n"})
    seal(settings, "python", "torch", "mxnet")
    return settings


@pytest.fixture(scope="module")
def machines(book: Settings) -> Iterator[tuple[RunConfig, Path]]:
    """Three machines, and the folder all that they do is in."""
    with tempfile.TemporaryDirectory(prefix="pt-") as folder:
        with cluster(book, Path(folder), workers=3) as config:
            yield config, Path(folder)
        assert scratch_folders(Path(folder)) == []


def scratch_folders(folder: Path) -> list[Path]:
    return list(folder.glob("*/polytab-*"))


def _job(settings: Settings, name: str, code: str, header: str = "") -> Job:
    page, framework = name.split("/")
    write(settings.root, {f"snippets/{name}.py": f"{header}# %% only\n{code}"})
    return job(settings, page, framework)


def _run(jobs: list[Job], config: RunConfig) -> tuple[dict[str, Outcome], list[Event]]:
    events: list[Event] = []
    return {each.job.name: each for each in run_jobs(jobs, config, events.append)}, events


def _cells(outcomes: dict[str, Outcome]) -> dict[str, object]:
    return {name: _made(outcome).cells for name, outcome in outcomes.items()}


def _made(outcome: Outcome) -> Recording:
    assert outcome.error is None, outcome.error
    assert outcome.recording is not None
    return outcome.recording


def test_one_worker_and_three_give_the_same(
    book: Settings, machines: tuple[RunConfig, Path]
) -> None:
    jobs = list(plan(book))
    here, _ = _run(jobs, RunConfig(book.build, jobs=1))
    there, events = _run(jobs, machines[0])
    assert _cells(here) == _cells(there)
    assert {each.key for each in map(_made, there.values())} == {each.key for each in jobs}
    used = {event.worker for event in events if event.kind == "starts"}
    assert used == {"w1", "w2", "w3"}


def test_a_job_needs_nothing_of_the_checkout(
    book: Settings, machines: tuple[RunConfig, Path]
) -> None:
    write(book.root, {"snippets/end/points.csv": "1,2", "snippets/aid.py": "WORD = 'aid'\n"})
    header = '# /// polytab\n# data = ["points.csv"]\n# ///\n'
    code = "import aid\nprint(open('points.csv').read(), aid.WORD)\n"
    sent = _job(book, "end/torch", code, header)
    for name in ("end/points.csv", "end/torch.py", "aid.py"):
        (book.snippets / name).unlink()
    outcomes, _ = _run([sent], machines[0])
    [printed] = _made(outcomes["end/torch"]).cells[0].outputs
    assert printed["text"] == "1,2 aid\n"


def test_what_measures_is_alone_and_what_does_not_shares(book: Settings, tmp_path: Path) -> None:
    log = tmp_path / "log"
    lone = f"""\
import measure, time
began = time.monotonic_ns()
time.sleep(0.3)
with open({str(log)!r}, "a") as file:
    print("lone", began, time.monotonic_ns(), file=file)
"""
    meets = f"""\
import pathlib, time
began = time.monotonic_ns()
pathlib.Path({str(tmp_path)!r}, MINE).touch()
while not pathlib.Path({str(tmp_path)!r}, OTHER).exists():
    time.sleep(0.01)
with open({str(log)!r}, "a") as file:
    print("meets", began, time.monotonic_ns(), file=file)
"""
    jobs = [
        _job(book, "end/torch", meets.replace("MINE", "'a'").replace("OTHER", "'b'")),
        _job(book, "end/mxnet", meets.replace("MINE", "'b'").replace("OTHER", "'a'")),
        _job(book, "tour/torch", lone, BENCH),
        _job(book, "tour/mxnet", lone, BENCH),
    ]
    outcomes, _ = _run(jobs, RunConfig(book.build, jobs=2))
    assert [outcome.error for outcome in outcomes.values()] == [None] * 4
    rows = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
    spans = [(name, int(began), int(ended)) for name, began, ended in rows]
    assert sorted(name for name, _, _ in spans) == ["lone"] * 6 + ["meets"] * 2
    for at, (name, began, ended) in enumerate(spans):
        others = spans[:at] + spans[at + 1 :]
        if name == "lone":
            assert all(end < began or start > ended for _, start, end in others)


def test_a_job_that_asks_for_more_than_there_is_fails_at_once(
    book: Settings, machines: tuple[RunConfig, Path]
) -> None:
    good = _job(book, "end/python", "print(1)\n")
    greedy = _job(book, "tour/torch", "print(1)\n", "# /// polytab\n# gpus = 2\n# ///\n")
    greedy = replace(greedy, environment=replace(greedy.environment, device=CUDA))
    outcomes, events = _run([good, greedy], machines[0])
    error = outcomes["tour/torch (cuda)"].error
    assert isinstance(error, DeviceError)
    assert error.message.endswith("asks for 2 GPU of one machine, no worker has so many")
    assert error.hint == "the workers there are: w1 has 0, w2 has 0, w3 has 0"
    assert [event.job for event in events if event.kind == "starts"] == [good]
    assert _made(outcomes["end/python"])


def test_identical_jobs_run_once(
    book: Settings, machines: tuple[RunConfig, Path], tmp_path: Path
) -> None:
    """Of one recorder, and of two on the same cluster."""
    log, gate = tmp_path / "log", tmp_path / "gate"
    code = f"""\
import pathlib, time
with open({str(log)!r}, "a") as file:
    print("ran", file=file)
while not pathlib.Path({str(gate)!r}).exists():
    time.sleep(0.01)
"""
    same = _job(book, "end/python", code)
    started: list[str] = []

    def hear(event: Event) -> None:
        started.append(event.kind)
        if started.count("starts") == 2:
            gate.touch()

    with ThreadPoolExecutor() as pool:
        every = [
            pool.submit(lambda: list(run_jobs([same, same], machines[0], hear))) for _ in range(2)
        ]
        for outcomes in every:
            [outcome] = outcomes.result()
            assert _made(outcome).key == same.key
    assert log.read_text(encoding="utf-8") == "ran\n"


def test_the_job_of_a_worker_that_was_killed_runs_elsewhere(
    book: Settings, machines: tuple[RunConfig, Path], tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    code = f"""\
import os, pathlib, time
first = not pathlib.Path({str(pids)!r}).exists()
with open({str(pids)!r}, "a") as file:
    print(os.getppid(), os.getpid(), file=file)
if first:
    time.sleep(1000)
print("done")
"""
    config, folder = machines
    jobs = [_job(book, "end/python", code), _job(book, "tour/python", "print(1)\n")]
    events: list[Event] = []
    with ThreadPoolExecutor() as pool:
        running = pool.submit(lambda: list(run_jobs(jobs, config, events.append)))
        assert eventually(lambda: pids.exists() and pids.read_text().endswith("\n"))
        worker, kernel = (int(word) for word in pids.read_text().split())
        os.kill(worker, signal.SIGKILL)
        outcomes = {outcome.job.name: outcome for outcome in running.result()}
    [printed] = _made(outcomes["end/python"]).cells[0].outputs
    assert printed["text"] == "done\n"
    assert len(pids.read_text().splitlines()) == 2
    assert _made(outcomes["tour/python"])
    assert [event.job for event in events if event.kind == "lost"] == [jobs[0]]
    assert eventually(lambda: not alive(kernel))
    assert eventually(lambda: scratch_folders(folder) == [])


def test_a_job_that_kills_its_workers_is_given_up_and_named(
    book: Settings, machines: tuple[RunConfig, Path]
) -> None:
    killer = _job(book, "end/python", "import os\nos.kill(os.getppid(), 9)\n")
    good = _job(book, "tour/python", "print('good')\n")
    outcomes, events = _run([killer, good], machines[0])
    error = outcomes["end/python"].error
    assert isinstance(error, WorkerError)
    assert error.file == killer.script.path
    assert error.message.startswith("end/python: given up: each worker it was on was lost (w")
    assert [event.job for event in events if event.kind == "lost"].count(killer) == 3
    assert _made(outcomes["tour/python"])


def test_who_leaves_early_leaves_nothing_running(
    book: Settings, machines: tuple[RunConfig, Path]
) -> None:
    config, folder = machines
    quick = _job(book, "end/python", "print(1)\n")
    endless = _job(book, "tour/python", "import time\ntime.sleep(1000)\n")
    outcomes = run_jobs([quick, endless], config, lambda _: None)
    assert next(outcomes).job == quick
    outcomes.close()
    assert scratch_folders(folder) == []


# Addresses


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://192.0.2.1:8786", "is not encrypted"),
        ("192.0.2.1:8786", "is no address of a scheduler"),
        ("tls://", "is no address of a scheduler"),
        ("tls://host:port", "is no address of a scheduler"),
    ],
)
def test_an_open_wire_is_refused(book: Settings, address: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        _run([job(book, "end", "python")], RunConfig(book.build, address))


def test_a_scheduler_that_is_not_there_is_one_error(
    book: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SCHEDULER_TIMEOUT", 0.5)
    with pytest.raises(WorkerError, match="cannot be reached"):
        _run([job(book, "end", "python")], RunConfig(book.build, "tcp://127.0.0.1:9"))
