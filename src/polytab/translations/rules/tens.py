"""The numbers from 13 to 99 in words, as far as a language makes them of tens and units."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CHINESE = "零一二三四五六七八九"
_UNITS = {
    "en": "zero one two three four five six seven eight nine",
    "pt": "zero (?:um|uma) (?:dois|duas) três quatro cinco seis sete oito nove",
}
_TEENS = {
    "en": "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "pt": "treze (?:quatorze|catorze) quinze dezesseis dezessete dezoito dezenove",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
}
_JOINED = {"en": "{ten}[- ]{unit}", "pt": "{ten} e {unit}"}


def words_for_tens(language: str) -> Iterator[tuple[int, str]]:
    """Give each number with a regular expression of its words; none of an unknown language."""
    if language not in _SPELLED:
        return
    for number in range(13, 100):
        yield number, _SPELLED[language](language, number)


def _in_letters(language: str, number: int) -> str:
    ten, unit = divmod(number, 10)
    if ten == 1:
        return _TEENS[language].split()[unit - 3]
    word = _TENS[language].split()[ten - 2]
    if not unit:
        return word
    return _JOINED[language].format(ten=word, unit=_UNITS[language].split()[unit])


def _in_characters(_language: str, number: int) -> str:
    ten, unit = divmod(number, 10)
    return f"{_CHINESE[ten] if ten > 1 else ''}十{_CHINESE[unit] if unit else ''}"


_SPELLED: dict[str, Callable[[str, int], str]] = {
    "en": _in_letters,
    "pt": _in_letters,
    "zh": _in_characters,
    "ja": _in_characters,
}
