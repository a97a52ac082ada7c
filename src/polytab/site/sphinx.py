"""The pages of a site: Sphinx, run on each language in a process of its own, all at once.

Law, guarded by tests/site/test_second.py: a build after one that was interrupted, or after one with
other pages, gives the site that a first build gives.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.pages.inputs import READ_FILES
from polytab.pages.progress import PageRead, PageWritten, tell_progress
from polytab.processes import CONTEXT, killed, signals_held
from polytab.site.policy import POLICY
from polytab.sphinx_process import (
    SphinxRun,
    import_sphinx,
    note_finished,
    run_sphinx,
    take_finished,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from polytab.model import Language
    from polytab.pages.progress import Progress
    from polytab.settings import Settings


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

    Raises PolytabError where the system fails it, as with a full disk, or Sphinx is killed.
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
        work = (run, not take_finished(run), theirs, tell_progress)
        self.process = CONTEXT.Process(target=run_sphinx, args=work)
        with signals_held():
            self.process.start()
        theirs.close()
        self._done: Counter[type] = Counter()

    def received(self) -> Iterator[Progress]:
        """Give what has been told by now; raises PolytabError where the system fails it."""
        with suppress(EOFError, OSError):
            while self.told.poll():
                event = self.told.recv()
                if isinstance(event, PolytabError):
                    raise event
                self._done[type(event)] += 1
                yield event

    def written(self, seconds: float) -> Written:
        """Return what came of it, when it has ended; raises PolytabError where it was killed."""
        fault = killed(self.process, "Sphinx", self.run.folder)
        if fault:
            raise fault
        good, beside = self.process.exitcode == 0, []
        if good:
            note_finished(self.run)
            beside = (self.run.folder / READ_FILES).read_text(encoding="utf-8").splitlines()
        pages = self._done[PageRead], self._done[PageWritten]
        return Written(self.run.language, seconds, good, *pages, tuple(map(Path, beside)))
