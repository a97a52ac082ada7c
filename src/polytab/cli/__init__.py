"""One subcommand per verb: wire the stages, print what they say, choose the exit code.

A verb's module is imported when it is called: a recording machine has no Sphinx, and a machine
that builds pages has no kernel.
"""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from polytab.cli.arguments import parser
from polytab.cli.console import complain, err
from polytab.errors import PolytabError
from polytab.settings import load_settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from polytab.settings import Settings

    Command = Callable[[Settings, argparse.Namespace], int]

_INTERRUPTED = 130
_COMMANDS = {
    "plan": "recording:plan_",
    "record": "recording:record",
    "verify": "recording:verify",
    "build": "building:build",
    "prepare": "building:prepare",
    "site": "building:site",
    "export": "building:export",
    "live": "building:live",
    "translate": "translating:translate",
    "status": "translating:status",
    "changes": "checking:changes",
    "compare": "checking:compare_",
    "lint": "checking:lint",
    "links": "checking:links",
    "check": "checking:check",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a person sees a message, never a traceback."""
    try:
        options = parser().parse_args(arguments)
        _hear(_interrupt)
        if options.verb == "worker":  # it has no handbook
            from polytab.cli.working import worker

            code = worker(options)
        else:
            code = _command(options.verb)(load_settings(Path.cwd()), options)
    except PolytabError as error:
        complain(error)
        code = error.exit_code
    except KeyboardInterrupt:
        err.print("[bold]interrupted[/]: what was recorded before is kept")
        code = _INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; there is nobody to tell
        code = 1
    return code


def _command(verb: str) -> Command:
    module, _, function = _COMMANDS[verb].partition(":")
    return cast("Command", getattr(import_module(f"polytab.cli.{module}"), function))


def _hear(handler: Callable[..., None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _interrupt(*_: object) -> None:
    """Begin to end; who is impatient must not disturb that, as it takes a bounded time."""
    _hear(lambda *_: None)
    raise KeyboardInterrupt
