"""What no translation may hold, told by its characters alone, before anything parses it."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from markdown_it.common.utils import unescapeAll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.translations.rules.pair import Pair

LONGEST = 4_000
"""Characters of a message; the handbook's longest paragraph is far below."""

_GROWTH, _SLACK = 3, 200
_LINE_END = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NOQA = re.compile(r"#\s*noqa\s*$")
_REFUSED_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_SPACES = {" ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"}
_INVISIBLE_OR_DAMAGED = {
    "\N{COMBINING GRAPHEME JOINER}",
    "\N{HANGUL CHOSEONG FILLER}",
    "\N{HANGUL JUNGSEONG FILLER}",
    "\N{HANGUL FILLER}",
    "\N{HALFWIDTH HANGUL FILLER}",
    "\N{BRAILLE PATTERN BLANK}",
    "\N{OBJECT REPLACEMENT CHARACTER}",
    "\N{REPLACEMENT CHARACTER}",
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}


def size(pair: Pair) -> Iterator[str]:
    """Keep a translation as long as its English asks for; nothing huge is parsed at all.

    Bad:  Yes. -> 300*Sim
    Good: Yes. -> Sim.
    """
    english, translation = len(pair.message.english), len(pair.message.translation)
    if english > LONGEST:
        yield f"the English has {english} characters, {LONGEST} at most: split the paragraph"
    most = min(LONGEST, _GROWTH * english + _SLACK)
    if translation > most:
        yield f"{translation} characters where the English has {english}: shorten it below {most}"


def one_line(pair: Pair) -> Iterator[str]:
    """Write a message in one line, as its English is; a second line could begin a directive.

    Bad:  Yes. -> Sim.↵↵```{eval-rst}↵```
    Good: Yes. -> Sim.
    """
    if _LINE_END.search(pair.message.translation):
        yield "several lines: join them into one"


def outer_space(pair: Pair) -> Iterator[str]:
    """Begin and end without a space; four of them in front make a block of code.

    Bad:  Yes. -> ····Sim.
    Good: Yes. -> Sim.
    """
    if pair.message.translation != pair.message.translation.strip():
        yield "a space at the beginning or the end: remove it"


def characters(pair: Pair) -> Iterator[str]:
    """Write characters that a reader sees, also where they are written as `&#x…;`.

    Bad:  Yes. -> Sim.&#x202E;
    Bad:  Yes. -> Si&zwnj;m.
    Good: at 10 % -> a 10&nbsp;%
    """
    text = pair.message.translation
    seen = set(_LINE_END.sub("", text))  # `one_line` complains of line ends
    read = unescapeAll(text) if "&" in text else text
    seen |= set(read) - set(text)
    for char in sorted(filter(_refused, seen)):
        name = unicodedata.name(char, "a control or unassigned character")
        yield f"remove U+{ord(char):04X} ({name})"
    if not unicodedata.is_normalized("NFC", read):
        yield "write each accented letter as one character (Unicode NFC)"


def _refused(char: str) -> bool:
    category = unicodedata.category(char)
    return (
        category in _REFUSED_CATEGORIES
        or char in _INVISIBLE_OR_DAMAGED
        or (category == "Zs" and char not in _SPACES)
    )


def noqa(pair: Pair) -> Iterator[str]:
    """Leave `# noqa` out; Sphinx reads it as an order to check nothing.

    Bad:  Yes. -> Sim. # noqa
    Good: Yes. -> Sim.
    """
    if _NOQA.search(pair.message.translation):
        yield "`# noqa` switches Sphinx's own checks off: remove it"


def literal_marker(pair: Pair) -> Iterator[str]:
    """End with one colon; Sphinx adds text of its own behind two.

    Bad:  For example: -> Por exemplo::
    Good: For example: -> Por exemplo:
    """
    if pair.message.translation.strip().endswith("::"):
        yield "`::` at the end has a meaning to Sphinx: write one colon"


def front_matter(pair: Pair) -> Iterator[str]:
    """Begin with no `---`: MyST reads settings behind it, even where its tokenizer sees text.

    Bad:  Yes. -> --- Sim.
    Good: Yes. -> — Sim.
    """
    if pair.message.translation.startswith("---"):
        yield "`---` at the beginning opens settings of the page: remove it"


def html_signs(pair: Pair) -> Iterator[str]:
    """Add no sign that HTML is written with: a template may not escape it.

    Bad:  Next page -> <b>Próxima</b> página
    Good: Next page -> Próxima página
    """
    for sign in '<>&"':
        if pair.message.translation.count(sign) > pair.message.english.count(sign):
            yield f"`{sign}` is not in the English: remove it"
