"""The files that are published of those that Sphinx wrote: pages, and whatever these address.

Law, guarded by tests/site/test_addressed_files.py: published are the pages in `starts`, each
`objects.inv`, and what a published page or stylesheet addresses; no other file is. So nothing that
Sphinx writes for itself has to be named here, and neither has a page whose source is gone.
"""

from __future__ import annotations

from functools import cache
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import tinycss2

from polytab.site.page import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from polytab.site.page import WrittenPage

_FOR_OTHERS = frozenset({"objects.inv"})
"""What other books read in order to link to this one."""


def addressed_files(
    written: Mapping[str, Path], pages: Mapping[str, WrittenPage], starts: Iterable[str]
) -> dict[str, Path]:
    """Return those of the written files that are published: what is reached from these pages.

    All are named by their paths in the site; `starts` are the pages that are published whether they
    are addressed or not, and `pages` all that were read. What is addressed and not there is for the
    check of links, which is given the stylesheets' addresses by `sheet_links`.
    """
    starts = frozenset(starts)
    wanted = [*starts, *(name for name in written if name.partition("/")[2] in _FOR_OTHERS)]
    reached: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in reached or (name not in written and name not in starts):
            continue
        reached.add(name)
        links: Iterable[Link] = ()
        if name in pages:
            links = pages[name].links
        elif name.endswith(".css") and name in written:
            links = sheet_links(written[name].read_bytes())
        wanted += [target_of(name, link.address) for link in links]
    return {name: path for name, path in written.items() if name in reached}


def target_of(file: str, address: str) -> str:
    """Return the path in the site that a relative address in a file means; "" for any other."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return ""
    return normpath(join(dirname(file), unquote(parts.path)))


@cache
def sheet_links(sheet: bytes) -> tuple[Link, ...]:
    """Return every address in a stylesheet, with its line."""
    values, _encoding = tinycss2.parse_stylesheet_bytes(sheet)
    found = dict.fromkeys(_sheet_addresses(values))
    return tuple(Link(*each) for each in found if not each[0].startswith("#"))


def _sheet_addresses(values: Iterable[Any]) -> Iterator[tuple[str, int]]:
    """Find `url(...)` and `@import "..."` in parsed rules, at any depth."""
    for value in values:
        named: Iterable[Any] = ()
        if value.type == "url":
            named = [value]
        elif value.type == "function" and value.lower_name == "url":
            named = value.arguments
        elif value.type == "at-rule" and value.lower_at_keyword == "import":
            named = value.prelude
        for each in named:
            if each.type in {"string", "url"} and each.value:
                yield each.value, each.source_line
        for inner in ("prelude", "content", "arguments"):
            yield from _sheet_addresses(getattr(value, inner, None) or ())
