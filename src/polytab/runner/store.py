"""The shared store: recordings by key, at any address that fsspec can read and write.

Laws, guarded by tests/runner/test_store.py and tests/cli/test_store.py: what is fetched is the
recording of that very job, or nothing; nobody reads half of what is kept; a store that fails costs
a bounded time and no recording.
"""

from __future__ import annotations

import time
import uuid
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from polytab.errors import PolytabError
from polytab.recordings.files import read_recording, spell_recording
from polytab.recordings.limits import LARGEST_FILE
from polytab.recordings.plan import must_be_of
from polytab.runner.events import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.model import Job, Key, Recording

T = TypeVar("T")

_STORE_TIMEOUT = 15.0
"""Seconds until we give up on a store that does not answer."""

_STORE_TIMEOUT_IN_ALL = 60.0
"""Seconds that we wait in one run for what gives no recording."""

_WHOLE = frozenset({"s3", "gs", "abfs", "memory"})
"""Where what is written appears whole or not at all; elsewhere it is renamed when it is whole."""

_OPTIONS: dict[str, dict[str, object]] = {
    "s3": {"config_kwargs": {"retries": {"max_attempts": 1}}},
}
"""What a file system is told that would else try for longer than we wait."""


@dataclass
class Store:
    """Recordings that machines share; once it has failed it is not used again in this run."""

    address: str
    report: Callable[[Event], None]
    reads: bool = True
    left: float = _STORE_TIMEOUT_IN_ALL

    def fetch(self, job: Job) -> Recording | None:
        """Return the recording of this very job, if the store has one that can be trusted."""
        content = self._ask(partial(_read, self.address, job.key)) if self.reads else None
        if content is None:
            return None
        try:
            return _checked(content, job)
        except PolytabError as error:
            text = f"what the store {self.address} has of it is not taken: {error.message}"
            self.report(Event("store", text, job))
            return None

    def keep(self, recording: Recording) -> None:
        """Write a recording under its key; what was there is replaced."""
        self._ask(partial(_write, self.address, recording.key, spell_recording(recording)))

    def _ask(self, question: Callable[[], T]) -> T | None:
        """Put a question to the store, unless an earlier one was too much for it."""
        if self.left <= 0:
            return None
        try:
            _load(self.address)  # which takes a busy machine long, and is no fault of the store
            began = time.monotonic()
            answer = _within(_STORE_TIMEOUT, question)
        except Exception as error:  # noqa: BLE001  # each file system has errors of its own
            self._leave(_reason(error))
            return None
        if answer is None:
            self.left -= time.monotonic() - began
            if self.left <= 0:
                self._leave(f"it is slow, {_STORE_TIMEOUT_IN_ALL:.0f} seconds have given nothing")
        return answer

    def _leave(self, reason: str) -> None:
        self.left = 0.0
        text = f"the store {self.address} is left alone: {reason}; recordings are saved here alone"
        self.report(Event("store", text))


def _read(address: str, key: Key) -> bytes | None:
    files, folder = _opened(address)
    try:
        with files.open(_file(folder, key), "rb", block_size=LARGEST_FILE) as file:
            content: bytes = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return None
    return content


def _write(address: str, key: Key, content: bytes) -> None:
    files, folder = _opened(address)
    kinds = {files.protocol} if isinstance(files.protocol, str) else set(files.protocol)
    if kinds & _WHOLE:
        files.pipe_file(_file(folder, key), content)
        return
    files.makedirs(folder, exist_ok=True)
    part = f"{folder}/.{key.digest}.{uuid.uuid4().hex}.part"
    try:
        files.pipe_file(part, content)
        files.mv(part, _file(folder, key))
    except Exception:
        with suppress(Exception):
            files.rm_file(part)
        raise


def _load(address: str) -> None:
    """Import what speaks to an address."""
    from fsspec import get_filesystem_class  # noqa: PLC0415  # few runs have a store

    get_filesystem_class(_protocol(address))


def _protocol(address: str) -> str:
    protocol, separator, _ = address.partition("://")
    return protocol if separator else "file"


def _opened(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the folder there."""
    from fsspec.core import url_to_fs  # noqa: PLC0415  # the same

    files, folder = url_to_fs(address, **_OPTIONS.get(_protocol(address), {}))
    return files, folder.rstrip("/")


def _file(folder: str, key: Key) -> str:
    return f"{folder}/{key.digest}.ipynb"


def _checked(content: bytes, job: Job) -> Recording:
    """Return the recording that a store holds of a job; RecordingError if it is another."""
    recording = read_recording(content)
    must_be_of(recording, job)
    return recording


def _within(seconds: float, question: Callable[[], T]) -> T:
    """Return the answer, or raise TimeoutError; the thread that still waits is abandoned."""
    answer: Future[T] = Future()

    def ask() -> None:
        try:
            answer.set_result(question())
        except BaseException as error:  # noqa: BLE001  # it is raised where the answer is wanted
            answer.set_exception(error)

    Thread(target=ask, daemon=True).start()
    return answer.result(seconds)


def _reason(error: Exception) -> str:
    """Return the first line of an error, or its kind where it has none."""
    said = str(error).strip().partition("\n")[0]
    if isinstance(error, TimeoutError) and not said:
        return "it does not answer"
    return said or type(error).__name__
