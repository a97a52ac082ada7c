"""While a client of a cluster is open, no pickle that it reads makes an object of another class.

Dask unpickles what workers and schedulers send in many places: results, exceptions, events. None
of its settings stops a sender who ignores them. Python's own audit hook does, for both unpicklers.
A hook cannot be removed, so it counts the blocks that want it.

Law, guarded by tests/runner/cluster/test_hostile_worker.py and test_hostile_scheduler.py.
"""

from __future__ import annotations

import pickle
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALLOWED = {("builtins", "bytes")}


class ObjectRefusedError(pickle.UnpicklingError, AttributeError):
    """A pickle asked for a class; of both kinds, as Dask catches either in different places."""


@dataclass
class _Gate:
    """How many blocks are open, and what was refused since the last look."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    installed: bool = False
    open: int = 0
    refused: list[str] = field(default_factory=list)

    def hook(self, event: str, words: tuple[object, ...]) -> None:
        """Refuse a class that a pickle asks for; Python calls this for every audited event."""
        if self.open and event == "pickle.find_class" and words not in _ALLOWED:
            name = ".".join(str(word)[:80] for word in words)
            self.refused.append(name)
            raise ObjectRefusedError(f"{name} was sent where only bytes are taken")


_GATE = _Gate()


@contextmanager
def bytes_only() -> Iterator[None]:
    """Refuse, in the whole process and until the block is left, to unpickle anything but bytes."""
    with _GATE.lock:
        if not _GATE.installed:
            sys.addaudithook(_GATE.hook)
            _GATE.installed = True
        if not _GATE.open:
            _GATE.refused.clear()
        _GATE.open += 1
    try:
        yield
    finally:
        with _GATE.lock:
            _GATE.open -= 1


def take_refused() -> str | None:
    """Return the name of a class that was refused since the last call; None where none was."""
    found = _GATE.refused[0] if _GATE.refused else None
    _GATE.refused.clear()
    return found
