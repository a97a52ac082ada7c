"""An IPython extension that the kernel of a script loads before the first cell.

It is copied to where the kernel finds it, with the folder `probes` and with a JSON file of the same
name that lists the names of the cells. It uses only what every environment has: the standard
library and IPython. A kernel that cannot load it does not start.
"""

from __future__ import annotations

import importlib
import json
import select
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401  # its privates are set, see below
    """Set a shell up: file names of cells, tracebacks, and where output belongs."""
    cells = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    _name_cells(shell, cells)
    _shorten_tracebacks(shell, cells)
    shell.events.register("post_execute", _wait_for_output)
    importlib.import_module("polytab_probes")  # now: a script may change from where it imports


def _name_cells(shell: Any, names: Sequence[str]) -> None:  # noqa: ANN401
    """Give cells stable file names, and run them as they are, without IPython's own syntax."""

    def code_name(raw_code: str, transformed_code: str, number: int) -> str:
        del raw_code, transformed_code
        return names[number - 1] if number <= len(names) else f"cell {number}"

    shell.compile.get_code_name = code_name
    manager = shell.input_transformer_manager
    for transforms in (manager.cleanup_transforms, manager.line_transforms):
        transforms.clear()
    manager.token_transformers.clear()


def _shorten_tracebacks(shell: Any, names: Sequence[str]) -> None:  # noqa: ANN401
    """Show of a traceback the frames that lie in the page's cells."""
    show_any = shell.showtraceback
    show = shell._showtraceback  # noqa: SLF001  # IPython has no public way to word a traceback

    def shorten(part: traceback.TracebackException | None) -> None:
        while part is not None:
            kept = [frame for frame in part.stack if frame.filename in names]
            part.stack = traceback.StackSummary.from_list(kept)
            for each in part.exceptions or ():
                shorten(each)
            part = part.__cause__ or part.__context__

    def show_traceback(kind: type[BaseException], error: BaseException, shown: object) -> None:
        del shown
        whole = traceback.TracebackException.from_exception(error)
        shorten(whole)
        show(kind, error, "".join(whole.format()).rstrip().split("\n"))

    def show_raised(*words: object, **options: object) -> None:
        """Go round IPython, which only prints groups and so hides that they were raised."""
        kind, error, _ = sys.exc_info()
        if kind is None or error is None or isinstance(error, SyntaxError):
            show_any(*words, **options)
        else:
            show_traceback(kind, error, None)

    shell._showtraceback = show_traceback  # noqa: SLF001
    shell.showtraceback = show_raised


def _wait_for_output() -> None:
    """Wait at the end of a cell until what was printed below Python has been read."""
    for stream in (sys.stdout, sys.stderr):
        pipe = getattr(stream, "_fid", None)  # where ipykernel reads the file descriptor
        for _ in range(1000):  # a child that prints for ever must not hold the cell
            if pipe is None or not select.select([pipe], [], [], 0)[0]:
                break
            time.sleep(0.001)
    time.sleep(0.005)  # the reader has taken the last piece and hands it on
