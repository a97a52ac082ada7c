"""A shared store spares work, is never trusted, and never costs a recording."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.model import Key
from polytab.recordings.files import load_recording, recording_path, spell_recording
from polytab.recordings.limits import LARGEST_FILE
from polytab.recordings.plan import plan
from polytab.runner.store import Store
from tests.runner.bucket import ADDRESS, Wire, bucket, variables
from tests.runner.cluster.machines import POLYTAB, recorded
from tests.support.handbook import job, recording, with_cuda, write, write_handbook
from tests.support.sealed import seal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.model import Job
    from polytab.runner.events import Event
    from polytab.settings import Settings
    from tests.runner.bucket import Bucket

LEFT = f"warning: the store {ADDRESS} is left alone: "


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Bucket]:
    with bucket(tmp_path) as made:
        yield made


@pytest.fixture
def said() -> list[Event]:
    return []


@pytest.fixture
def store(tmp_path: Path, said: list[Event]) -> Store:
    return Store(str(tmp_path / "store"), said.append)


def _events(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def _all_whole(settings: Settings) -> int:
    """Count the recordings, each of which must be whole; there must be no other file."""
    paths = [path for path in settings.recordings.rglob("*") if path.is_file()]
    assert all(load_recording(path) for path in paths)
    return len(paths)


# A store that answers


def test_what_one_machine_recorded_another_fetches_and_runs_nothing(
    tmp_path: Path, shared: Bucket
) -> None:
    one, other = (write_handbook(tmp_path / name) for name in ("one", "other"))
    seal(one, "python", "torch", "mxnet")  # the other has no environment, and makes none
    done = recorded(one, variables(shared.port))
    assert (done.returncode, done.stderr) == (0, "")
    assert set(shared.files()) == {f"handbook/{each.key.digest}.ipynb" for each in plan(one)}
    done = recorded(other, variables(shared.port), "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    *events, summary = _events(done)
    assert [event["event"] for event in events] == ["fetched"] * 4
    assert "from the store, recorded on 20" in str(events[0]["text"])
    counts = {name: summary[name] for name in ("recorded", "fetched", "reused", "failed")}
    assert counts == {"recorded": 0, "fetched": 4, "reused": 0, "failed": 0}
    assert not other.build.exists()
    for each in plan(other):
        path = recording_path(other.recordings, each.script.page, each.script.framework, "cpu")
        assert each.reason is None
        there = one.recordings / path.relative_to(other.recordings)
        assert path.read_bytes() == there.read_bytes()


def test_what_is_kept_is_what_is_fetched(
    handbook: Settings, store: Store, said: list[Event], tmp_path: Path
) -> None:
    made = recording(job(handbook))
    assert store.fetch(job(handbook)) is None
    store.keep(made)
    assert store.fetch(job(handbook)) == made
    assert [path.name for path in (tmp_path / "store").iterdir()] == [f"{made.key.digest}.ipynb"]
    assert said == []


def test_nobody_reads_half_of_what_is_being_written(
    handbook: Settings, store: Store, said: list[Event]
) -> None:
    of = job(handbook)
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 10**6}, "metadata": {}}
    long = recording(of, {"add": [picture]})
    store.keep(long)
    ended = threading.Event()

    def write_again() -> None:
        for _ in range(40):
            store.keep(long)
        ended.set()

    writer = threading.Thread(target=write_again)
    writer.start()
    while not ended.is_set():
        assert store.fetch(of) == long
    writer.join()
    assert said == []


# A store that holds what it should not


def _truncated(good: bytes, _: Job) -> bytes:
    return good[: len(good) // 2]


def _edited(good: bytes, _: Job) -> bytes:
    return good.replace(b"A Processor", b"B Processor")


def _of_another_script(_: bytes, of: Job) -> bytes:
    script = replace(of.script, page="end")
    return spell_recording(recording(replace(of, script=script)))


def _of_another_device(_: bytes, of: Job) -> bytes:
    environment = replace(of.environment, device="cuda")
    return spell_recording(recording(replace(of, environment=environment)))


def _of_other_pins(_: bytes, of: Job) -> bytes:
    key = Key(tuple((name, f"{value}0") for name, value in of.key.parts))
    return spell_recording(replace(recording(of), key=key))


def _of_no_pins(_: bytes, of: Job) -> bytes:
    made = recording(of)
    found = replace(made.provenance, found=(("ipykernel", "7.4.0"),))
    return spell_recording(replace(made, provenance=found))


def _of_other_code(_: bytes, of: Job) -> bytes:
    cells = tuple(replace(cell, code="x = 4") for cell in of.script.cells)
    return spell_recording(recording(replace(of, script=replace(of.script, cells=cells))))


def _with_a_broken_measurement(_: bytes, of: Job) -> bytes:
    data = {"application/vnd.polytab.measurement+json": {"name": "no cases"}, "text/plain": "?"}
    output = {"output_type": "display_data", "metadata": {}, "data": data}
    return spell_recording(recording(of, {"add": [output]}))


@pytest.mark.parametrize(
    "damage",
    [
        lambda *_: b"",
        lambda *_: b" " * (LARGEST_FILE + 1),
        lambda *_: b"\xff" * 100,
        _truncated,
        _edited,
        _of_another_script,
        _of_another_device,
        _of_other_pins,
        _of_no_pins,
        _of_other_code,
        _with_a_broken_measurement,
    ],
)  # fmt: skip
def test_what_is_not_the_recording_of_this_very_job_is_told_and_not_taken(
    handbook: Settings, store: Store, said: list[Event], tmp_path: Path, damage: object
) -> None:
    assert callable(damage)
    of, other = job(handbook), job(handbook, framework="mxnet")
    store.keep(recording(of))
    store.keep(recording(other))
    path = tmp_path / "store" / f"{of.key.digest}.ipynb"
    path.write_bytes(damage(path.read_bytes(), of))
    assert store.fetch(of) is None
    [event] = said
    assert (event.kind, event.job) == ("store", of)
    assert event.text.startswith(f"what the store {store.address} has of it is not taken: ")
    assert store.fetch(other) == recording(other)  # the store is still asked
    store.keep(recording(of))
    assert store.fetch(of) == recording(of)


def test_what_was_made_on_cuda_is_another_recording(
    handbook: Settings, store: Store, said: list[Event]
) -> None:
    settings = with_cuda(handbook)
    store.keep(recording(job(settings, device="cuda")))
    assert store.fetch(job(settings)) is None
    assert store.fetch(job(settings, device="cuda")) == recording(job(settings, device="cuda"))
    assert said == []


def test_a_recording_that_was_damaged_in_the_bucket_is_made_again_and_mended(
    handbook: Settings, shared: Bucket
) -> None:
    seal(handbook, "python", "torch", "mxnet")
    of = job(handbook)
    key = f"handbook/{of.key.digest}.ipynb"
    whole = spell_recording(recording(of))
    shared.write(key, whole[:-100])
    done = recorded(handbook, variables(shared.port))
    assert done.returncode == 0
    told = (
        f"warning: tour/torch: what the store {ADDRESS} has of it is not taken: this recording is"
    )
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1
    assert "4 scripts: 4 recorded, 0 reused, 0 failed" in done.stdout
    assert _all_whole(handbook) == 4
    mended = shared.files()[key]
    assert mended == recording_path(handbook.recordings, "tour", "torch", "cpu").read_bytes()


# A store that does not answer as it should


def _killed(shared: Bucket) -> Iterator[dict[str, str]]:
    shared.process.kill()
    shared.process.wait()
    yield variables(shared.port)


def _silent(_: Bucket) -> Iterator[dict[str, str]]:
    with Wire().open() as port:
        yield variables(port)


def _without_the_bucket(shared: Bucket) -> Iterator[dict[str, str]]:
    shared.client.delete_bucket(Bucket="shared")
    yield variables(shared.port)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (_killed, "Could not connect to the endpoint URL: "),
        (_silent, "it does not answer; "),
        (_without_the_bucket, "The specified bucket does not exist; "),
    ],
)
def test_a_store_that_fails_costs_no_recording_and_is_told_once(
    handbook: Settings, shared: Bucket, fault: object, reason: str
) -> None:
    assert callable(fault)
    torch = handbook.snippets / "tour" / "torch.py"
    good = torch.read_text(encoding="utf-8")
    write(handbook.snippets, {"tour/torch.py": f"{good}raise ValueError\n"})
    seal(handbook, "python", "torch", "mxnet")
    for at in fault(shared):
        first = recorded(handbook, at)
        assert first.returncode == 1  # for the script that raises, and for nothing else
        assert "4 scripts: 3 recorded, 0 reused, 1 failed" in first.stdout
        assert _all_whole(handbook) == 3
        torch.write_text(good, encoding="utf-8")
        second = recorded(handbook, at)
        assert second.returncode == 0
        assert "4 scripts: 1 recorded, 3 reused, 0 failed" in second.stdout
        assert second.stderr.startswith(LEFT + reason)
        assert second.stderr.count("\n") == 1
        for done in (first, second):
            assert done.stderr.count("warning") == 1
            assert LEFT + reason in done.stderr
        assert _all_whole(handbook) == 4


def test_a_slow_store_is_left_alone_after_a_while(
    handbook: Settings,
    shared: Bucket,
    store: Store,
    said: list[Event],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Wire(shared.port, delay=0.1).open() as port:
        for name, value in variables(port).items():
            monkeypatch.setenv(name, value)
        store.address, store.left = ADDRESS, 0.3
        for _ in range(5):
            assert store.fetch(job(handbook)) is None
    [event] = said
    assert event.text.startswith(f"the store {ADDRESS} is left alone: it is slow, ")


def test_a_recorder_that_is_killed_while_it_writes_to_the_store_leaves_nothing_half_there(
    handbook: Settings, shared: Bucket
) -> None:
    seal(handbook, "python", "torch", "mxnet")
    wire = Wire(shared.port, cut=True)
    with wire.open() as port:
        at = {**os.environ, **variables(port)}
        command = [*POLYTAB, "record", "torch"]
        with subprocess.Popen(command, cwd=handbook.root, env=at) as process:
            while not wire.held.wait(0.1):  # however long a busy machine takes to run a script
                assert process.poll() is None, "it ended before it wrote to the store"
            process.kill()
    assert shared.files() == {}
    assert _all_whole(handbook) == 1  # it was saved before
    done = recorded(handbook, variables(shared.port))
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 scripts: 3 recorded, 1 reused, 0 failed" in done.stdout
    assert len(shared.files()) == 3


def test_an_interrupt_does_not_wait_for_a_silent_store(handbook: Settings) -> None:
    wire = Wire()
    with wire.open() as port:
        at = {**os.environ, **variables(port)}
        command = [*POLYTAB, "record"]
        with subprocess.Popen(
            command, cwd=handbook.root, env=at, stderr=subprocess.PIPE, text=True
        ) as process:
            while not wire.ends:  # until it has asked, however long it takes to import what speaks
                assert process.poll() is None, "it ended before it asked the store"
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "interrupted: what was recorded before is kept\n"
    assert not handbook.recordings.exists()
