"""Run recorded scripts again -> what repeats, what does not, and what there was no time for.

What a script prints must repeat at once. A factor that has moved is measured again, in twice as
many fresh processes, and fails only where it has moved again, the same way.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.recordings.compare import differences, differences_again
from polytab.recordings.pooling import pool_recordings
from polytab.runner.record import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from polytab.errors import PolytabError
    from polytab.model import Job, Recording
    from polytab.recordings.compare import Differences
    from polytab.runner.events import Event
    from polytab.runner.run_config import RunConfig

AGAIN = 2
"""How many times a script whose factors have moved is run again; the runs are pooled."""


@dataclass(frozen=True)
class Verified:
    """How a script that was run again compares to its recording; with `again`, it is not decided.

    `chance` names the factors that had moved once and had not when they were measured again. Where
    numbers `may_move`, those that have do not keep it from repeating.
    """

    job: Job
    found: Differences | None = None
    error: PolytabError | None = None
    again: bool = False
    chance: tuple[str, ...] = ()
    may_move: bool = False

    @property
    def repeats(self) -> bool:
        """Tell whether the recording holds."""
        if self.error is not None or self.again:
            return False
        return self.found is None or not (self.found.fixed if self.may_move else self.found.text)

    @property
    def moved(self) -> tuple[str, ...]:
        """Name the numbers that have moved."""
        return tuple(each.name for each in self.found.moved) if self.found else ()


def verify_jobs(
    pairs: Sequence[tuple[Job, Recording]],
    config: RunConfig,
    report: Callable[[Event], None],
    deadline: float | None = None,
    *,
    may_move: bool = False,
) -> Iterator[Verified]:
    """Run each job and compare it with its recording; then run the doubtful again.

    Where numbers `may_move`, none is doubtful.

    No script is waited for after the deadline, as `time.monotonic` counts, but the doubtful ones
    are: one that is not in what is yielded was left out.
    """
    jobs = [job for job, _ in pairs]
    recorded = {job.key.digest: recording for job, recording in pairs}
    doubtful: dict[str, Recording] = {}
    with closing(run_jobs(jobs, config, report)) as arriving:
        for outcome in arriving:
            key = outcome.job.key.digest
            if outcome.recording is None:
                yield Verified(outcome.job, error=outcome.error)
            else:
                found = differences(recorded[key], outcome.recording)
                again = bool(found.moved and not found.fixed) and not may_move
                if again:
                    doubtful[key] = outcome.recording
                yield Verified(outcome.job, found, again=again, may_move=may_move)
            if deadline is not None and time.monotonic() > deadline:
                break
    once = [job for job in jobs if job.key.digest in doubtful]
    runs: dict[str, list[Recording]] = {}
    for job in once * AGAIN:  # one after the other: each run is of fresh processes
        for outcome in run_jobs([job], config, report):
            if outcome.recording is None:
                yield Verified(outcome.job, error=outcome.error)
            else:
                runs.setdefault(job.key.digest, []).append(outcome.recording)
    for job in once:
        key = job.key.digest
        if len(runs.get(key, ())) == AGAIN:
            yield _decided(job, recorded[key], doubtful[key], pool_recordings(runs[key]))


def _decided(job: Job, old: Recording, first: Recording, second: Recording) -> Verified:
    """Return what holds of a script once its doubtful factors were measured again."""
    found = differences_again(old, first, second)
    still = {each.name for each in found.moved}
    names = (each.name for each in differences(old, first).moved)
    return Verified(job, found, chance=tuple(name for name in names if name not in still))
