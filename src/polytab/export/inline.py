"""What stands inside a sentence -> Markdown that every notebook shows alike.

Law, guarded by tests/export/test_inline.py: what Markdown makes of it is the text that was there.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Link = Callable[[nodes.reference], str | None]

_MARKS = {nodes.emphasis: ("*", "em"), nodes.strong: ("**", "strong")}
_SPECIAL = re.compile(r"[\\`*$]|~(?=~)|\](?=[(\[:])|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_AT_START = re.compile(
    r"^[ \t]*(?:(>|~{3}|[-+](?=\s|$)|#{1,6}(?=\s|$)|[-=](?=[-=]*[ \t]*$))|(\d+)([.)](?=\s|$)))?",
    re.MULTILINE,
)


@dataclass(frozen=True)
class _Piece:
    """A part of a sentence; `mark` is what stands around it where it is emphasised."""

    text: str
    mark: str = ""
    tag: str = ""


def escape(text: str) -> str:
    """Backslash-escape whatever Markdown would read as markup."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)


def escape_starts(text: str) -> str:
    """Backslash-escape whatever would begin a list, a heading or a quotation in a paragraph.

    Blanks at the start of its lines are removed.
    """

    def mend(found: re.Match[str]) -> str:
        if found[2]:
            return f"{found[2]}\\{found[3]}"
        return f"\\{found[1]}" if found[1] else ""

    return _AT_START.sub(mend, text)


def code(text: str) -> str:
    """Write code inside a sentence; the fence is longer than any inside."""
    inside = text.replace("\n", " ")
    fence = "`" * (max(map(len, re.findall("`+", inside)), default=0) + 1)
    pad = " " if inside.startswith("`") or inside.endswith("`") else ""
    return f"{fence}{pad}{inside}{pad}{fence}"


def inline(children: Sequence[nodes.Node], link: Link) -> str:
    """Write the content of a paragraph."""
    pieces = [piece for node in children if (piece := _piece(node, link)).text]
    written = ""
    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else _Piece("")
        before = _Piece("", pieces[at - 1].mark) if at else _Piece("")
        if not piece.mark:
            written += piece.text
        elif before.mark or after.mark or not _opens(piece, written[-1:], after.text[:1]):
            written += f"<{piece.tag}>{piece.text}</{piece.tag}>"
        else:
            written += f"{piece.mark}{piece.text}{piece.mark}"
    return written


def _piece(node: nodes.Node, link: Link) -> _Piece:
    leaf = _leaf(node)
    if leaf is not None or not isinstance(node, nodes.Element):
        return _Piece(leaf or "")
    text = inline(node.children, link)
    if isinstance(node, nodes.reference) and (address := link(node)):
        return _Piece(f"[{text}]({address})")
    if isinstance(node, nodes.footnote_reference):
        return _Piece(rf"\[{text}\]")
    return _Piece(text, *next((how for kind, how in _MARKS.items() if isinstance(node, kind)), ()))


def _leaf(node: nodes.Node) -> str | None:
    """Write what holds nothing but text, or is not seen."""
    if isinstance(node, nodes.Text):
        return escape(str(node))
    if isinstance(node, (nodes.literal, nodes.title_reference)):
        return code(str(node.astext()))
    if isinstance(node, nodes.math):
        return f"${node.astext().strip()}$"
    return "" if isinstance(node, (nodes.Invisible, nodes.raw, nodes.image)) else None


def _opens(piece: _Piece, before: str, after: str) -> bool:
    """Tell whether Markdown sees marks here: between letters, signs inside them hide a mark.

    Chinese sets no spaces around emphasis, so that a full stop inside often does.
    """
    first, last = piece.text[0], piece.text[-1]
    if first.isspace() or last.isspace():
        return False
    return (not _sign(first) or _apart(before)) and (not _sign(last) or _apart(after))


def _sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _apart(character: str) -> bool:
    return not character or character.isspace() or _sign(character)
