"""What is known of a written page. It is parsed once, and not again while it is the same.

`_build/pages.json` keeps what is known by the digest of the page, its address and the engine. It
holds what the last build read; a damaged one means that all pages are parsed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from polytab.model import digest, engine_digest
from polytab.recordings.atomic import write_atomic
from polytab.search.index import split
from polytab.site.html import elements, parse
from polytab.site.policy import complaints

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from polytab.site.html import Element

_ADDRESSES = ("href", "src", "xlink:href", "poster", "data-runtime", "data-finder")
"""The attributes that hold an address; the last are what the search dialog loads when it opens."""


@dataclass(frozen=True)
class Link:
    """An address in a page, and the line of the page it stands in."""

    address: str
    line: int


@dataclass(frozen=True)
class WrittenPage:
    """What a written page holds."""

    ids: frozenset[str]
    """Everything in it that a link can name."""

    links: tuple[Link, ...]
    """Every address in it, of pages and of what it loads, in order."""

    previews: Mapping[str, str]
    """What its head says of it for previews: `og:title`, `og:description` and so on."""

    complaints: tuple[tuple[int, str], ...]
    """What is wrong with its policy, or is stopped by it, each with its line."""

    sections: tuple[str, ...]
    """What can be found in it: each section as a document for the search index."""


def read_page(path: str, content: bytes) -> WrittenPage:
    """Parse the page at a path of the site. Raises PolytabError where it is no HTML."""
    root = parse(path, content)
    _folder, _, address = path.partition("/")
    return WrittenPage(
        _ids(root),
        _links(root),
        _previews_of(root),
        tuple(complaints(root)),
        tuple(split(address, root)),
    )


def previews(path: str, content: bytes) -> dict[str, str]:
    """Return what the head of a page says of it for previews. Raises PolytabError."""
    return _previews_of(parse(path, content))


def read_pages(files: Mapping[str, bytes | Path], kept: Path) -> dict[str, WrittenPage]:
    """Read the pages among files of the site, which are given as bytes or as where they lie.

    What is known of the pages is kept in the file `kept`. Raises PolytabError where one is no HTML.
    """
    before, now = _load_kept(kept), {}
    pages: dict[str, WrittenPage] = {}
    for name in sorted(each for each in files if each.endswith(".html")):
        source = files[name]
        content = source if isinstance(source, bytes) else source.read_bytes()
        key = digest(f"{engine_digest()} {name} {digest(content)}")
        page = before.get(key) or read_page(name, content)
        now[key] = pages[name] = page
    write_atomic(kept, _dump(now))
    return pages


def _ids(root: Element) -> frozenset[str]:
    found = {each.get("id", "") for each in root.iter()}
    return frozenset(found | {each.get("name", "") for each in root.iter("a")})


def _links(root: Element) -> tuple[Link, ...]:
    return tuple(
        Link(address.strip(), each.line)
        for each in elements(root)
        for name in _ADDRESSES
        if (address := each.get(name)) and address.strip()
    )


def _previews_of(root: Element) -> dict[str, str]:
    named = ((each.get("property"), each.get("content", "")) for each in root.iter("meta"))
    return {name: content for name, content in named if name}


def _dump(pages: Mapping[str, WrittenPage]) -> bytes:
    known = {key: {**asdict(page), "ids": sorted(page.ids)} for key, page in pages.items()}
    return json.dumps(known, ensure_ascii=False).encode()


def _load_kept(kept: Path) -> dict[str, WrittenPage]:
    """Return what is known of pages, by their keys; {} where the file is damaged."""
    try:
        known: dict[str, dict[str, Any]] = json.loads(kept.read_bytes())
        return {key: _page_of(**page) for key, page in known.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _page_of(
    ids: list[str],
    links: list[dict[str, Any]],
    previews: dict[str, str],
    complaints: list[tuple[int, str]],
    sections: list[str],
) -> WrittenPage:
    return WrittenPage(
        frozenset(ids),
        tuple(Link(**link) for link in links),
        previews,
        tuple((line, said) for line, said in complaints),
        tuple(sections),
    )
