"""What running a script through polytab costs, how jobs spread over workers, and what an edit runs.

Run it with `python bench/runner.py [rounds]`. It writes only to a temporary folder, and makes one
small environment there, for which it needs a package index. Each figure is a median of rounds.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from distributed import Client

from books import page_name, write_book, write_settings
from polytab.recordings.plan import plan
from polytab.runner.cluster.run import run_jobs
from polytab.runner.environments import ensure
from polytab.runner.record import record
from polytab.runner.run_config import RunConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.model import Job
    from polytab.settings import Settings

JOBS, SLEEP = 64, 5.0
WORKERS = (1, 2, 4, 8)
WORK = """\
# %% work
total = 0
for number in range(30_000_000):
    total += number
print(total)
"""
NAP = f"""\
# %% nap
import time
time.sleep({SLEEP})
"""


def write_scripts(root: Path, scripts: dict[str, str]) -> Settings:
    """Write a handbook of plain Python scripts, one a page."""
    settings = write_settings(root)
    for page, text in scripts.items():
        (root / "snippets" / page).mkdir(parents=True)
        (root / "snippets" / page / "python.py").write_text(text, encoding="utf-8")
    return settings


def timed(jobs: list[Job], config: RunConfig) -> float:
    """Run jobs and return the seconds it took; each must succeed."""
    began = time.perf_counter()
    outcomes = list(run_jobs(jobs, config, lambda _: None))
    seconds = time.perf_counter() - began
    failed = [outcome.error for outcome in outcomes if outcome.error is not None]
    if failed or len(outcomes) != len(jobs):
        sys.exit(f"{len(failed)} jobs failed: {failed[:1]}")
    return seconds


def overhead(root: Path, envs: Path, rounds: int) -> None:
    """Print a script's time through polytab against `python script.py`, in the same environment."""
    settings = write_scripts(root, {"work": WORK})
    settings.build.mkdir()
    (settings.build / "envs").symlink_to(envs)
    [job] = plan(settings)
    interpreter = ensure(job.environment, envs, print).interpreter
    plain: list[float] = []
    ours: list[float] = []
    for _ in range(rounds):  # in turn, so that the machine's moods meet both
        began = time.perf_counter()
        subprocess.run([interpreter, job.script.path], check=True, stdout=subprocess.DEVNULL)
        plain.append(time.perf_counter() - began)
        ours.append(timed([job], RunConfig(settings.build)))
    bare, whole = statistics.median(plain), statistics.median(ours)
    more = whole - bare
    print(
        f"python script.py {bare:.2f} s, recorded {whole:.2f} s: {whole / bare:.2f} times", end=""
    )
    print(f", {more:.2f} s more (goal: 1.15 times, or 2 s more)")


@contextlib.contextmanager
def workers(folder: Path, count: int, envs: Path) -> Iterator[str]:
    """Run a scheduler and so many workers, each in a process of its own, one job at once."""
    file = folder / f"scheduler-{count}.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    command += ["--port", "0", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    with contextlib.ExitStack() as stack:

        def start(words: list[str], place: Path) -> None:
            place.mkdir()  # a machine is offered once, and this is how it knows itself
            variables = {**os.environ, "TMPDIR": str(place)}
            process = subprocess.Popen(words, env=variables, **quiet)  # type: ignore[call-overload]
            stack.callback(process.wait)
            stack.callback(process.terminate)

        start([*command, "--scheduler-file", str(file)], folder / f"scheduler-{count}")
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            address = client.scheduler.address
            for number in range(count):
                words = [sys.executable, "-m", "polytab", "worker", address, "--jobs", "1"]
                words += ["--name", f"w{number}", "--envs", str(envs)]
                start(words, folder / f"worker-{number}-of-{count}")
            client.wait_for_workers(count)
            yield address


def spread(root: Path, envs: Path) -> None:
    """Print how near sleeping jobs on several workers come to having nothing between them."""
    naps = {f"page{number}": NAP.replace("nap\n", f"nap-{number}\n") for number in range(JOBS)}
    settings = write_scripts(root, naps)
    jobs = list(plan(settings))
    for count in WORKERS:
        with workers(root, count, envs) as address:
            config = RunConfig(settings.build, address)
            timed(jobs[:count], config)  # the environment is known everywhere, all is loaded
            one = statistics.median(timed(jobs[:1], config) for _ in range(3))
            ideal = JOBS / count * one
            took = timed(jobs, config)
        print(f"{JOBS} jobs of {SLEEP:.0f} s on {count} workers: {took:.1f} s,", end=" ")
        print(f"{ideal / took:.0%} of ideal (one job takes {one:.2f} s; goal: 85 %)")


def edited(root: Path, envs: Path, pages: int = 334) -> None:
    """Edit one script of a thousand and print what runs."""
    settings = write_book(root, pages)
    settings.build.mkdir()
    (settings.build / "envs").symlink_to(envs)
    script = settings.snippets / page_name(7) / "alpha.py"
    script.write_text(script.read_text(encoding="utf-8") + "\nprint('edited')\n", encoding="utf-8")
    began = time.perf_counter()
    jobs = plan(settings)
    stale = [job for job in jobs if job.reason is not None]
    ran = list(record(stale, RunConfig(settings.build), settings.recordings, lambda _: None))
    names = ", ".join(outcome.job.name for outcome in ran if outcome.error is None)
    print(f"{len(jobs)} scripts, one edited: ran {names} in {time.perf_counter() - began:.1f} s")


def main() -> None:
    """Measure all three in folders that are removed."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        envs = folder / "envs"
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        overhead(folder / "overhead", envs, rounds)
        (folder / "edited").mkdir()
        edited(folder / "edited", envs)
        spread(folder / "spread", envs)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
