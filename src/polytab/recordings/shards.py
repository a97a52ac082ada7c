"""Jobs -> the part of them that one of several machines runs, without talking to the others.

Laws, guarded by tests/recordings/test_shards.py: shards are disjoint and together complete, the same on every
machine, and as even as the durations of earlier recordings allow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from polytab.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Job

_UNKNOWN = 60.0
"""Seconds a script is taken to run that was never recorded, where none was."""


def read_shard(text: str) -> tuple[int, int]:
    """Read `i/n`: the shard's number, from 1, and how many there are."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        msg = f"`{text}` is no shard"
        raise UsageError(msg, hint="write `--shard 1/3` for the first of three")
    return int(match[1]), int(match[2])


def shard(jobs: Sequence[Job], number: int, count: int) -> tuple[Job, ...]:
    """Return the jobs of one shard: the longest first, each to the shard with least to do."""
    known = [job.seconds for job in jobs if job.seconds is not None]
    unknown = max(known, default=_UNKNOWN)
    lengths = {job.name: unknown if job.seconds is None else job.seconds for job in jobs}
    loads = [0.0] * count
    mine: set[str] = set()
    for job in sorted(jobs, key=lambda job: (-lengths[job.name], job.name)):
        least = loads.index(min(loads))
        loads[least] += lengths[job.name]
        if least == number - 1:
            mine.add(job.name)
    return tuple(job for job in jobs if job.name in mine)
