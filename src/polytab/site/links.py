"""Every link inside the site leads somewhere: the file is there, and so is the anchor.

Read from the HTML that is published, in every language, because a translation, a template or a
theme can break what is whole in the pages. Other hosts are asked by Sphinx's own `linkcheck`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from polytab.model import Finding
from polytab.settings import START, page_path
from polytab.site.addressed_files import sheet_links
from polytab.site.language_files import page_sources
from polytab.sphinx_process import SphinxRun, run_to_end

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings
    from polytab.site.page import Link, WrittenPage

_POLITELY = {
    "linkcheck_workers": 1,
    "linkcheck_timeout": 15,
    "linkcheck_retries": 2,
    "linkcheck_anchors": False,
}
"""One address after the other; Sphinx waits where a host says that it is asked too often."""


def broken_links(
    settings: Settings,
    languages: Collection[Language],
    pages: Mapping[str, WrittenPage],
    files: Mapping[str, bytes | Path],
) -> Iterator[Finding]:
    """Find the links of the pages and stylesheets of the site that lead nowhere in it.

    `files` are all that is published, `pages` those that were read, by their paths in the site.
    The pages of other languages than these are as an earlier build left them: what they link to,
    and what links to them, is looked at when they are built.
    """
    others = [each for each in settings.languages if each not in languages]
    left = [page_path(each, page) for each in others for page in page_sources(settings)]
    site = _Site(settings, pages, frozenset(files), frozenset(left))
    codes = {each.code for each in others}
    for name, page in pages.items():
        if name.partition("/")[0] not in codes:
            yield from site.broken(name, page.links)
    for name, source in files.items():
        if name.endswith(".css"):
            content = source if isinstance(source, bytes) else source.read_bytes()
            yield from site.broken(name, sheet_links(content))


def ask_hosts(settings: Settings) -> int:
    """Ask other hosts for every address that the pages link to; Sphinx prints which are broken.

    The pages are read in the language they are written in: translations have the same addresses,
    which the lint sees to. Returns 0, or 1 where an address, or a page, is broken.
    """
    language, name = settings.source_language, "linkcheck"
    run = SphinxRun(settings, language, settings.build / name, name, name, _POLITELY)
    return int(not run_to_end(run))


@dataclass(frozen=True)
class _Site:
    """The pages of a site, and the paths of all its files."""

    settings: Settings
    pages: Mapping[str, WrittenPage]
    files: frozenset[str]
    left: frozenset[str]
    """The paths of pages, known from their sources, that this build leaves as they were."""

    @cached_property
    def folders(self) -> frozenset[str]:
        """The paths of the folders that have a file."""
        found: set[str] = set()
        for name in self.files:
            while (name := dirname(name)) and name not in found:
                found.add(name)
        return frozenset({".", *found})

    def broken(self, file: str, links: Iterable[Link]) -> Iterator[Finding]:
        """Complain of the links of a file, of each that is wrong in the same way once."""
        told: set[str] = set()
        for link in links:
            said = self._problem(file, link.address)
            if said and said not in told:
                told.add(said)
                yield Finding(self.settings.site / file, link.line, "link", said)

    def _problem(self, file: str, address: str) -> str | None:
        """Say what is wrong with a link of a file; None where it leads out of the site."""
        try:
            target = self._target(file, address)
        except ValueError:
            return f"`{address}` is no address"
        if target is None:
            return None
        path, anchor = target
        if path in self.left:
            return None
        if path not in self.files:
            return f"`{address}` leads nowhere: there is no {path}"
        if anchor and path in self.pages and anchor not in self.pages[path].ids:
            return f"`{address}` leads nowhere: {path} has no `{anchor}`"
        return None

    def _target(self, file: str, address: str) -> tuple[str, str] | None:
        """Return the file and the anchor an address means, if it is one of this site."""
        home = self.settings.address
        if home is not None and f"{address}/".startswith(f"{home}/"):
            address = address.removeprefix(home) or "/"
        found = urlsplit(address)
        if found.scheme or found.netloc:
            return None
        path = unquote(found.path)
        if path.startswith("/"):
            top = urlsplit(home).path if home else ""
            path = path.removeprefix(top).lstrip("/") or "index.html"
        else:
            path = normpath(join(dirname(file), path)) if path else file
        if path.endswith("/") or path in self.folders:
            path = normpath(join(path, "index.html"))
        code = path.partition("/")[0]
        for language in self.settings.languages:
            if language.code == code and page_path(language, START) not in self.files:
                return None  # a language that is not built here
        return path, unquote(found.fragment)
