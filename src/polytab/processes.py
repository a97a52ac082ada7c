"""Processes of our own that end with the process that started them.

Where the system can fork safely, such a process begins as a copy of the one that starts it. Nobody
but whoever started it can interrupt it, so that one process prints that there was an interruption.

Law, guarded by tests/test_processes.py: a call in a process of its own ends with its answer or in
one error, and what it has started ends with it.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING

from polytab.errors import PolytabError, system_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from pathlib import Path

CONTEXT = get_context("fork") if sys.platform == "linux" else get_context("spawn")
"""How processes are started: as a copy of this one, where that is safe."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 5
"""Seconds for a process that is told to end, before it is killed."""


def call_apart(
    function: Callable[..., None], *arguments: object, name: str, seconds: float
) -> None:
    """Call a function in a process of its own, in a session of its own.

    `name` is what errors call it. Raises the PolytabError that the function raises, an error of the
    system as one, and PolytabError where the process is killed or has not ended after so many
    seconds. What it has started is told to end when it ends, and when this process does.
    """
    ours, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_call, args=(function, arguments, theirs))
    with signals_held():
        process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            hint = "see what keeps this machine busy, and run it again"
            raise PolytabError(f"{name} has not ended after {seconds:.0f} seconds", hint=hint)
        fault = _answer(ours, process, name)
    finally:
        _end_session(process)
    if fault:
        raise fault


def _answer(told: Connection, process: BaseProcess, name: str) -> PolytabError | None:
    try:
        fault: PolytabError | None = told.recv()
    except EOFError:
        process.join()
        return killed(process, name) or PolytabError(f"{name} has ended without a word")
    return fault


def killed(process: BaseProcess, name: str, file: Path | None = None) -> PolytabError | None:
    """Tell that a process, which has ended, was killed; None where it ended by itself.

    `name` says what it was, `file` where it wrote.
    """
    process.join()
    number = -(process.exitcode or 0)
    if number <= 0:
        return None
    hint = "run it again; where nobody has ended it, the memory of this machine may have run out"
    said = f"{name} was killed by {signal.Signals(number).name}"
    return PolytabError(said, file=file, hint=hint)


@contextmanager
def signals_held() -> Iterator[None]:
    """Keep signals waiting while a process is started: it would take them for its own."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def obey_parent_alone() -> None:
    """Have this process, which was started while signals were held, ignore what a person types."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def end_with_parent() -> None:
    """From now on, end this process when the one that started it is gone."""
    Thread(target=_end_when_alone, daemon=True).start()


def _end_when_alone() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        if sys.platform != "win32" and os.getsid(0) == os.getpid():
            os.killpg(0, signal.SIGTERM)  # this is a session of its own: with what it has started
        os._exit(1)


def _call(function: Callable[..., None], arguments: tuple[object, ...], told: Connection) -> None:
    obey_parent_alone()
    if sys.platform != "win32":
        os.setsid()  # what a person types reaches nothing of it, and its end reaches all of it
    end_with_parent()
    fault: PolytabError | None = None
    try:
        function(*arguments)
    except PolytabError as error:
        fault = error
    except OSError as error:
        fault = system_error(error)
    told.send(fault)


def _end_session(process: BaseProcess) -> None:
    """End a process with what it has started, wherever it stands."""
    _signal_session(process)
    process.join(_PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()


def _signal_session(process: BaseProcess) -> None:
    if sys.platform == "win32":
        process.terminate()
    elif process.pid is not None:
        with suppress(ProcessLookupError):  # all of it has ended
            os.killpg(process.pid, signal.SIGTERM)
