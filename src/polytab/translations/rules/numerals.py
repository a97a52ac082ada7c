"""Numbers in prose, each read in its own locale: 0.5 is 0,5 in Brazil, 20,000 is 2万 in China.

Which signs separate decimals and thousands is Babel's knowledge. The words are ours: the words of
scale that stand behind digits and, with those of `tens`, the numbers that prose spells out. A
language without them here keeps the digits of the English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from babel import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol

from polytab.translations.rules.structure import OPAQUE
from polytab.translations.rules.tens import words_for_tens

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(
    rf"(?P<sign>(?<![0-9A-Za-z\u00c0-\u024f)\]{OPAQUE}])[-\N{{MINUS SIGN}}])?"
    r"(?P<digits>[0-9]+(?:[.,\u00a0\u202f][0-9]+)*)"
)
_NAMED = re.compile(rf"(?:[A-Za-z]-?|\b[A-Z][\w.+]*[ \u00a0-]|{OPAQUE} |[Vv]ersions? |[<>=~] ?)$")
_NAME_LENGTH = 40
_CHAINED = re.compile(r"(?:,? ?(?:and |or |to )|, |/|-|\N{EN DASH})")

_SCALES = {
    "en": {"thousand": 3, "million": 6, "billion": 9, "trillion": 12},
    "pt": {"mil": 3, "milhão": 6, "milhões": 6, "bilhão": 9, "bilhões": 9, "trilhões": 12},
    "zh": {"万": 4, "十万": 5, "百万": 6, "千万": 7, "亿": 8, "十亿": 9, "百亿": 10, "万亿": 12},
    "ja": {"千": 3, "万": 4, "十万": 5, "百万": 6, "千万": 7, "億": 8, "兆": 12},
}

_UNSPACED = {"zh", "ja"}
"""Languages that put no space between words."""

_WORDS = {
    "en": {
        0: "zero|none|no",
        1: "one|once|first|single|january",
        2: "two|twice|second|both|double|pairs?|half|squared?|february",
        3: "three|thrice|third|triple|cubed?|march",
        4: "four|fourth|quarter|april",
        5: "five|fifth|may",
        6: "six|sixth|june",
        7: "seven|seventh|july",
        8: "eight|eighth|august",
        9: "nine|ninth|september",
        10: "ten|tenth|october",
        11: "eleven|eleventh|november",
        12: "twelve|twelfth|dozens?|december",
        100: "hundreds?",
        1000: "thousands?",
        10_000: "ten thousand",
        100_000: "hundred thousand",
        1_000_000: "millions?",
    },
    "pt": {
        0: "zero|nenhuma?",
        1: "uma?|únic[ao]s?|primeir[ao]s?|janeiro",
        2: "dois|duas|segund[ao]s?|ambos|ambas|dobro|dupl[ao]s?|par(?:es)?|metade|fevereiro",
        3: "três|terceir[ao]s?|tripl[ao]s?|março",
        4: "quatro|quart[ao]s?|abril",
        5: "cinco|quint[ao]s?|maio",
        6: "seis|sext[ao]s?|junho",
        7: "sete|sétim[ao]s?|julho",
        8: "oito|oitav[ao]s?|agosto",
        9: "nove|non[ao]s?|setembro",
        10: "dez|décim[ao]s?|outubro",
        11: "onze|novembro",
        12: "doze|dúzias?|dezembro",
        100: "cem|centenas?",
        1000: "mil|milhares",
        1_000_000: "milhão|milhões",
    },
    "zh": {
        0: "[零〇无没]",
        1: "[一单首]",
        2: "[二两双]|半",
        3: "三",
        4: "四",
        5: "五",
        6: "六",
        7: "七",
        8: "八",
        9: "九",
        10: "十",
        11: "十一",
        12: "十二",
        100: "百",
        1000: "千",
        10_000: "一万",
        1_000_000: "百万",
    },
    "ja": {
        0: "[零〇無]|ゼロ",
        1: "[一単初]|ひとつ",
        2: "[二両双]|半|ふたつ",
        3: "三",
        4: "四",
        5: "五",
        6: "六",
        7: "七",
        8: "八",
        9: "九",
        10: "十",
        11: "十一",
        12: "十二",
        100: "百",
        1000: "千",
        10_000: "一万",
        100_000: "十万",
        1_000_000: "百万",
    },
}


@dataclass(frozen=True)
class Numeral:
    """A number as it is written, and its value; a text such as 3.11.7 is its own value."""

    text: str
    value: Decimal | str
    version: bool = False


def numerals(prose: str, locale: str) -> Iterator[Numeral]:
    """Read the numbers of a text; `version` says that the number may be a name's, not a count."""
    end, version = 0, False
    for match in _RUN.finditer(prose):
        before = prose[max(0, match.start() - _NAME_LENGTH) : match.start()]
        chained = version and _CHAINED.fullmatch(prose, end, match.start()) is not None
        version = chained or _NAMED.search(before) is not None
        end = match.end()
        value = reading(match["digits"], locale)
        if isinstance(value, str):
            yield Numeral(match[0], value, version=True)
            continue
        scale = _scale(locale).match(prose, end)
        value = value.scaleb(_SCALES[language(locale)][scale[1].lower()] if scale else 0)
        yield Numeral(match[0], -value if match["sign"] else value, version)


def reading(digits: str, locale: str) -> Decimal | str:
    """Return the value of digits with separators, or the text where the locale reads no number."""
    number = _number(locale).fullmatch(digits)
    if number is None:
        return digits
    whole = re.sub(r"[^0-9]", "", number["whole"])
    return Decimal(f"{whole}.{number['part'] or 0}")


def spelled(value: Decimal | str, prose: str, locale: str) -> bool:
    """Tell whether a text has this number in words."""
    words = _words(locale)
    return value in words and words[value].search(prose) is not None


def language(locale: str) -> str:
    """Return the language of a locale: `pt` of `pt_BR`."""
    return locale.partition("_")[0]


@cache
def _number(locale: str) -> re.Pattern[str]:
    group = f"[{re.escape(get_group_symbol(Locale.parse(locale)))}\u00a0\u202f]"
    decimal = re.escape(get_decimal_symbol(Locale.parse(locale)))
    return re.compile(
        rf"(?P<whole>[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+)(?:{decimal}(?P<part>[0-9]+))?"
    )


@cache
def _scale(locale: str) -> re.Pattern[str]:
    words = sorted(_SCALES.get(language(locale), ()), key=len, reverse=True)
    edge = "" if language(locale) in _UNSPACED else r"\b"
    return re.compile(rf"[ \u00a0]?({'|'.join(words) or '(?!)'}){edge}", re.IGNORECASE)


@cache
def _words(locale: str) -> dict[Decimal | str, re.Pattern[str]]:
    edge = "" if language(locale) in _UNSPACED else r"\b"
    spoken = {**dict(words_for_tens(language(locale))), **_WORDS.get(language(locale), {})}
    return {
        Decimal(value): re.compile(f"{edge}(?:{words}){edge}", re.IGNORECASE)
        for value, words in spoken.items()
    }
