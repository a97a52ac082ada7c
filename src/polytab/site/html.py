"""HTML -> a tree of `xml.etree`, made by the parser of the standard library.

Elements whose end tag is left out stay open until their parent ends. Lines are kept for findings.

Laws, guarded by tests/site/test_html.py: any bytes are read or refused by a `PolytabError`; a tree
that is written as HTML is read back as it was; an element's line is that of its tag.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.errors import PolytabError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input"),
        *("link", "meta", "param", "source", "track", "wbr"),
    }
)
"""The elements that have no content and no end tag."""

_DRAWN = frozenset({"svg", "math"})
"""In these, and nowhere else in HTML, `/>` ends an element."""


class Element(ET.Element):
    """An element that knows in which line of its page its tag stands."""

    line = 0


class _TreeBuilder(HTMLParser):
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


def parse(path: str, content: bytes) -> Element:
    """Parse a page, which is named in errors by its path; what is no UTF-8 in it reads as U+FFFD.

    Raises PolytabError, with the line, where it holds a declaration that no HTML has.
    """
    builder = _TreeBuilder()
    try:
        builder.feed(content.decode("utf-8", errors="replace"))
        builder.close()
    except AssertionError as error:  # how the parser complains of `<![`
        line = builder.getpos()[0]
        raise PolytabError(f"this is no HTML: {error}", file=Path(path), line=line) from None
    return builder.top
