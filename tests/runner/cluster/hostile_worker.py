"""A worker that speaks Dask well and wants to run code in whoever asks it for something.

Run as a program: `python hostile_worker.py KIND SCHEDULER WORDS...`. Its tasks answer with what
KIND says; an object among that adds the id of the process it is unpickled in to the file that the
variable MARK names.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
import time
from functools import partial
from typing import Any, NoReturn

from distributed import get_worker
from distributed.cli.dask_worker import main

from polytab.runner.cluster import worker

MARK = os.environ.get("MARK", "")
CODE = f"open({MARK!r}, 'a').write(str(__import__('os').getpid()) + ' ')"


class Evil(Exception):  # noqa: N818  # an exception, so that it can be raised
    """What runs CODE where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (eval, (CODE,))


def a_result(*_: object) -> object:
    """Return an object in the place of bytes."""
    return Evil()


def an_exception(*_: object) -> NoReturn:
    """Raise an object."""
    raise Evil


def a_warning(*_: object) -> bytes:
    """Have Dask warn the client, by objects."""
    evil = pickle.dumps(Evil())
    get_worker().log_event("warn", {"message": evil, "category": evil})
    get_worker().log_event("polytab", {"key": Evil(), "text": "harmless"})
    return b"{}"


def a_print(*_: object) -> bytes:
    """Have Dask print at the client's terminal."""
    get_worker().log_event("print", {"args": ("\x1b[2J::error::printed by a worker",)})
    get_worker().log_event("polytab", ["no message of ours"])
    return b"{}"


async def still_at_work(*_: object) -> None:
    """Leave whoever asks without an answer."""
    await asyncio.sleep(600)


def wrong_bytes(sent: bytes, *_: object) -> bytes:
    """Return bytes that are no answer."""
    return sent


def slow(*_: object) -> bytes:
    """Answer after those who have asked have left."""
    time.sleep(8)
    return b"{}"


KINDS = {
    "result": a_result,
    "exception": an_exception,
    "warning": a_warning,
    "print": a_print,
    "pickle": partial(wrong_bytes, pickle.dumps(Evil())),
    "empty": partial(wrong_bytes, b"{}"),
    "list": partial(wrong_bytes, b"[1]"),
    "deep": partial(wrong_bytes, b"[" * 100_000),
    "slow": slow,
    "kind": partial(wrong_bytes, b'{"error": {"kind": "SystemExit", "line": 1, "hint": null}}'),
}

if __name__ == "__main__":
    setattr(worker, "still_at_work", still_at_work)  # noqa: B010  # as a worker's owner can
    setattr(worker, "make", lambda *_: b"{}")  # noqa: B010  # the same
    setattr(worker, "work", KINDS[sys.argv[1]])  # noqa: B010  # the same
    main(sys.argv[2:])
