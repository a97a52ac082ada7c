"""A preview of one language, in the browser: what is saved is built, and its page loads again.

Two processes. One serves the pages and watches the files of the book. The other has imported Sphinx
and forks a third for each build, so that every build begins as the first and none imports anything
anew; it has no threads, as forking needs. Where the system cannot fork, each build imports Sphinx.

Law, guarded by tests/cli/test_live.py: no fault of a page, a catalog or a script ends the server,
and nothing that it has started outlives it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import webbrowser
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from multiprocessing.connection import wait
from pathlib import Path
from threading import Condition, Thread
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import parse_qs, urlsplit

from filelock import FileLock, Timeout
from watchfiles import watch

from polytab.errors import PolytabError, one_line
from polytab.site.build import compile_translations
from polytab.site.sphinx import (
    CONTEXT,
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

_SCRIPT = Path(__file__).parent / "templates" / "live.js"
_HOST = "127.0.0.1"
_BUILT = "/-/built"
"""What a page asks, to be answered when there was a build after the one that it knows."""

_ANSWER_TIMEOUT = 25
"""Seconds until such a question is answered whatever happens, as networks forget quiet ones."""

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
        with _serving(folder) as server:
            address_file.write_text(server.address, encoding="utf-8")
            report(f"{language.code}: open {server.address}, end with Ctrl-C")
            webbrowser.open(server.address)
            for paths in saved:
                if any(path.is_relative_to(each) for path in paths for each in about_code):
                    record()
                named = _named(sorted(os.path.relpath(path, settings.root) for path in paths))
                report(f"{named} changed: {_build(builder, folder)}")
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
    """Have the language built; return what was written and how long it took."""
    started = time.monotonic()
    before = _written(folder)
    try:
        builder.send(None)
        good = builder.recv()
    except (EOFError, ConnectionError):
        raise PolytabError("the process that builds has ended", hint="start it again") from None
    after = _written(folder)
    pages = sorted(page for page, when in after.items() if before.get(page) != when)
    seconds = time.monotonic() - started
    written = f"{_named(pages, 'pages') or 'nothing'} built in {seconds:.1f} s"
    return written if good else f"{written}, with an error: see above"


def _written(folder: Path) -> dict[str, int]:
    """Return when each page was written."""
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("*.html")
    }


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    import_sphinx()
    folder = settings.build / "live" / language.code
    run = SphinxRun(settings, language, folder, "live", values={"polytab_preview": True})
    anew = not take_finished(run)
    with suppress(EOFError, ConnectionError):
        while True:
            told.recv()
            take_finished(run)
            process = CONTEXT.Process(target=_compile_and_write, args=(run, anew, report))
            process.start()
            wait([process.sentinel, told])
            if process.is_alive():  # cut off: nobody asks while a build is running
                process.terminate()
            process.join()
            anew = False
            told.send(process.exitcode == 0)
            if process.exitcode == 0:
                note_finished(run)


def _compile_and_write(
    run: SphinxRun,
    anew: bool,  # noqa: FBT001  # a process takes no names
    report: Callable[[str], None],
) -> None:
    """Compile the catalogs and run Sphinx; what is wrong is printed."""
    for finding in compile_translations(run.settings, [run.language]):
        report(str(finding))
    run_sphinx(run, anew)


@contextmanager
def _serving(folder: Path) -> Iterator[_Server]:
    """Serve a folder while the block lasts."""
    with _Server(folder) as server:
        Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class _Server(ThreadingHTTPServer):
    """A server of a folder on this machine alone; it knows how often its pages were built."""

    def __init__(self, folder: Path) -> None:
        self.builds = 1
        self.built = Condition()
        super().__init__((_HOST, 0), partial(_Handler, directory=str(folder)))

    @property
    def address(self) -> str:
        """Where its pages are."""
        return f"http://{_HOST}:{self.server_port}/"

    def tell(self) -> None:
        """Have every page that is looked at loaded again."""
        with self.built:
            self.builds += 1
            self.built.notify_all()

    def wait_for_build(self, after: str) -> bool:
        """Wait until there was a build after that one; tell whether there was."""
        with self.built:
            return self.built.wait_for(lambda: str(self.builds) != after, _ANSWER_TIMEOUT)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing where a browser has gone before it was answered."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # any socket


class _Handler(SimpleHTTPRequestHandler):
    """Answers with the files of a folder; each page ends with the script that loads it again."""

    server: _Server

    def do_GET(self) -> None:
        """Answer whether there was a build, or with a file."""
        asked = urlsplit(self.path)
        if asked.path != _BUILT:
            super().do_GET()
            return
        [after] = parse_qs(asked.query).get("after", [""])[:1]
        there = self.server.wait_for_build(after)
        self.send_response(HTTPStatus.OK if there else HTTPStatus.NO_CONTENT)
        self.end_headers()

    def send_head(self) -> BinaryIO | BytesIO | None:
        """Send the head of an answer and return its body."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and urlsplit(self.path).path.endswith("/"):
            path /= "index.html"
        if path.suffix != ".html" or not path.is_file():
            return super().send_head()
        script = (
            f'<script data-after="{self.server.builds}">\n{_SCRIPT.read_text("utf-8")}</script>\n'
        )
        page = path.read_bytes() + script.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return BytesIO(page)

    def end_headers(self) -> None:
        """Have browsers ask each time whether a file is still the same."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing: what is asked for is no news to anybody."""
