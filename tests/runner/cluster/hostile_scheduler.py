"""What a scheduler loads (`--preload`) that wants to run code in whoever connects to it.

The variable HOSTILE says how, MARK names the file that an unpickled object would write.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.protocol.serialize import ToPickle

KINDS = (
    *("warning", "erred", "in memory", "identity", "shapes", "numbers"),
    *("slots", "gpus", "raises", "says nothing"),
)


class Evil:
    """What touches the file MARK when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path(os.environ["MARK"]),))


class Greeting(SchedulerPlugin):  # type: ignore[misc]  # Dask has no types
    """Greets each client with messages that carry an object."""

    def __init__(self, message: dict[str, object]) -> None:
        self.message = message

    def add_client(self, scheduler: Any, client: str) -> None:  # noqa: ANN401
        def send() -> None:
            comm = scheduler.client_comms.get(client)
            if comm is None:
                scheduler.loop.call_later(0.05, send)
            else:
                comm.send(self.message)

        scheduler.loop.call_later(0.05, send)


def dask_setup(scheduler: Any) -> None:  # noqa: ANN401
    """Make a scheduler hostile; Dask calls this."""
    evil = pickle.dumps(Evil())
    event = {"op": "event", "topic": "warn", "event": (0, {"message": evil, "category": evil})}
    erred = {"op": "task-erred", "key": "x", "exception": ToPickle(Evil()), "traceback": None}
    memory = {"op": "key-in-memory", "key": ToPickle(Evil()), "type": evil, "workers": []}
    odd = {"status": "running", "resources": {"machine": 1}, "name": "w", "nthreads": "many"}
    many = {"machine": 1, "gpu": 1e300}
    known: dict[str, object] = {
        "identity": ToPickle(Evil()),
        "shapes": {"type": "Scheduler", "id": "x", "workers": [1, 2]},
        "numbers": {"type": "Scheduler", "id": "x", "workers": {"tcp://127.0.0.1:1": odd}},
        "slots": {"workers": {"tcp://127.0.0.1:1": {**odd, "nthreads": "9" * 400}}},
        "gpus": {"workers": {"tcp://127.0.0.1:1": {**odd, "nthreads": 1, "resources": many}}},
        "raises": {"status": "uncaught-error", "exception": "what no scheduler raises"},
        "says nothing": {"status": "uncaught-error", "exception": None},
    }
    kind = os.environ["HOSTILE"]
    if kind in known:
        scheduler.handlers["identity"] = lambda **_: known[kind]
    else:
        message = {"warning": event, "erred": erred, "in memory": memory}[kind]
        scheduler.add_plugin(Greeting(message), name="greeting")
