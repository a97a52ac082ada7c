"""Several hosts, and a cable that is pulled out: TLS between network namespaces."""

from __future__ import annotations

import json
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.plan import plan
from tests.runner.cluster.certificates import certificates, words_of
from tests.runner.cluster.hosts import hosts
from tests.runner.cluster.machines import POLYTAB, running, scheduler
from tests.support.handbook import record, write
from tests.support.sealed import seal
from tests.support.traces import alive, eventually, processes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

PATIENCE = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "11s"}
"""How long Dask waits for an answer before it calls a connection dead: no less, by default 30 s."""

STUCK = """\
# %% add
import os, pathlib, time
pids = pathlib.Path({pids!r})
first = not pids.exists()
with pids.open("a") as file:
    print(os.getppid(), os.getpid(), file=file)
if first:
    time.sleep(1000)
print("done")
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pt-") as name:
        yield Path(name)
        assert eventually(lambda: processes(Path(name)) == [])


def test_a_host_that_is_cut_off_loses_its_job_to_another_and_comes_back(
    handbook: Settings, folder: Path
) -> None:
    seal(handbook, "python", "torch", "mxnet")
    record(handbook)
    earlier = {path: path.read_bytes() for path in handbook.recordings.rglob("*.ipynb")}
    pids = folder / "pids"
    write(handbook.root, {"snippets/tour/torch.py": STUCK.format(pids=str(pids))})
    with ExitStack() as stack:
        hub, *others = stack.enter_context(hosts(3))
        pem = certificates(folder / "pem", *(host.address for host in (hub, *others)))
        trusted = words_of(pem, "--tls-ca-file", "--tls-cert", "--tls-key")
        address = stack.enter_context(
            scheduler(folder, *trusted, protocol="tls", host=hub, variables=PATIENCE)
        )
        mine = words_of(pem, "--tls-ca", "--tls-cert", "--tls-key")
        named = dict(zip(("w1", "w2"), others, strict=True))
        for name, host in named.items():
            command = [*POLYTAB, "worker", address, *mine, "--name", name, "--jobs", "1"]
            command += ["--envs", str(handbook.build / "envs")]
            stack.enter_context(running(host.command(command), folder / name, PATIENCE))
        record_ = hub.command([*POLYTAB, "record", "--json", "--scheduler", address, *mine])
        recorder = stack.enter_context(
            subprocess.Popen(record_, cwd=handbook.root, stdout=subprocess.PIPE, text=True)
        )
        assert recorder.stdout is not None
        said = map(json.loads, recorder.stdout)
        starts = next(event for event in said if event["event"] == "starts")
        assert eventually(lambda: pids.exists() and pids.read_text().endswith("\n"), 120)
        named[starts["worker"]].cut()
        rest = list(said)
        assert recorder.wait(60) == 0
        [other] = {"w1", "w2"} - {starts["worker"]}
        happened = [(each["event"], each.get("worker")) for each in rest if each["event"] != "says"]
        assert happened == [
            ("lost", starts["worker"]),
            ("starts", other),
            ("recorded", None),
            ("summary", None),
        ]
        kernels = [int(line.split()[1]) for line in pids.read_text().splitlines()]
        assert len(kernels) == 2
        assert eventually(lambda: not any(alive(pid) for pid in kernels))

        named[starts["worker"]].mend()
        named[other].cut()  # so that it is the one that must do the next
        write(handbook.root, {"snippets/tour/mxnet.py": "# %% add\nprint('again')\n"})
        again = subprocess.run(
            record_, cwd=handbook.root, check=True, capture_output=True, text=True, timeout=120
        )
        events = [json.loads(line) for line in again.stdout.splitlines()]
        last = [each["worker"] for each in events if each["event"] == "starts"][-1]
        assert last == starts["worker"]
        assert events[-1]["recorded"] == 1
        named[other].mend()
    changed = {path for path, content in earlier.items() if path.read_bytes() != content}
    assert {path.name for path in changed} == {"torch.cpu.ipynb", "mxnet.cpu.ipynb"}
    assert [job.reason for job in plan(handbook)] == [None] * 4
