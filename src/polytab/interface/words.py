"""The interface's own words in each language, kept in `locale/<locale>/LC_MESSAGES/`.

They are apart from the book's catalogs: a book's translators never meet them.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

_LOCALE = Path(__file__).parent / "locale"


@cache
def words_of(locale: str) -> NullTranslations:
    """Read the words of a locale; a locale that has none keeps the English."""
    path = _LOCALE / locale / "LC_MESSAGES" / "polytab.po"
    if not path.is_file():
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(path.read_bytes()), abort_invalid=True))
    compiled.seek(0)
    return GNUTranslations(compiled)


def mark(text: str) -> str:
    """Mark a word for extractors, where it is named before the language is known."""
    return text


class _Spoken:
    """The language that `translate` speaks: a process builds one language at a time."""

    words = NullTranslations()


def speak(locale: str) -> None:
    """Choose the language of `translate`."""
    _Spoken.words = words_of(locale)


def translate(text: str) -> str:
    """Give a word in the chosen language; imported as `_` so that extractors find the words."""
    return _Spoken.words.gettext(text)
