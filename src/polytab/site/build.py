"""Build the site: the pages of every language, what searches them, and the pages above them all.

The stages, in order, each with what goes in and what comes out; no page is parsed twice:

1. `compile_translations`    catalogs -> what passed the lint, for Sphinx
2. `write_pages`             Sphinx, a process for each language -> written files
3. `language_files`          where each language's files lie: as written now, or as published before
4. `redirects`, `root_pages` settings -> the pages that no document is behind
5. `read_pages`              all of these -> `WrittenPage`s, each parsed once
6. `addressed_files`         written pages -> the files that are published, as they were written
7. `index_sections`          written pages -> the search index of each language
8. `sitemap`, `feeds`        written pages and their history -> `sitemap.xml` and each `feed.xml`
9. `policy`, `links`         all pages -> findings
10. `publish`                all files -> `_build/site/`, file by file, and its manifest

A language that was not asked for keeps its pages as they were published. Around the stages stands
what `site/last_build.py` remembers of a build, by which the next may have nothing to do.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from polytab.errors import PolytabError
from polytab.interface.messages import check_words
from polytab.model import Finding, digest_path
from polytab.search.index import FOLDER, index_sections
from polytab.settings import START, page_path
from polytab.site.addressed_files import addressed_files
from polytab.site.bare_pages import redirects, root_pages
from polytab.site.feed import feeds
from polytab.site.language_files import language_files, page_sources
from polytab.site.last_build import LastBuild, digest_inputs, forget, remember
from polytab.site.links import broken_links
from polytab.site.page import read_pages
from polytab.site.policy import check_policies
from polytab.site.publish import publish
from polytab.site.sitemap import sitemap
from polytab.site.sphinx import write_pages
from polytab.sphinx_process import Warned
from polytab.translations.compiled import compile_catalogs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.pages.progress import Progress
    from polytab.settings import Settings
    from polytab.site.page import WrittenPage


def only_warn(_code: str, progress: Progress) -> None:
    """Hear what a build does, and print no more of it than warnings."""
    if isinstance(progress, Warned):
        sys.stderr.write(progress.text)


def build(  # noqa: PLR0913  # what, how strictly, and who hears of it
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    planned: bool = False,
    report: Callable[[str], None],
    tell: Callable[[str, Progress], None] = only_warn,
) -> int:
    """Build these languages; return 0, or 1 where any of them had something to complain of.

    A translation that the lint refuses counts as missing and is told. The site is published even
    where there are findings, or Sphinx complained: whoever deploys it looks at what is returned.
    `planned` says that no script is left to be run, for whoever asks next what has changed. `tell`
    hears what is done, with the code of the language in which it is.
    Raises PolytabError where another build is running.
    """
    with lock_builds(settings):
        return _build(settings, languages, strict=strict, planned=planned, report=report, tell=tell)


def _build(  # noqa: PLR0913  # the same
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    planned: bool,
    report: Callable[[str], None],
    tell: Callable[[str, Progress], None],
) -> int:
    read = digest_inputs(settings)
    before = forget(settings)
    refused = compile_translations(settings, languages)
    for finding in refused:
        report(str(finding))
    written = write_pages(settings, languages, strict=strict, tell=tell)
    there = language_files(settings, languages)
    built = [each for each in settings.languages if page_path(each, START) in there.everything]
    bare = redirects(settings, built) | root_pages(settings, built, there.everything)
    pages = read_pages({**there.everything, **bare}, settings.build / "pages.json")
    sources = [page_path(each, page) for each in languages for page in page_sources(settings)]
    addressed = addressed_files(there.written, pages, [*sources, *bare])
    files: dict[str, bytes | Path] = {**there.kept, **addressed, **bare}
    pages = {path: page for path, page in pages.items() if path in files}
    files |= _indexes(languages, pages)
    files |= {**sitemap(settings, built, pages), **feeds(settings, built, pages)}
    complaints = {path: page.complaints for path, page in pages.items()}
    links = broken_links(settings, languages, pages, files)
    findings = [*check_policies(settings, complaints), *links]
    publish(settings.site, files)
    for finding in findings:
        report(str(finding))
    for each in written:
        where = settings.site / page_path(each.language, START)
        how = (
            f"in {each.seconds:.0f} s, open {where}" if each.good else "with complaints, see above"
        )
        report(f"{each.language.code}: {each}, built {how}")
    good = not refused and not findings and all(each.good for each in written)
    if good:
        codes = {each.code for each in languages}
        if before and (before.read, before.strict) == (read, strict):
            codes |= set(before.languages)
        beside = {str(path): digest_path(path) for each in written for path in each.beside}
        remember(settings, LastBuild(read, beside, tuple(sorted(codes)), strict, planned))
    return int(not good)


@contextmanager
def lock_builds(settings: Settings) -> Iterator[None]:
    """Keep other builds out of the book while the block lasts.

    Raises PolytabError, without waiting, where another build is running. The system frees the lock
    of a process that was killed. Guarded by tests/site/test_lock.py.
    """
    settings.build.mkdir(parents=True, exist_ok=True)
    lock = FileLock(settings.build / "build.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        hint = "wait until it has ended and run this again, or build in another copy of the book"
        raise PolytabError(
            "another build is running here", file=settings.build, hint=hint
        ) from None
    try:
        yield
    finally:
        lock.release()


def compile_translations(settings: Settings, languages: Sequence[Language]) -> tuple[Finding, ...]:
    """Compile what passed the lint, for Sphinx to read; return what of these languages did not.

    The other languages are compiled too: the table of coverage tells of all, in each of them.
    """
    words = {each: settings.words_file(each.locale) for each in languages}
    findings = {each: compile_catalogs(settings, each) for each in settings.languages[1:]}
    catalogs = tuple(each for language in languages for each in findings.get(language, ()))
    return (
        *catalogs,
        *(each for language, file in words.items() for each in check_words(language.locale, file)),
    )


def _indexes(languages: Sequence[Language], pages: Mapping[str, WrittenPage]) -> dict[str, bytes]:
    """Make the search indexes of these languages, at once; return their files."""

    def index(language: Language) -> dict[str, bytes]:
        top = f"{language.code}/"
        own = (page.sections for path, page in sorted(pages.items()) if path.startswith(top))
        sections = [section for each in own for section in each]
        found = index_sections(sections, language.tag)
        return {f"{top}{FOLDER}/{name}": file for name, file in found.items()}

    with ThreadPoolExecutor(max_workers=len(languages)) as pool:
        return {name: file for found in pool.map(index, languages) for name, file in found.items()}
