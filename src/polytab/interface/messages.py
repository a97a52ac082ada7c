"""The interface's own messages in each language, kept in `locale/<locale>/LC_MESSAGES/`.

They are apart from the catalogs of a book, so that its translators do not meet them. A book may
have words of its own for a locale, in `translations/<locale>/polytab.po`: they win, and where the
engine does not speak the language they are all there is. Messages that are known when the code
runs are marked with `_`, those that are only named there with `gettext_noop`;
tests/interface/test_messages.py extracts both and guards that each is translated.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from babel.messages.pofile import PoFileError, read_po

from polytab.errors import PolytabError
from polytab.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from babel.messages.catalog import Catalog, Message

_LOCALE = Path(__file__).parent / "locale"
_DATES = re.compile(rb'^"(?:POT-Creation|PO-Revision)-Date:[^"]*"', re.MULTILINE)
"""Lines of a header that Babel reads, and refuses where an editor has left them empty."""

_MARKUP = re.compile(r"\]\(|[<>&`\[\]\\]|://")
"""What may be markup or an address: pages, notebooks and e-books hold these messages as text."""

_PERCENT = re.compile(r"%.?")
_PRINTF = "%s"
"""A place to fill as Sphinx spells it: in a message that has one, each per cent sign is such."""

_JOINERS = "\u200c\u200d"
"""What shows nothing, and which some languages and emoji need within a word."""

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
    read or a message of it is no text with the places to fill of the English.
    """
    known: NullTranslations = NullTranslations()
    if _own(locale).is_file():
        known = _compiled(_read(_own(locale)))
    if file is None or not file.is_file():
        return known
    words = _read(file)
    for each in words:
        said = _problem(each) if each.id and each.string else None
        if said:
            raise PolytabError(said, file=file, line=each.lineno, hint="mend the translation")
    own = _compiled(words)
    own.add_fallback(known)
    return own


def check_words(locale: str, file: Path) -> Iterator[Finding]:
    """Find what is wrong with the words that a book has of its own in a locale."""
    try:
        messages_of(locale, file)
    except PolytabError as error:
        yield Finding(file, error.line, "words", error.message)


def is_shown(text: str) -> bool:
    """Tell whether a text is one line of what can be seen: no control, no change of direction."""
    return all(
        each.isprintable() or each in _JOINERS or unicodedata.category(each) == "Zs"
        for each in text
    )


def _problem(message: Message) -> str | None:
    """Say what is wrong with a translation of a book's own; None where nothing is."""
    if not isinstance(message.id, str) or not isinstance(message.string, str):
        return "a message of the interface has no plural"
    english, said = message.id, message.string
    of_printf = _PRINTF in english and _PERCENT.findall(said) != _PERCENT.findall(english)
    if of_printf or _places(said) != _places(english):
        wanted = _PRINTF if of_printf else ", ".join(sorted(_places(english) or ()))
        return f"`{said}` must have the places to fill of the English: {wanted or 'none'}"
    if Counter(_MARKUP.findall(said)) - Counter(_MARKUP.findall(english)):
        return f"`{said}` must be text, without markup and addresses that the English has not"
    if not is_shown(said):
        return f"`{said}` holds what cannot be seen, or more than a line"
    return None


def _own(locale: str) -> Path:
    return _LOCALE / locale / "LC_MESSAGES" / "polytab.po"


def _read(file: Path) -> Catalog:
    try:
        text = _DATES.sub(b'""', file.read_bytes())
        return read_po(BytesIO(text), abort_invalid=True)
    except (PoFileError, OSError, ValueError, LookupError) as error:
        line = error.lineno + 1 if isinstance(error, PoFileError) else None
        msg = f"this catalog cannot be read: {error}"
        raise PolytabError(msg, file=file, line=line, hint="mend it in a catalog editor") from None


def _compiled(catalog: Catalog) -> _Messages:
    return _Messages(
        {
            each.id: each.string
            for each in catalog
            if each.id and each.string and not (each.fuzzy or each.context)
            if isinstance(each.id, str) and isinstance(each.string, str)
        }
    )


def _places(text: str) -> frozenset[str] | None:
    """Return what is filled into a message, as it is spelled; None where braces do not match."""
    try:
        fields = [each for each in Formatter().parse(text) if each[1] is not None]
    except ValueError:
        return None
    return frozenset(
        f"{{{name}{'!' if kind else ''}{kind or ''}{':' if form else ''}{form}}}"
        for _, name, form, kind in fields
    )


class _Messages(NullTranslations):
    """Messages by their English; nothing in their catalog's header is a program, as a plural is."""

    def __init__(self, known: Mapping[str, str]) -> None:
        super().__init__()
        self._known = known

    def gettext(self, message: str) -> str:
        """Return a message in this language, or as what is asked next has it."""
        found = self._known.get(message)
        return super().gettext(message) if found is None else found


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
