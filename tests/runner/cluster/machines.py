"""A real scheduler and real workers, in processes of their own, with no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from distributed import Client

from polytab.runner.run_config import RunConfig
from tests.support.traces import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from polytab.settings import Settings
    from tests.runner.cluster.hosts import Host

POLYTAB = [sys.executable, "-m", "polytab"]
SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler"]


def recorded(
    settings: Settings, variables: Mapping[str, str], *words: str
) -> subprocess.CompletedProcess[str]:
    """Run `polytab record` to its end, whatever that is."""
    return subprocess.run(
        [*POLYTAB, "record", *words],
        cwd=settings.root,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@contextmanager
def running(
    command: Sequence[str], folder: Path, variables: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process in a folder; what it writes in temporary folders goes there too."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder), **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def scheduler(
    folder: Path,
    *words: str,
    protocol: str = "tcp",
    host: Host | None = None,
    variables: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Run a scheduler and give its address; its process id stands in the file `pid`."""
    said = folder / "scheduler" / "log"
    ip = host.address if host else "127.0.0.1"
    command = [*SCHEDULER, "--host", f"{protocol}://{ip}", "--port", "0", "--no-dashboard"]
    command += ["--dashboard-address", "127.0.0.1:0", *words]
    if host:
        command = host.command(command)
    with running(command, folder / "scheduler", variables) as process:
        (folder / "scheduler" / "pid").write_text(str(process.pid), encoding="utf-8")

        def addresses() -> list[str]:
            log = said.read_text(encoding="utf-8") if said.is_file() else ""
            found = [line.rpartition(" ")[2] for line in log.splitlines()]
            return [word for word in found if word.startswith(f"{protocol}://")]

        assert eventually(lambda: bool(addresses())), said.read_text(encoding="utf-8")
        yield addresses()[0]


@contextmanager
def cluster(
    settings: Settings, folder: Path, workers: int = 1, jobs: int = 2
) -> Iterator[RunConfig]:
    """Run a scheduler with so many workers, each with so many jobs at once."""
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(folder))
        for number in range(1, workers + 1):
            command = [*POLYTAB, "worker", address, "--name", f"w{number}", "--jobs", str(jobs)]
            command += ["--envs", str(settings.build / "envs")]
            stack.enter_context(running(command, folder / f"w{number}"))
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers)
        yield RunConfig(settings.build, address)
