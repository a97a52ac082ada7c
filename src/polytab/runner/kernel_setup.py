"""Runs inside the kernel before the first cell; it uses only what every environment has."""

from __future__ import annotations


def set_up(labels: list[str]) -> None:
    """Name the cells, keep only their own frames in tracebacks, and their output in its cell."""
    # Imported here so that the page's cells find no names of ours.
    import select  # noqa: PLC0415
    import sys  # noqa: PLC0415
    import time  # noqa: PLC0415
    import traceback  # noqa: PLC0415
    from typing import Any  # noqa: PLC0415

    from IPython.core.getipython import get_ipython  # noqa: PLC0415

    shell: Any = get_ipython()
    names = [f"cell {label}" for label in labels]
    show = shell._showtraceback  # noqa: SLF001  # IPython has no public way to word a traceback

    def code_name(raw_code: str, transformed_code: str, number: int) -> str:
        del raw_code, transformed_code
        return names[number - 1] if number <= len(names) else f"cell {number}"

    def show_traceback(kind: type[BaseException], error: BaseException, shown: object) -> None:
        del shown
        whole = traceback.TracebackException.from_exception(error)
        part: traceback.TracebackException | None = whole
        while part is not None:
            kept = [frame for frame in part.stack if frame.filename in names]
            part.stack = traceback.StackSummary.from_list(kept)
            part = part.__cause__ or part.__context__
        show(kind, error, "".join(whole.format()).rstrip().split("\n"))

    def settle() -> None:
        """Wait until what was printed below Python has been read, so that it stays in its cell."""
        for stream in (sys.stdout, sys.stderr):
            pipe = getattr(stream, "_fid", None)  # where ipykernel reads the file descriptor
            for _ in range(1000):  # a child that prints for ever must not hold the cell
                if pipe is None or not select.select([pipe], [], [], 0)[0]:
                    break
                time.sleep(0.001)
        time.sleep(0.005)  # the reader has taken the last piece and hands it on

    shell.events.register("post_execute", settle)
    # A script is plain Python: nothing of IPython's own syntax is taken out of it or put in.
    manager = shell.input_transformer_manager
    for transforms in (manager.cleanup_transforms, manager.line_transforms):
        transforms.clear()
    manager.token_transformers.clear()
    shell.compile.get_code_name = code_name
    shell._showtraceback = show_traceback  # noqa: SLF001
