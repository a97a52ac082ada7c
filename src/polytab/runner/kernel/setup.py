"""Runs inside the kernel before the first cell; it uses only what every environment has.

Each function imports what it needs itself, so that the page's cells find no names of ours.
"""

from __future__ import annotations


def name_cells(names: list[str]) -> None:
    """Give cells stable file names, and run them as they are, without IPython's own syntax."""
    from typing import Any  # noqa: PLC0415

    from IPython.core.getipython import get_ipython  # noqa: PLC0415

    shell: Any = get_ipython()

    def code_name(raw_code: str, transformed_code: str, number: int) -> str:
        del raw_code, transformed_code
        return names[number - 1] if number <= len(names) else f"cell {number}"

    shell.compile.get_code_name = code_name
    manager = shell.input_transformer_manager
    for transforms in (manager.cleanup_transforms, manager.line_transforms):
        transforms.clear()
    manager.token_transformers.clear()


def shorten_tracebacks(names: list[str]) -> None:
    """Show of a traceback the frames that lie in the page's cells."""
    import sys  # noqa: PLC0415
    import traceback  # noqa: PLC0415
    from typing import Any  # noqa: PLC0415

    from IPython.core.getipython import get_ipython  # noqa: PLC0415

    shell: Any = get_ipython()
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


def keep_output_in_its_cell() -> None:
    """Wait at the end of each cell until what was printed below Python has been read."""
    import select  # noqa: PLC0415
    import sys  # noqa: PLC0415
    import time  # noqa: PLC0415
    from typing import Any  # noqa: PLC0415

    from IPython.core.getipython import get_ipython  # noqa: PLC0415

    shell: Any = get_ipython()

    def settle() -> None:
        for stream in (sys.stdout, sys.stderr):
            pipe = getattr(stream, "_fid", None)  # where ipykernel reads the file descriptor
            for _ in range(1000):  # a child that prints for ever must not hold the cell
                if pipe is None or not select.select([pipe], [], [], 0)[0]:
                    break
                time.sleep(0.001)
        time.sleep(0.005)  # the reader has taken the last piece and hands it on

    shell.events.register("post_execute", settle)
