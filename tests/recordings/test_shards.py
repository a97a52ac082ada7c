"""Shards are disjoint, complete, even and the same everywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import UsageError
from polytab.model import Environment, Job, Key, Script
from polytab.recordings.shards import read_shard, shard

ENVIRONMENT = Environment("torch", "cpu", Path("torch.txt"), "3.11", ())
SECONDS = st.none() | st.floats(0, 1000)


def _job(number: int, seconds: float | None) -> Job:
    script = Script(f"page{number}", "torch", Path("torch.py"), ())
    return Job(script, ENVIRONMENT, Key((("script", str(number)),)), seconds=seconds)


JOBS = st.lists(SECONDS, max_size=30).map(
    lambda every: [_job(number, seconds) for number, seconds in enumerate(every)]
)


@given(JOBS, st.integers(1, 8))
def test_shards_are_disjoint_and_together_complete(jobs: list[Job], count: int) -> None:
    shards = [shard(jobs, number, count) for number in range(1, count + 1)]
    assert sorted(job.name for each in shards for job in each) == sorted(job.name for job in jobs)


@given(JOBS, st.integers(1, 8), st.randoms())
def test_a_shard_is_the_same_whatever_order_a_machine_reads_in(
    jobs: list[Job], count: int, random: object
) -> None:
    shuffled = sorted(jobs, key=lambda _: random.random())  # type: ignore[attr-defined]
    for number in range(1, count + 1):
        assert {job.name for job in shard(jobs, number, count)} == {
            job.name for job in shard(shuffled, number, count)
        }


@given(JOBS, st.integers(1, 8))
def test_no_shard_has_more_to_do_than_another_by_more_than_one_job(
    jobs: list[Job], count: int
) -> None:
    known = [replace(job, seconds=job.seconds or 0.0) for job in jobs]
    loads = [
        sum(job.seconds or 0.0 for job in shard(known, number, count))
        for number in range(1, count + 1)
    ]
    longest = max((job.seconds or 0.0 for job in known), default=0.0)
    assert max(loads) - min(loads) <= longest + 1e-6


def test_what_was_never_recorded_counts_as_long() -> None:
    jobs = [_job(0, None), _job(1, 10.0), _job(2, 5.0), _job(3, 5.0)]
    assert [job.name for job in shard(jobs, 1, 2)] == ["page0/torch", "page2/torch"]


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/2/3", ""])
def test_a_shard_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no shard"):
        read_shard(text)
    assert read_shard("2/3") == (2, 3)
