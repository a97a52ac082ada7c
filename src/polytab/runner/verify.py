"""Run recorded scripts again -> what repeats, what does not, and what there was no time for.

What a script prints must repeat at once. A factor that has moved is measured again in fresh
processes, and fails only where it has moved again, the same way.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.recordings.compare import Differences, differences
from polytab.runner.record import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from polytab.errors import PolytabError
    from polytab.model import Job, Recording
    from polytab.runner.events import Event
    from polytab.runner.run_config import RunConfig


@dataclass(frozen=True)
class Verified:
    """How a script that was run again compares to its recording; with `again`, it is not decided.

    `chance` names the factors that had moved once and had not when they were measured again.
    """

    job: Job
    found: Differences | None = None
    error: PolytabError | None = None
    again: bool = False
    chance: tuple[str, ...] = ()

    @property
    def repeats(self) -> bool:
        """Tell whether the recording holds."""
        return self.error is None and not self.again and not (self.found and self.found.text)


def verify_jobs(
    recorded: Mapping[str, Recording],
    jobs: Sequence[Job],
    config: RunConfig,
    report: Callable[[Event], None],
    deadline: float | None = None,
) -> Iterator[Verified]:
    """Run jobs and compare each with the recording of its key; then run the doubtful again.

    No script is waited for after the deadline, as `time.monotonic` counts, but the doubtful ones
    are: one that is not in what is yielded was left out.
    """
    doubtful: dict[str, Differences] = {}
    with closing(run_jobs(jobs, config, report)) as arriving:
        for outcome in arriving:
            key = outcome.job.key.digest
            if outcome.recording is None:
                yield Verified(outcome.job, error=outcome.error)
            else:
                found = differences(recorded[key], outcome.recording)
                again = bool(found.moved and not found.fixed)
                if again:
                    doubtful[key] = found
                yield Verified(outcome.job, found, again=again)
            if deadline is not None and time.monotonic() > deadline:
                break
    second = [job for job in jobs if job.key.digest in doubtful]
    if not second:
        return
    with closing(run_jobs(second, config, report)) as arriving:
        for outcome in arriving:
            key = outcome.job.key.digest
            if outcome.recording is None:
                yield Verified(outcome.job, error=outcome.error)
                continue
            found = differences(recorded[key], outcome.recording).again(doubtful[key])
            still = {each.name for each in found.moved}
            chance = tuple(each.name for each in doubtful[key].moved if each.name not in still)
            yield Verified(outcome.job, found, chance=chance)
