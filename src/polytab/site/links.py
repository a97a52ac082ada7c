"""Every link inside the built site leads somewhere: the file is there, and so is the anchor.

Read from the HTML that is published, in every language, because a translation, a template or a
theme can break what is whole in the pages. Other hosts are asked on demand alone, one at a time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

from polytab.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

_ADDRESSES = {"a": "href", "area": "href", "link": "href", "img": "src", "script": "src"}
_ADDRESSES |= {"iframe": "src", "source": "src", "use": "href"}
_PATIENCE = 15
_PAUSE = 1.0
_AGENT = "polytab links (a check of a handbook's links)"


@dataclass(frozen=True)
class Link:
    """An address in a page, and the line of the page it stands in."""

    address: str
    line: int


@dataclass
class _Read(HTMLParser):
    """Collects what a page links to and what can be linked to in it."""

    ids: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the ids and addresses of a tag."""
        named = {name: value or "" for name, value in attrs}
        self.ids.add(named.get("id", ""))
        if tag == "a":
            self.ids.add(named.get("name", ""))
        address = named.get(_ADDRESSES.get(tag, ""), "").strip()
        if address:
            self.links.append(Link(address, self.getpos()[0]))


@dataclass(frozen=True)
class _Site:
    """The built pages, each read once."""

    settings: Settings

    @cached_property
    def pages(self) -> dict[str, _Read]:
        """Read every page, by its path in the site."""
        folder = self.settings.site
        read = {}
        for path in sorted(folder.rglob("*.html")):
            page = _Read()
            page.feed(path.read_text(encoding="utf-8"))
            read[path.relative_to(folder).as_posix()] = page
        return read

    def problem(self, page: str, address: str) -> str | None:
        """Say what is wrong with a link of a page; None where it leads out of the site."""
        target = self._target(page, address)
        if target is None:
            return None
        path, anchor = target
        if not (self.settings.site / path).is_file():
            return f"`{address}` leads nowhere: there is no {path}"
        if anchor and path in self.pages and anchor not in self.pages[path].ids:
            return f"`{address}` leads nowhere: {path} has no `{anchor}`"
        return None

    def _target(self, page: str, address: str) -> tuple[str, str] | None:
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
            path = normpath(join(dirname(page), path)) if path else page
        if path.endswith("/") or (self.settings.site / path).is_dir():
            path = normpath(join(path, "index.html"))
        code = path.partition("/")[0]
        languages = {language.code for language in self.settings.languages}
        if code in languages and not (self.settings.site / code / "index.html").is_file():
            return None  # a language that is not built here
        return path, unquote(found.fragment)


def broken_links(settings: Settings) -> Iterator[Finding]:
    """Find the links of the built site that lead nowhere in it."""
    site = _Site(settings)
    for name, page in site.pages.items():
        told: set[str] = set()
        for link in page.links:
            said = site.problem(name, link.address)
            if said and said not in told:
                told.add(said)
                yield Finding(settings.site / name, link.line, "link", said)


def outside_links(settings: Settings) -> dict[str, tuple[str, int]]:
    """List the addresses of other hosts, each with one page and line that names it."""
    found: dict[str, tuple[str, int]] = {}
    for name, page in _Site(settings).pages.items():
        for link in page.links:
            parts = urlsplit(link.address)
            ours = settings.address is not None and link.address.startswith(settings.address)
            if parts.scheme in {"http", "https"} and not ours:
                address = link.address.partition("#")[0]
                found.setdefault(address, (name, link.line))
    return dict(sorted(found.items()))


def ask(address: str) -> str | None:
    """Ask another host for an address, politely; say what is wrong, or nothing."""
    request = Request(address, headers={"User-Agent": _AGENT})  # noqa: S310  # http or https
    try:
        with urlopen(request, timeout=_PATIENCE):  # noqa: S310
            return None
    except HTTPError as error:
        return f"answers {error.code} {error.reason}"
    except (URLError, OSError, ValueError) as error:
        return f"cannot be reached: {getattr(error, 'reason', error)}"
    finally:
        time.sleep(_PAUSE)
