"""A script that takes all memory is one error that says so."""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.errors import RunError
from polytab.runner.kernel.run import run
from tests.support.handbook import job, write
from tests.support.sealed import HERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

LIMIT = 400 * 2**20
GREEDY = """\
# %% add
import os, resource
from pathlib import Path

# %% takes
{limits}
taken = []
while True:
    taken.append(bytearray(b"x" * 2**26))  # what is left lets the kernel tell of it
"""


def _fails(settings: Settings, limits: str) -> RunError:
    script = GREEDY.format(limits=limits)
    write(settings.root, {"snippets/tour/torch.py": script})
    with pytest.raises(RunError) as caught:
        run(job(settings), HERE, lambda _: None)
    raised = "MemoryError" in caught.value.message
    told = script.split("\n")[(caught.value.line or 0) - 1]
    assert ("append" in told) if raised else (told == "# %% takes")
    return caught.value


@pytest.mark.usefixtures("watched")
def test_memory_that_the_system_refuses_is_an_error_of_the_script(handbook: Settings) -> None:
    limits = f"resource.setrlimit(resource.RLIMIT_AS, ({2**32}, {2**32}))"
    error = _fails(handbook, limits)
    assert error.message.startswith("tour/torch: cell `takes` raised MemoryError:")


@pytest.fixture
def group() -> Iterator[Path]:
    """Make a control group with little memory, of either version."""
    mounts = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")
    for mount, limit in zip(mounts, ("memory.limit_in_bytes", "memory.max"), strict=True):
        group = mount / f"polytab-{uuid.uuid4().hex[:8]}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / limit).write_text(str(LIMIT), encoding="utf-8")
            swap = group / "memory.swap.max"
            if swap.exists():
                swap.write_text("0", encoding="utf-8")
        except OSError:
            group.rmdir()
            continue
        yield group
        while (group / "cgroup.procs").read_text(encoding="utf-8"):
            time.sleep(0.01)
        group.rmdir()
        return
    pytest.skip("no control group with a limit of memory may be made here")


@pytest.mark.usefixtures("watched")
def test_who_is_killed_for_the_memory_it_took_is_told_so(handbook: Settings, group: Path) -> None:
    enter = f'Path("{group}/cgroup.procs").write_text(str(os.getpid()))'
    error = _fails(handbook, enter)
    assert error.message == (
        "tour/torch: cell `takes` ended the kernel (killed by SIGKILL: the memory ran out)"
    )
