"""Runs inside the kernel before the first cell; it uses only what every environment has."""


def set_up(labels):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Give each cell a stable file name and keep only the cells' own frames in tracebacks."""
    import traceback  # noqa: PLC0415

    from IPython import get_ipython  # noqa: PLC0415

    shell = get_ipython()
    names = [f"cell {label}" for label in labels]
    show = shell._showtraceback  # noqa: SLF001

    def code_name(raw_code, transformed_code, number):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
        return names[number - 1] if number <= len(names) else f"cell {number}"

    def only_cells(report):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        while report is not None:
            kept = [frame for frame in report.stack if frame.filename in names]
            report.stack = traceback.StackSummary.from_list(kept)
            report = report.__cause__ or report.__context__

    def show_traceback(kind, error, shown):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
        report = traceback.TracebackException.from_exception(error)
        only_cells(report)
        show(kind, error, "".join(report.format()).rstrip().split("\n"))

    shell.compile.get_code_name = code_name
    shell._showtraceback = show_traceback  # noqa: SLF001
