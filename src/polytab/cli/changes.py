"""A set of changed paths -> the kind of change, which says who may run what.

A translation or a text is built from committed recordings: nothing of it is executed. All else is
code, and so is whatever this module does not know: a new kind of file is never trusted by default.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from polytab.git import PLAIN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polytab.git import Change
    from polytab.settings import Settings

_GONE = "000000"

_PAPERS = "CHANGELOG|CONTRIBUTING|README"
"""What is text at the root."""

_ORDERS = re.compile(r"[A-Z_-]+|(?i:agents?|claude|copilot-instructions|gemini|skills?)")
"""Names of files, without `.md`, that programs take orders from, wherever they lie."""


class Kind(StrEnum):
    """What a change may do, least first."""

    TRANSLATION = "translation"
    TEXT = "text"
    CODE = "code"


def kind_of(settings: Settings, changes: Iterable[Change]) -> Kind:
    """Return the kind of the most powerful change."""
    kinds = [kind_of_one(settings, change) for change in changes]
    order = list(Kind)
    return max(kinds, key=order.index, default=Kind.TRANSLATION)


def kind_of_one(settings: Settings, change: Change) -> Kind:
    """Return the kind of one change; a link or an executable file is code wherever it lies."""
    if change.mode not in {PLAIN_FILE, _GONE}:
        return Kind.CODE
    translations, docs = (
        path.relative_to(settings.root).as_posix()
        for path in (settings.translations, settings.docs)
    )
    locales = "|".join(re.escape(language.locale) for language in settings.languages)
    catalog = rf"{re.escape(translations)}/(?:{locales})/LC_MESSAGES/(?:snippets/)?[\w-]+\.po"
    if re.fullmatch(catalog, change.path):
        # These two are read by Sphinx and by us as the interface's own words.
        reserved = change.path.endswith(("/sphinx.po", "/polytab.po"))
        return Kind.CODE if reserved else Kind.TRANSLATION
    text = rf"(?:{re.escape(docs)}/(?:[\w-]+/)*[\w-]+\.(?:md|svg)|(?:{_PAPERS})\.md)"
    name = PurePosixPath(change.path)
    if name.suffix == ".md" and len(name.parts) > 1 and _ORDERS.fullmatch(name.stem):
        return Kind.CODE
    return Kind.TEXT if re.fullmatch(text, change.path) else Kind.CODE
