"""Sphinx, run on each language in a process of its own; no two runs share doctrees.

Where the system can fork, the languages begin as copies of one process that has imported Sphinx.

Law, guarded by tests/site/test_second.py: a build after one that was interrupted, or after one with
other pages, gives the site that a first build gives.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from io import StringIO
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from sphinx.application import Sphinx, builtin_extensions
from sphinx.errors import ExtensionError, SphinxError
from sphinx.util.console import color_terminal, nocolor
from sphinx.util.docutils import docutils_namespace, patch_docutils

from polytab.errors import PolytabError, system_error
from polytab.model import digest, digest_path
from polytab.pages.full_disk import full_disk
from polytab.pages.inputs import READ_FILES
from polytab.pages.progress import PageRead, PageWritten, Warned, tell_progress
from polytab.recordings.atomic import write_atomic
from polytab.site.policy import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from polytab.model import Language
    from polytab.pages.progress import Progress
    from polytab.settings import Settings

CONTEXT = get_context("fork") if sys.platform == "linux" else get_context("spawn")
"""How processes are started: as a copy of this one, where that is safe."""

_EXTENSIONS = (
    *("sphinx.builders.html", "sphinx.builders.latex.transforms", "sphinx.ext.mathjax"),
    *("myst_parser.sphinx_ext.main", "myst_nb.sphinx_ext", "sphinx_tabs.tabs"),
    *("polytab.pages", "polytab.export"),
)
"""What a build imports; MyST imports its own modules when it is set up, so they are named here."""

_GARBAGE = 100_000
"""New objects between two looks for garbage: documents are many objects, none of them garbage."""


@dataclass(frozen=True)
class SphinxRun:
    """What Sphinx is to do with a language."""

    settings: Settings
    language: Language
    folder: Path
    """Where it writes."""

    purpose: str = "html"
    """What it reads for: a builder decides while reading, so no two purposes share doctrees."""

    builder: str = "html"
    values: Mapping[str, object] = field(default_factory=dict)
    """Settings beside those of `conf.py`."""

    strict: bool = False
    """Whether a warning is a failure."""

    @property
    def doctrees(self) -> Path:
        """Where it keeps the documents that it has read."""
        return self.settings.build / "doctrees" / self.purpose / self.language.code


@dataclass(frozen=True)
class Written:
    """What came of a language: how long Sphinx took, and whether it had nothing to complain of."""

    language: Language
    seconds: float
    good: bool
    pages_read: int = 0
    pages_written: int = 0
    beside: tuple[Path, ...] = ()
    """What it read beside the folders of the book."""

    def __str__(self) -> str:
        """Say how many pages were read and written."""
        read = f"{self.pages_read or 'no'} page{'s' if self.pages_read > 1 else ''} read"
        more = self.pages_written - self.pages_read
        return f"{read}, {more} more written for what they show of others" if more > 0 else read


def written_folder(settings: Settings, language: Language) -> Path:
    """Return where Sphinx writes the pages of a language."""
    return settings.build / "html" / language.code


def site_run(settings: Settings, language: Language, *, strict: bool) -> SphinxRun:
    """Return what writes a language for the site."""
    values = {"polytab_strict": strict, "polytab_published": True, "polytab_policy": POLICY}
    folder = written_folder(settings, language)
    return SphinxRun(settings, language, folder, values=values, strict=True)


def write_pages(
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    tell: Callable[[str, Progress], None],
) -> list[Written]:
    """Have Sphinx write the pages of these languages, all at once, and tell what it does.

    Raises PolytabError where the disk is full.
    """
    import_sphinx()
    started = time.monotonic()
    running: list[_Running] = []
    written = []
    try:
        for language in languages:
            run = site_run(settings, language, strict=strict)
            running.append(_Running(run))  # one by one: what has begun is ended below
        while running:
            wait([one for each in running for one in (each.process.sentinel, each.told)])
            for each in tuple(running):
                ended = not each.process.is_alive()
                for progress in each.received():
                    tell(each.run.language.code, progress)
                if ended:
                    running.remove(each)
                    written.append(each.written(time.monotonic() - started))
    finally:
        for each in running:
            each.process.terminate()
            each.process.join()
    return written


class _Running:
    """Sphinx in a process of its own, and what it has told us."""

    def __init__(self, run: SphinxRun) -> None:
        self.run = run
        self.told, theirs = CONTEXT.Pipe(duplex=False)
        work = (run, not take_finished(run), theirs)
        self.process = CONTEXT.Process(target=run_sphinx, args=work)
        self.process.start()
        theirs.close()
        self._done: Counter[type] = Counter()

    def received(self) -> Iterator[Progress]:
        """Give what has been told by now; raises PolytabError where that is a full disk."""
        with suppress(EOFError, OSError):
            while self.told.poll():
                event = self.told.recv()
                if isinstance(event, PolytabError):
                    raise event
                self._done[type(event)] += 1
                yield event

    def written(self, seconds: float) -> Written:
        """Return what came of it, when it has ended."""
        good, beside = self.process.exitcode == 0, []
        if good:
            note_finished(self.run)
            beside = (self.run.folder / READ_FILES).read_text(encoding="utf-8").splitlines()
        pages = self._done[PageRead], self._done[PageWritten]
        return Written(self.run.language, seconds, good, *pages, tuple(map(Path, beside)))


def import_sphinx() -> None:
    """Import what every build needs, once, before its processes are forked."""
    gc.set_threshold(_GARBAGE, 20, 20)
    for name in (*builtin_extensions, *_EXTENSIONS):
        import_module(name)
    gc.freeze()


def take_finished(run: SphinxRun) -> bool:
    """Tell whether a run has finished in these folders; from now on it counts as unfinished.

    Where it has not, or what it left is not as it was left, all pages are to be read again: Sphinx
    tells of a fault only where it reads it, notes pages as read before they are written, and trusts
    what it finds.
    """
    finished = run.folder.with_suffix(".finished")
    try:
        noted = finished.read_bytes()
    except OSError:
        return False
    finished.unlink()
    return noted == _digest_left(run)


def note_finished(run: SphinxRun) -> None:
    """Note that a run has written its pages without a complaint, and what it has left."""
    write_atomic(run.folder.with_suffix(".finished"), _digest_left(run))


def _digest_left(run: SphinxRun) -> bytes:
    return digest(" ".join(map(digest_path, (run.folder, run.doctrees)))).encode()


def run_sphinx(run: SphinxRun, anew: bool, told: Connection | None = None) -> None:  # noqa: FBT001  # a process takes no names
    """Run Sphinx in a process of its own, which exits with 0, or 1 where it complained.

    `anew` has all pages read again. What it does and complains of is sent to `told`; without that,
    complaints are printed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_build, daemon=True).start()
    os.chdir(run.settings.root)
    sys.path.insert(0, str(run.settings.root))  # `conf.py` may import what lies beside it
    if not color_terminal():
        nocolor()
    try:
        sys.exit(_run(run, anew=anew, told=told))
    except Exception as error:
        no_room = full_disk(error)
        full = system_error(no_room, run.settings.build) if no_room else None
        said = full or _complaint(error)
        if said is None:
            raise
        if told:
            told.send(full or Warned(f"error: {said}\n"))
            sys.exit(1)
        sys.exit(f"error: {said}")


def _run(run: SphinxRun, *, anew: bool, told: Connection | None) -> int:
    """Run Sphinx; return 0, or 1 where it had to complain and was strict."""
    root = run.settings.root
    with patch_docutils(root), docutils_namespace():
        app = Sphinx(
            *(run.settings.docs, root, run.folder, run.doctrees, run.builder),
            confoverrides={"language": run.language.locale, **run.values},
            status=None,
            warning=_Sent(told) if told else sys.stderr,
            freshenv=anew,
            warningiserror=run.strict,
        )
        if told:
            tell_progress(app, told.send)
        app.build()
        return app.statuscode


class _Sent(StringIO):
    """A stream that sends what is written to it."""

    def __init__(self, told: Connection) -> None:
        super().__init__()
        self._told = told

    def write(self, text: str) -> int:
        self._told.send(Warned(text))
        return len(text)


def _complaint(error: Exception) -> str | None:
    """Return what people can do something about; None where it is a fault in a program."""
    cause = error.__cause__
    if isinstance(cause, PolytabError):
        return str(cause)
    if isinstance(error, SphinxError) and not (isinstance(error, ExtensionError) and cause):
        return f"{error.category}: {error}"
    return None


def _end_with_build() -> None:
    """End this process when the one that started it is gone: others may build in its folders."""
    build = parent_process()
    if build is not None:
        build.join()
        os._exit(1)
