"""What happens while jobs run, for whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from polytab.model import Job

Kind = Literal[
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

    kind: Kind
    text: str
    job: Job | None = None
    worker: str | None = None
    left: float | None = None
    """Seconds until all is done, as far as earlier recordings tell."""
