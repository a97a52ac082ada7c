"""A preview of one language, in the browser: what is saved is built, and its page loads again.

Two processes. One serves the pages and watches the files of the book. The other has imported Sphinx
and forks a third for each build, so that every build begins as the first and none imports anything
anew; it has no threads, as forking needs. Where the system cannot fork, each build imports Sphinx.

Law, guarded by tests/cli/test_live.py: no fault of a page, a catalog or a script ends the server,
and nothing that it has started outlives it.
"""

from __future__ import annotations

import os
import sys
import time
import webbrowser
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from watchfiles import watch

from polytab.errors import PolytabError, one_line, system_error
from polytab.processes import CONTEXT, killed, obey_parent_alone, signals_held
from polytab.recordings.atomic import write_atomic
from polytab.site.build import compile_translations
from polytab.site.live.server import serving
from polytab.sphinx_process import (
    SphinxRun,
    import_sphinx,
    note_finished,
    run_sphinx,
    take_finished,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

    from polytab.model import Language
    from polytab.settings import Settings

_WATCHING = 200
"""Milliseconds after which the watcher returns even if nothing has changed."""

_NAMED = 4
"""How many pages, or files, are named in a line; more are counted."""


def live(
    settings: Settings,
    language: Language,
    *,
    record: Callable[[], None],
    report: Callable[[str], None],
) -> None:
    """Serve one language and build it on every save, until interrupted.

    `record` runs the scripts that are stale; it is called at the start, and after a change of
    anything that scripts are made of. Raises PolytabError where the language is served already.
    """
    folder = settings.build / "live" / language.code
    folder.mkdir(parents=True, exist_ok=True)
    about_code = [settings.snippets, settings.environments, settings.recordings]
    watched = [settings.docs, settings.translations, *about_code]
    work = (settings, language, report)
    with _alone(folder, language) as address_file, _builder(*work) as builder:
        saved = _saved([path for path in watched if path.is_dir()])
        next(saved)  # from here on no change is missed
        record()
        report(f"{language.code}: building")
        report(f"{language.code}: {_build(builder, folder)}")
        with serving(folder) as server:
            write_atomic(address_file, server.address.encode())
            report(f"{language.code}: open {server.address}, end with Ctrl-C")
            webbrowser.open(server.address)
            for paths in saved:
                if any(path.is_relative_to(each) for path in paths for each in about_code):
                    record()
                named = _named(sorted(os.path.relpath(path, settings.root) for path in paths))
                report(f"{named} changed: {_build_again(builder, folder)}")
                server.tell()


@contextmanager
def _alone(folder: Path, language: Language) -> Iterator[Path]:
    """Keep others from serving the language; give the file that tells them where it is served."""
    address_file = folder.with_suffix(".address")
    try:
        with FileLock(folder.with_suffix(".lock"), blocking=False):
            yield address_file
    except Timeout:
        where = address_file.read_text("utf-8") if address_file.is_file() else "another terminal"
        msg = f"`{language.code}` is being served already"
        raise PolytabError(msg, hint=f"see {where}, or end that server first") from None


def _saved(folders: Sequence[Path]) -> Iterator[frozenset[Path]]:
    """Give nothing once files are watched, and then the files of each save."""
    watching = watch(*folders, yield_on_timeout=True, rust_timeout=_WATCHING)
    next(watching)
    yield frozenset()
    for changes in watching:
        if changes:
            yield frozenset(Path(path) for _, path in changes)


def _named(names: Sequence[str], kind: str = "files") -> str:
    return ", ".join(map(one_line, names)) if len(names) <= _NAMED else f"{len(names)} {kind}"


def _build(builder: Connection, folder: Path) -> str:
    """Have the language built; return what was written and how long it took.

    Raises PolytabError where the system fails it.
    """
    started = time.monotonic()
    before = _written(folder)
    try:
        builder.send(None)
        good = builder.recv()
    except (EOFError, ConnectionError):
        raise PolytabError("the process that builds has ended", hint="start it again") from None
    if isinstance(good, PolytabError):
        raise good
    after = _written(folder)
    pages = sorted(page for page, when in after.items() if before.get(page) != when)
    seconds = time.monotonic() - started
    written = f"{_named(pages, 'pages') or 'nothing'} built in {seconds:.1f} s"
    return written if good else f"{written}, with an error: see above"


def _build_again(builder: Connection, folder: Path) -> str:
    """Have it built after a change; a fault of the system is told, as it may pass."""
    try:
        return _build(builder, folder)
    except PolytabError as error:
        if error.file is None:
            raise
        return f"error: {error}"


def _written(folder: Path) -> dict[str, int]:
    """Return when each page was written."""
    found = {}
    for path in folder.rglob("*.html"):
        with suppress(FileNotFoundError):  # somebody clears the folder just now
            name = path.relative_to(folder).with_suffix("").as_posix()
            found[name] = path.stat().st_mtime_ns
    return found


@contextmanager
def _builder(
    settings: Settings, language: Language, report: Callable[[str], None]
) -> Iterator[Connection]:
    """Run the process that builds; what is sent to it is answered when a build has ended.

    It ends, with its build, when this end of the connection is closed or this process is gone.
    """
    ours, theirs = CONTEXT.Pipe()
    work = (theirs, ours, settings, language, report)
    process = CONTEXT.Process(target=_build_when_told, args=work)
    with signals_held():
        process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.join()


def _build_when_told(
    told: Connection,
    other_end: Connection,
    settings: Settings,
    language: Language,
    report: Callable[[str], None],
) -> None:
    """Build the language in a process of its own each time that it is told to, until cut off."""
    other_end.close()  # or nobody would see that it was closed
    obey_parent_alone()
    import_sphinx()
    folder = settings.build / "live" / language.code
    run = SphinxRun(settings, language, folder, "live", values={"polytab_preview": True})
    with suppress(EOFError, ConnectionError):
        while True:
            told.recv()
            try:
                came_of_it = _build_once(run, told, report)
            except OSError as error:
                came_of_it = system_error(error, folder)
            told.send(came_of_it)


def _build_once(
    run: SphinxRun, told: Connection, report: Callable[[str], None]
) -> bool | PolytabError:
    """Build in a process of its own; return whether that went well, or how the system failed it."""
    anew = not take_finished(run)
    ours, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_compile_and_write, args=(run, anew, theirs, report))
    process.start()
    theirs.close()
    fault: PolytabError | None = None
    with suppress(EOFError):
        while told not in wait([ours, told]):
            event = ours.recv()
            if isinstance(event, PolytabError):
                fault = event
            else:
                sys.stderr.write(event.text)
        process.terminate()  # cut off: nobody asks while a build is running
    fault = fault or killed(process, "Sphinx", run.folder)
    if process.exitcode == 0:
        note_finished(run)
    return fault or process.exitcode == 0


def _compile_and_write(
    run: SphinxRun,
    anew: bool,  # noqa: FBT001  # a process takes no names
    told: Connection,
    report: Callable[[str], None],
) -> None:
    """Compile the catalogs and run Sphinx; tell what is wrong."""
    try:
        for finding in compile_translations(run.settings, [run.language]):
            report(str(finding))
    except OSError as error:
        told.send(system_error(error, run.settings.build))
        sys.exit(1)
    run_sphinx(run, anew, told)
