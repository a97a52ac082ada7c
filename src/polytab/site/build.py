"""Build the site: the pages of every language, what searches them, and the pages above them all.

The stages, in order; each is one call, and no page is parsed twice:

1. `compile_translations`  catalogs -> what passed the lint, for Sphinx
2. `write_pages`           Sphinx, a process for each language -> written pages
3. `read_pages`            written pages -> `WrittenPage`s, each parsed once
4. `addressed_files`       written pages -> the files that are published, as they were written
5. `index_pages`           written pages -> the search index of each language
6. `redirects`, `root`     settings -> the pages that no document is behind
7. `sitemap`, `feeds`      written pages and their history -> `sitemap.xml` and each `feed.xml`
8. `policy`, `links`       all pages -> findings
9. `publish`               all files -> `_build/site/`, file by file, and its manifest

A language that was not asked for keeps its pages as they were published.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from polytab.pages.frame.head import FEED
from polytab.search.index import FOLDER, index_pages
from polytab.site.addressed import addressed_files
from polytab.site.feed import feeds
from polytab.site.links import broken_links
from polytab.site.page import read_page, read_pages
from polytab.site.policy import check_policies
from polytab.site.publish import publish, published_files
from polytab.site.redirects import redirects
from polytab.site.root import not_found_page, root_page
from polytab.site.sitemap import sitemap
from polytab.site.sphinx import write_pages, written_folder
from polytab.site.unchanged import LastBuild, digest_inputs, digest_path, forget, remember
from polytab.translations.compiled import compile_catalogs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from polytab.model import Finding, Language
    from polytab.settings import Settings
    from polytab.site.page import WrittenPage


def build(
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    planned: bool = False,
    report: Callable[[str], None],
) -> int:
    """Build these languages; return 0, or 1 where any of them had something to complain of.

    A translation that the lint refuses counts as missing and is told; all else is still built.
    `planned` says that no script is left to be run, for whoever asks next what has changed.
    """
    read = digest_inputs(settings)
    before = forget(settings)
    refused = compile_translations(settings, languages)
    for finding in refused:
        report(str(finding))
    written = write_pages(settings, languages, strict=strict, report=report)
    pages = _pages(settings, languages)
    built = [each for each in settings.languages if f"{each.code}/index.html" in pages]
    files = {**_files(settings, languages, pages), **_indexes(languages, pages)}
    bare = redirects(settings, built)
    bare |= {"index.html": root_page(settings, built, files)}
    bare |= {"404.html": not_found_page(settings, built, files)}
    pages |= {path: read_page(path, content) for path, content in bare.items()}
    files |= {**bare, **sitemap(settings, built, pages), **feeds(settings, built, pages)}
    findings = [*check_policies(settings, pages), *broken_links(settings, pages, files)]
    publish(settings.site, files)
    for finding in findings:
        report(str(finding))
    for each in written:
        where = settings.site / each.language.code / "index.html"
        said = f"built in {each.seconds:.0f} s, open {where}"
        report(f"{each.language.code}: {said if each.good else 'built with complaints, see above'}")
    good = not refused and not findings and all(each.good for each in written)
    if good:
        codes = {each.code for each in languages}
        if before and (before.read, before.strict) == (read, strict):
            codes |= set(before.languages)
        beside = {str(path): digest_path(path) for each in written for path in each.read}
        remember(settings, LastBuild(read, beside, tuple(sorted(codes)), strict, planned))
    return int(not good)


def compile_translations(settings: Settings, languages: Sequence[Language]) -> tuple[Finding, ...]:
    """Compile what passed the lint, for Sphinx to read; return what of these languages did not.

    The other languages are compiled too: the table of coverage tells of all, in each of them.
    """
    findings = {each: compile_catalogs(settings, each) for each in settings.languages[1:]}
    return tuple(each for language in languages for each in findings.get(language, ()))


def _pages(settings: Settings, languages: Sequence[Language]) -> dict[str, WrittenPage]:
    """Read the pages of all languages: as Sphinx has written them, or as they were published."""
    pages: dict[str, WrittenPage] = {}
    for each in settings.languages:
        now = each in languages
        folder = written_folder(settings, each) if now else settings.site / each.code
        pages |= read_pages(folder, each.code)
    return pages


def _of(language: Language, pages: Mapping[str, WrittenPage]) -> dict[str, WrittenPage]:
    """Return the pages of a language, by their paths in its folder."""
    top = f"{language.code}/"
    return {path.removeprefix(top): page for path, page in pages.items() if path.startswith(top)}


def _files(
    settings: Settings, languages: Sequence[Language], pages: Mapping[str, WrittenPage]
) -> dict[str, bytes | Path]:
    """Return what is published of these languages, and what was published of the others."""
    files: dict[str, bytes | Path] = {}
    for each in settings.languages:
        if each in languages:
            folder = written_folder(settings, each)
            files |= addressed_files(folder, each.code, _of(each, pages).values())
        else:
            files |= published_files(settings.site, each.code)
            files.pop(f"{each.code}/{FEED}", None)  # it is made anew, or there is none
    return files


def _indexes(
    languages: Sequence[Language], pages: Mapping[str, WrittenPage]
) -> dict[str, bytes | Path]:
    """Make the search indexes of these languages, at once; return their files."""

    def index(language: Language) -> dict[str, bytes | Path]:
        roots = {path: page.root for path, page in _of(language, pages).items()}
        found = index_pages(roots, language.tag)
        return {f"{language.code}/{FOLDER}/{name}": file for name, file in found.items()}

    with ThreadPoolExecutor(max_workers=len(languages)) as pool:
        return {name: file for found in pool.map(index, languages) for name, file in found.items()}
