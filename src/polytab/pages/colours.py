"""The colours of code: kinds of words that look alike, in light and in dark, are one kind.

Pygments marks some eighty kinds of words, its styles know a handful of colours. A page names the
colour alone, and leaves unmarked what looks like the text around it: a tenth of a long page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Generic, Name, Number, Operator, Punctuation, Text, Token

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from pygments.token import _TokenType
    from sphinx.application import Sphinx

_PLAIN = frozenset({Token, Text, Text.Whitespace, Name, Operator, Punctuation})
"""What most of a program is made of has the colour of text, and so have numbers: digits tell."""


def colours(styles: Sequence[str]) -> dict[_TokenType, _TokenType]:
    """Say for each kind of word which kind stands for its look; for plain ones, text does.

    Generic kinds stay what they are: a script looks for prompts, and output is told by its class.
    """
    known = [get_style_by_name(name) for name in styles]

    def look(kind: _TokenType) -> tuple[object, ...]:
        return tuple(tuple(style.style_for_token(kind).items()) for style in known)

    kinds = [kind for kind in STANDARD_TYPES if kind not in Generic]
    stands: dict[tuple[object, ...], _TokenType] = {look(Text): Text}
    for kind in sorted(kinds, key=lambda kind: len(STANDARD_TYPES[kind])):
        if not _is_plain(kind):
            stands.setdefault(look(kind), kind)
    return {kind: Text if _is_plain(kind) else stands[look(kind)] for kind in kinds}


def _is_plain(kind: _TokenType) -> bool:
    return kind in _PLAIN or kind in Number


def _paint(app: Sphinx) -> None:
    """Have code written with one kind of word for each colour."""
    if app.builder.format != "html":
        return
    names = (app.config.pygments_style, app.config.pygments_dark_style)
    stands = colours([name for name in names if name])

    class Formatter(HtmlFormatter):  # type: ignore[misc]  # untyped
        def format(self, tokensource: Iterator[tuple[_TokenType, str]], outfile: TextIO) -> None:
            painted = ((stands.get(kind, kind), text) for kind, text in tokensource)
            super().format(painted, outfile)

    app.builder.highlighter.formatter = Formatter  # type: ignore[attr-defined]  # of HTML builders


def setup_colours(app: Sphinx) -> None:
    """Write code with fewer words for its colours."""
    app.connect("builder-inited", _paint)
