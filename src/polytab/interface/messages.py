"""The interface's own messages in each language, kept in `locale/<locale>/LC_MESSAGES/`.

They are apart from the catalogs of a book, so that its translators do not meet them. Messages that
are known when the code runs are marked with `_`, those that are only named there with
`gettext_noop`; tests/interface/test_messages.py extracts both and guards that each is translated.
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
def messages_of(locale: str) -> NullTranslations:
    """Return the messages of a locale; one without a catalog keeps the English."""
    path = _LOCALE / locale / "LC_MESSAGES" / "polytab.po"
    if not path.is_file():
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(path.read_bytes()), abort_invalid=True))
    compiled.seek(0)
    return GNUTranslations(compiled)


class _Current:
    """The messages that `translate` uses: a process builds one language at a time."""

    messages = NullTranslations()


def set_language(locale: str) -> None:
    """Choose the language of `translate` in this process."""
    _Current.messages = messages_of(locale)


def translate(text: str) -> str:
    """Return a message in the chosen language; imported as `_`, the name extractors look for."""
    return _Current.messages.gettext(text)


def gettext_noop(text: str) -> str:
    """Return a message unchanged; it marks the message for extractors, to be translated later."""
    return text
