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

    A job `waits` for workers; one of them `makes` its environment and then `starts` it; both say
    how far they are (`says`). It ends `recorded` or `failed`, or its worker is `lost`; or it was
    `fetched` from the shared store and none of this happens. Of one that was recorded we hear what
    its framework `warned` of. Of the `store` we hear when it fails.
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
