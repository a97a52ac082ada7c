"""Chinese and Japanese as the search reads them: each character together with the next.

Such text has no spaces, and two dictionaries rarely cut it alike: Pagefind's, which cuts what is
indexed, and the browser's, which cuts what is asked, differ on one word in seven.
Pairs need no dictionary: 第一次 is 第一, 一次 and 次, whoever cuts it. A pair is spelt in letters
that no dictionary takes apart; `static/finding.js` spells what is asked in the same way, and reads
a word of the index back as its first character.
"""

from __future__ import annotations

import re

# Kana, and all Chinese characters that Unicode has; as in finding.js.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_RUN = re.compile(f"[{_UNSPACED}]+")
_SPELT = "ა"  # no word of a page begins with this letter, and it is a letter to every dictionary
_LAST = "z"  # in the place of a next character, so that no word is the beginning of another


def spell_pairs(text: str) -> str:
    """Write each unspaced character of a text as a word: itself and the next; leave the rest."""
    return _RUN.sub(_spell, text)


def _spell(run: re.Match[str]) -> str:
    codes = [f"{ord(each):05x}" for each in run[0]]
    pairs = zip(codes, [*codes[1:], _LAST], strict=True)
    return f" {' '.join(f'{_SPELT}{first}{second}' for first, second in pairs)} "


def is_spelt(word: str) -> bool:
    """Tell whether a word is a pair."""
    return word.startswith(_SPELT)
