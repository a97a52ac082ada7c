"""How Chinese and Japanese are set.

House style: no space between a Chinese character and a letter, a digit or inline code: the
style sheet draws the gap (`text-autospace`), so a page has one rule and a search finds one form.
To change that, change CROWDED. A space stays where emphasis would not be seen without it.
"""

# ruff: noqa: RUF002  # these rules are about the signs that ruff finds ambiguous

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from polytab.translations.rules.numerals import language
from polytab.translations.rules.pair import quoted
from polytab.translations.rules.structure import EDGE, OPAQUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.translations.rules.pair import Pair

LANGUAGES = ("ja", "zh")
"""The languages that are set so."""

_CHARACTER = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARK = "\u3001-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_LATIN = f"0-9A-Za-z\u00c0-\u024f{OPAQUE}"
_SPACE = "[ \u00a0\u202f]"

CROWDED = re.compile(
    f"[{_CHARACTER}{_MARK}]{_SPACE}+(?=[{_CHARACTER}{_MARK}{_LATIN}])"
    f"|[{_LATIN}]{_SPACE}+(?=[{_CHARACTER}{_MARK}])"
)
"""A space that the house style leaves out."""

_HALF_WIDTH = re.compile(
    f'(?<=[{_CHARACTER}])[,.;:?!()"]|[,.;:?!()"](?={_SPACE}?[{_CHARACTER}])|[,.;:?!]$'
)
_FULL_WIDTH = dict(zip(',.;:?!()"', [*"，。；：？！（）", "“ or ”"], strict=True))
_FULL_WIDTH_LETTER = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_ANY_CHARACTER = re.compile(f"[{_CHARACTER}]")


def cjk_space(pair: Pair) -> Iterator[str]:
    """Type no space beside a Chinese character or mark.

    Bad:  Use PyTorch here. -> 在这里使用 PyTorch。
    Bad:  Call `net` twice. -> 调用 `net`两次。
    Good: Use PyTorch here. -> 在这里使用PyTorch。
    Good: The name **`net`** is free. -> 名称 **`net`** 可以随意取。
    """
    if _applies(pair):
        for match in CROWDED.finditer(pair.translated.prose):
            yield f"remove the space in {_around(pair.translated.prose, match)}"


def punctuation(pair: Pair) -> Iterator[str]:
    """Write full-width marks in a Chinese sentence.

    Bad:  First, compile. -> 首先,编译.
    Bad:  A graph (computational) -> 图(计算图)
    Good: First, compile. -> 首先，编译。
    """
    prose = pair.translated.prose
    if _applies(pair) and _ANY_CHARACTER.search(prose):
        for match in _HALF_WIDTH.finditer(prose):
            full = _FULL_WIDTH[match[0]]
            yield f"write `{full}` for `{match[0]}` in {_around(prose, match)}"


def full_width_letters(pair: Pair) -> Iterator[str]:
    """Write Latin letters and digits in half width, where a search finds them.

    Bad:  Use 2 GPUs. -> 使用2个ＧＰＵ。
    Good: Use 2 GPUs. -> 使用2个GPU。
    """
    if _applies(pair):
        for match in _FULL_WIDTH_LETTER.finditer(pair.translated.prose):
            yield f"write the ordinary letter or digit for `{match[0]}`"


def _applies(pair: Pair) -> bool:
    return language(pair.message.locale) in LANGUAGES


def _around(prose: str, match: re.Match[str]) -> str:
    shown = prose[max(0, match.start() - 4) : match.end() + 4]
    return quoted(shown.replace(OPAQUE, "…").replace(EDGE, "").strip())
