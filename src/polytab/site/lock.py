"""One build at a time in a folder: what a build keeps for the next is no other build's to change.

The system frees the lock of a process that was killed. Guarded by tests/site/test_lock.py.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from polytab.errors import PolytabError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings


@contextmanager
def lock_builds(settings: Settings) -> Iterator[None]:
    """Keep other builds out of the book while the block lasts.

    Raises PolytabError, without waiting, where another build is running.
    """
    settings.build.mkdir(parents=True, exist_ok=True)
    lock = FileLock(settings.build / "build.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        hint = "wait until it has ended and run this again, or build in another copy of the book"
        raise PolytabError(
            "another build is running here", file=settings.build, hint=hint
        ) from None
    try:
        yield
    finally:
        lock.release()
