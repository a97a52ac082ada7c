"""A real scheduler and real workers, in processes of their own, with no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from distributed import Client

from polytab.runner.place import Place
from tests.traces import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from polytab.settings import Settings

POLYTAB = [sys.executable, "-m", "polytab"]
SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler"]


@contextmanager
def running(command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process in a folder; what it writes in temporary folders goes there too."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder)},
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
def scheduler(folder: Path, *words: str, protocol: str = "tcp") -> Iterator[str]:
    """Run a scheduler and give its address."""
    said = folder / "scheduler" / "log"
    command = [*SCHEDULER, "--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-dashboard"]
    command += ["--dashboard-address", "127.0.0.1:0", *words]
    with running(command, folder / "scheduler"):

        def addresses() -> list[str]:
            log = said.read_text(encoding="utf-8") if said.is_file() else ""
            found = [line.rpartition(" ")[2] for line in log.splitlines()]
            return [word for word in found if word.startswith(f"{protocol}://")]

        assert eventually(lambda: bool(addresses())), said.read_text(encoding="utf-8")
        yield addresses()[0]


@contextmanager
def cluster(settings: Settings, folder: Path, workers: int = 1, jobs: int = 2) -> Iterator[Place]:
    """Run a scheduler with so many workers, each with so many jobs at once."""
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(folder))
        for number in range(1, workers + 1):
            command = [*POLYTAB, "worker", address, "--name", f"w{number}", "--jobs", str(jobs)]
            command += ["--envs", str(settings.build / "envs")]
            stack.enter_context(running(command, folder / f"w{number}"))
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers)
        yield Place(settings.build, address)
