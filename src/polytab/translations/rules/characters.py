"""What no translation may hold, told by its characters alone, before anything parses it."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from markdown_it.common.utils import isValidEntityCode, unescapeAll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.translations.rules.pair import Pair

LONGEST = 4_000
"""Characters of a message; the longest paragraph that has been met is far below."""

_GROWTH, _SLACK = 3, 200
_LINE_END = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NOQA = re.compile(r"#\s*noqa\s*$")
_REFUSED_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_SPACES = {" ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"}
_ENTITY = re.compile(r"&#(?:[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<decimal>[0-9]{1,7}));")
"""A character by its number, as CommonMark reads one."""

_MARKS = {"Mn", "Me"}
_MOST_MARKS = 2
"""Marks that may stand on one letter beyond what Unicode has in one character."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_OTHER_SCRIPTS = ("CYRILLIC ", "ARMENIAN ", "CHEROKEE ", "COPTIC ", "LISU ")
_LATIN_LIKE_GREEK = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧνικορτυχ")
"""Letters that look Latin; others, as in `Δt` and `μs`, are units and formulas."""

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
    Bad:  Yes. -> Sim.&#0;
    Bad:  Yes. -> Si\u0338\u0337\u0336m.
    Good: at 10 % -> a 10&nbsp;%
    """
    text = pair.message.translation
    for match in _ENTITY.finditer(text):
        if not isValidEntityCode(_code_point(match)):
            yield f"`{match[0]}` is no character: remove it"
    seen = set(_LINE_END.sub("", text))  # `one_line` complains of line ends
    read = unescapeAll(text) if "&" in text else text
    seen |= set(read) - set(text)
    for char in sorted(filter(_refused, seen)):
        name = unicodedata.name(char, "a control or unassigned character")
        yield f"remove U+{ord(char):04X} ({name})"
    if not unicodedata.is_normalized("NFC", read):
        yield "write each accented letter as one character (Unicode NFC)"
    if _has_tower(read):
        yield f"more than {_MOST_MARKS} marks stand on one letter: remove them"


def one_script(pair: Pair) -> Iterator[str]:
    """Write a word in one script: a Cyrillic letter in a Latin word is read as another, or hides.

    Bad:  The memory. -> A mem\u043eria.
    Good: The memory. -> A memoria.
    """
    text = pair.message.translation
    for word in _WORD.findall(unescapeAll(text) if "&" in text else text):
        odd = sorted(each for each in set(word) if _looks_latin(each))
        if odd and any("LATIN" in unicodedata.name(each, "") for each in word):
            told = ", ".join(f"U+{ord(each):04X} ({unicodedata.name(each)})" for each in odd)
            yield f"a Latin word holds {told}: write the Latin letter"


def _code_point(match: re.Match[str]) -> int:
    return int(match["hex"], 16) if match["hex"] else int(match["decimal"])


def _has_tower(text: str) -> bool:
    run = 0
    for char in text:
        run = run + 1 if unicodedata.category(char) in _MARKS else 0
        if run > _MOST_MARKS:
            return True
    return False


def _looks_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith(_OTHER_SCRIPTS) or char in _LATIN_LIKE_GREEK


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
