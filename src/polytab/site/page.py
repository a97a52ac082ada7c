"""One written page, parsed once; whoever asks something of a page asks its `WrittenPage`.

The tree is that of `xml.etree`, from the parser of the standard library: elements whose end tag is
left out stay open until their parent ends, and lines are kept for findings.

Laws, guarded by tests/site/test_page.py: any bytes are read or refused by a `PolytabError`; a tree
that is written as HTML is read back as it was; an element's line is that of its tag.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.errors import PolytabError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input"),
        *("link", "meta", "param", "source", "track", "wbr"),
    }
)
"""The elements that have no content and no end tag."""

_DRAWN = frozenset({"svg", "math"})
"""In these, and nowhere else in HTML, `/>` ends an element."""

_ADDRESSES = ("href", "src", "xlink:href", "poster", "data-runtime")
"""The attributes that hold an address; the last is what the search dialog loads when it opens."""


class Element(ET.Element):
    """An element that knows in which line of its page its tag stands."""

    line = 0


@dataclass(frozen=True)
class Link:
    """An address in a page, and the line of the page it stands in."""

    address: str
    line: int


@dataclass(frozen=True)
class WrittenPage:
    """A page as it was written, and what it holds; `path` is that in the site, with `/`."""

    path: str
    content: bytes
    root: Element

    @cached_property
    def ids(self) -> frozenset[str]:
        """Everything in it that a link can name."""
        found = {each.get("id", "") for each in self.root.iter()}
        return frozenset(found | {each.get("name", "") for each in self.root.iter("a")})

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every address in it, of pages and of what it loads, in order."""
        return tuple(
            Link(address.strip(), each.line)
            for each in elements(self.root)
            for name in _ADDRESSES
            if (address := each.get(name)) and address.strip()
        )

    @cached_property
    def said(self) -> Mapping[str, str]:
        """What its head says of it for previews: `og:title`, `og:description` and so on."""
        named = ((each.get("property"), each.get("content", "")) for each in self.root.iter("meta"))
        return {name: content for name, content in named if name}


class _Reader(HTMLParser):
    """Builds the tree of a page; `top` is around all of it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("page")
        self._open: list[Element] = [self.top]

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        # Of two attributes of a name, the first counts.
        element = Element(tag, {name: value or "" for name, value in reversed(attrs)})
        element.line = self.getpos()[0]
        self._open[-1].append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID and any(each.tag in _DRAWN for each in self._open):
            self._open.pop()
        elif tag in self.CDATA_CONTENT_ELEMENTS:
            self.set_cdata_mode(tag)  # its content is text, as after a plain start tag

    def handle_endtag(self, tag: str) -> None:
        """Close the nearest element of this name with all that is open in it, if there is one."""
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        within = self._open[-1]
        if len(within):
            within[-1].tail = (within[-1].tail or "") + data
        else:
            within.text = (within.text or "") + data


def elements(root: Element) -> Iterator[Element]:
    """Give an element and all in it, in the order of the page; each has its line."""
    return root.iter()  # type: ignore[return-value]  # the tree was built of them


def read_page(path: str, content: bytes) -> WrittenPage:
    """Parse the page that lies at this path of the site; what is not UTF-8 in it reads as U+FFFD.

    Raises PolytabError, with the line, where it holds a declaration that no HTML has.
    """
    reader = _Reader()
    try:
        reader.feed(content.decode("utf-8", errors="replace"))
        reader.close()
    except AssertionError as error:  # how the parser complains of `<![`
        line = reader.getpos()[0]
        raise PolytabError(f"this is no HTML: {error}", file=Path(path), line=line) from None
    return WrittenPage(path, content, reader.top)


def read_pages(files: Mapping[str, bytes | Path]) -> dict[str, WrittenPage]:
    """Read the pages among files of the site, which are given as bytes or as where they lie."""
    found = {name: source for name, source in files.items() if name.endswith(".html")}
    return {
        name: read_page(name, source if isinstance(source, bytes) else source.read_bytes())
        for name, source in sorted(found.items())
    }
