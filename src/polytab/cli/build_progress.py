"""What a build does, on the terminal: why pages are built, what Sphinx says, and how far it is.

What was edited is told once for all languages, a line for each edit. How far a build is stands in
one line that changes, or in a log in a line from time to time, where it takes more than a moment.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from rich.live import Live
from rich.text import Text

from polytab.cli.console import out, say
from polytab.errors import one_line
from polytab.pages.progress import PageRead, PagesChosen, PageWritten
from polytab.sphinx_process import Warned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from polytab.pages.progress import Progress

_MOMENT = 2
"""Seconds after which it is told how far a build is."""

_INTERVAL = 10
"""Seconds between two lines of a log that tell it."""

_LINES = 8
"""How many edits are told; more are counted."""

_NAMED = 4
"""How many pages, or languages, are named in a line; more are counted."""


@dataclass
class _Language:
    """How far a language is."""

    pages: int = 0
    read: int = 0
    written: int = 0

    def __str__(self) -> str:
        if self.written:
            return f"{self.written} written"
        return f"{self.read} of {self.pages} pages read"


@dataclass
class _Edit:
    """Which pages are read because of an edit, in which languages."""

    pages: dict[str, None] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)


class BuildProgress:
    """Hears what a build of these languages does, and shows it while a `with` block lasts."""

    def __init__(self, codes: Iterable[str], now: Callable[[], float] = time.monotonic) -> None:
        """Begin; `now` gives the seconds of a clock."""
        self._unknown = set(codes)
        self._languages: dict[str, _Language] = {}
        self._edits: dict[str, _Edit] = {}
        self._line = _Line(now)

    def __enter__(self) -> Self:
        """Show what is heard from here on."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take away the line that changes."""
        self._line.hide()

    def report(self, text: str) -> None:
        """Print a line that stays."""
        self._line.hide()
        say(text)

    def tell(self, code: str, progress: Progress) -> None:
        """Take in what the build of a language does."""
        if isinstance(progress, Warned):
            self._line.hide()
            sys.stderr.write(progress.text)
            return
        language = self._languages.setdefault(code, _Language())
        if isinstance(progress, PagesChosen):
            language.pages = progress.pages
            self._take_in(code, progress)
        language.read += isinstance(progress, PageRead)
        language.written += isinstance(progress, PageWritten)
        self._line.show(", ".join(f"{code}: {each}" for code, each in self._languages.items()))

    def _take_in(self, code: str, chosen: PagesChosen) -> None:
        """Note why pages are read; tell it when it is known of every language."""
        for why, pages in chosen.why.items():
            edit = self._edits.setdefault(why, _Edit())
            edit.pages.update(dict.fromkeys(pages))
            edit.codes.append(code)
        self._unknown.discard(code)
        if not self._unknown:
            for line in self._told():
                self.report(line)

    def _told(self) -> Iterator[str]:
        for why, edit in list(self._edits.items())[:_LINES]:
            pages, codes = _named([*edit.pages], "pages"), _named(edit.codes, "languages")
            yield f"{why}: {pages} in {codes}"
        more = len(self._edits) - _LINES
        if more > 0:
            yield f"and {more} more"


def _named(names: list[str], kind: str) -> str:
    return ", ".join(names) if len(names) <= _NAMED else f"{len(names)} {kind}"


class _Line:
    """A line that changes on a terminal; in a log, one from time to time."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._due = now() + _MOMENT
        self._live: Live | None = None

    def show(self, text: str) -> None:
        """Show how far a build is, if it is time to."""
        if self._now() < self._due:
            return
        if out.is_terminal:
            self._draw(Text(one_line(text), no_wrap=True, overflow="ellipsis"))
        else:
            self._due = self._now() + _INTERVAL
            say(text)

    def _draw(self, text: Text) -> None:
        if self._live is None:
            # It draws when told to: a build forks, which a thread that draws would not outlive.
            self._live = Live(
                console=out, auto_refresh=False, transient=True,
                redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()
        self._live.update(text, refresh=True)

    def hide(self) -> None:
        """Take the line away."""
        if self._live is not None:
            self._live.stop()
            self._live = None
