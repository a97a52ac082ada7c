"""`polytab`, and `python -m polytab`: from here on Ctrl-C is a message, never a traceback."""

from __future__ import annotations

import os
import signal
import sys


def _interrupted(*_: object) -> None:
    """End at once: nothing has begun, and an exception would be told by whoever is imported."""
    os.write(2, b"interrupted: nothing had begun\n")
    os._exit(130)


def main() -> int:
    """Import the command line, which takes its time, and call it; return its exit code."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # nobody set another
    if ours:
        signal.signal(signal.SIGINT, _interrupted)
    from polytab.cli import main as run  # noqa: PLC0415  # after Ctrl-C has found its place

    if ours:  # before and after `run`, which has handlers of its own, there is nothing to tell
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run()


if __name__ == "__main__":
    sys.exit(main())
