"""How each language puts words in order."""

from __future__ import annotations

import unicodedata


def sort_key(text: str, locale: str) -> tuple[bytes, str]:
    """Return what a list in this language is sorted by.

    Chinese goes by pinyin, behind Latin letters: the common characters of GB 2312 stand in that
    order, each at the place of its first reading, and the rest behind them. Other languages go by
    their letters, without accents and without regard to case.
    """
    if locale.startswith("zh"):
        return text.casefold().encode("gb18030"), text
    bare = "".join(
        each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each)
    )
    return bare.casefold().encode(), text
