"""One subcommand per verb: wire the stages, print what they say, choose the exit code.

The function of every verb returns that code: 0 where all is well, 1 where not. It raises where it
cannot go on, and `main` makes a message and a code of that.
"""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from polytab.cli.console import complain, err
from polytab.cli.verbs import parser
from polytab.errors import PolytabError, system_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from polytab.cli.verbs import Verb


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what goes wrong is told in a message.

    1: it could not be done, 2: the words were wrong, 130: ended by SIGINT, 143: by SIGTERM.
    """
    verb: Verb | None = None
    with _signals_raise() as received:
        try:
            options = parser().parse_args(arguments)
            verb = options.verb
            return verb.run(options)
        except PolytabError as error:
            complain(error)
            return error.exit_code
        except KeyboardInterrupt:
            err.print(f"[bold]interrupted[/]: {verb.interrupted if verb else 'nothing had begun'}")
            return 128 + (received[0] if received else signal.SIGINT)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output has gone; there is nobody to tell
            return 1
        except OSError as error:
            complain(system_error(error))
            return 1


@contextmanager
def _signals_raise() -> Iterator[list[signal.Signals]]:
    """Turn SIGINT and SIGTERM into one KeyboardInterrupt while the block lasts.

    Gives a list that receives the signal. Later signals do nothing, as the end takes a bounded
    time; one that was ignored before stays ignored. Afterwards all handlers are as they were.
    """
    received: list[signal.Signals] = []

    def interrupt(number: int, _: object) -> None:
        if not received:
            received.append(signal.Signals(number))
            raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, interrupt)
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
