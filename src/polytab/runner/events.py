"""What passes between running jobs and who asked for them: events, outcomes, cancellation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from polytab.errors import PolytabError
    from polytab.model import Job, Recording

CANCEL_POLL_INTERVAL = 0.2
"""Seconds between two looks at whether a job was cancelled."""

EventKind = Literal[
    "waits", "makes", "starts", "says", "lost", "fetched", "warned", "recorded", "failed", "store"
]


@dataclass(frozen=True)
class Event:
    """One thing that happened: to which job, on which worker, and in words.

    While a run `waits` for workers, which is told of no job, none has begun. A worker `makes` a
    job's environment, each step of which is told so, then `starts` the job and `says` how far it
    is. Where the worker is `lost`, the job waits for another. It ends `recorded` or `failed`;
    or it was `fetched` from the shared store and none of this happens. Of one that was recorded we
    hear what its framework `warned` of. Of the `store` we hear when it fails, with the job where
    one recording of it is refused.
    """

    kind: EventKind
    text: str
    job: Job | None = None
    worker: str | None = None
    left: float | None = None
    """Seconds until all is done, as far as earlier recordings tell."""


@dataclass(frozen=True)
class Outcome:
    """The result of a job: its recording, or the error that kept it from having one."""

    job: Job
    recording: Recording | None = None
    error: PolytabError | None = None
    fetched: bool = False
    """Whether the recording came from the shared store."""


def never_cancelled() -> bool:
    """Return False: nobody can cancel this job."""
    return False
