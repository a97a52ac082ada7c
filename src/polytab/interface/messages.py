"""The interface's own messages in each language, kept in `locale/<locale>/LC_MESSAGES/`.

They are apart from the catalogs of a book, so that its translators do not meet them. A book may
have words of its own for a locale, in `translations/<locale>/polytab.po`: they win, and where the
engine does not speak the language they are all there is. Messages that are known when the code
runs are marked with `_`, those that are only named there with `gettext_noop`;
tests/interface/test_messages.py extracts both and guards that each is translated.
"""

from __future__ import annotations

import re
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from polytab.errors import PolytabError

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

_LOCALE = Path(__file__).parent / "locale"
_DATES = re.compile(rb'^"(?:POT-Creation|PO-Revision)-Date:[^"]*"', re.MULTILINE)
"""Lines of a header that Babel reads, and refuses where an editor has left them empty."""

_COMPLETE = "pt_BR"
"""A locale that has every message, as each locale of ours must."""


def interface_words() -> tuple[str, ...]:
    """Return every message of the interface, in English."""
    return tuple(str(each.id) for each in _read(_own(_COMPLETE)) if each.id)


def spoken_locales() -> tuple[str, ...]:
    """Return the locales that the engine has its messages in, beside English."""
    return tuple(sorted(folder.name for folder in _LOCALE.iterdir()))


def is_spoken(locale: str) -> bool:
    """Tell whether the engine has its messages in a locale; English is where they come from."""
    return locale.split("_", maxsplit=1)[0] == "en" or _own(locale).is_file()


@cache
def messages_of(locale: str, file: Path | None = None) -> NullTranslations:
    """Return the messages of a locale: those of the book, then ours, then the English.

    `file` is where the book has its own. Raises PolytabError, with the line, where that cannot be
    read or a message of it has other places to fill than the English.
    """
    known: NullTranslations = NullTranslations()
    if _own(locale).is_file():
        known = _compiled(_read(_own(locale)))
    if file is None or not file.is_file():
        return known
    words = _read(file)
    for each in words:
        if each.string and each.id and _places(str(each.string)) != _places(str(each.id)):
            wanted = ", ".join(f"{{{name}}}" for name in sorted(_places(str(each.id)) or ()))
            msg = f"`{each.string}` must have the places to fill of the English: {wanted or 'none'}"
            raise PolytabError(msg, file=file, line=each.lineno, hint="mend the translation")
    own = _compiled(words)
    own.add_fallback(known)
    return own


def _own(locale: str) -> Path:
    return _LOCALE / locale / "LC_MESSAGES" / "polytab.po"


def _read(file: Path) -> Catalog:
    try:
        text = _DATES.sub(b'""', file.read_bytes())
        return read_po(BytesIO(text), abort_invalid=True)
    except (PoFileError, UnicodeError, ValueError) as error:
        line = error.lineno + 1 if isinstance(error, PoFileError) else None
        msg = f"this catalog cannot be read: {error}"
        raise PolytabError(msg, file=file, line=line, hint="mend it in a catalog editor") from None


def _compiled(catalog: Catalog) -> GNUTranslations:
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)


def _places(text: str) -> set[str] | None:
    """Return the names of what is filled into a message; None where its braces do not match."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return None


class _Current:
    """The messages that `translate` uses: a process builds one language at a time."""

    messages = NullTranslations()


def set_language(locale: str, file: Path | None = None) -> None:
    """Choose the language of `translate` in this process; see `messages_of`."""
    _Current.messages = messages_of(locale, file)


def translate(text: str) -> str:
    """Return a message in the chosen language; imported as `_`, the name extractors look for."""
    return _Current.messages.gettext(text)


def gettext_noop(text: str) -> str:
    """Return a message unchanged; it marks the message for extractors, to be translated later."""
    return text
