"""A catalog follows its page: which of the old translations belong to the messages of today.

A translation belongs to the English it was made from, and a message of that very English gets it.
Any other message may get an old translation by place, marked: where exactly one message
disappeared between two neighbours that stayed, and exactly one appeared between the same two.
How alike two texts are is never asked: "faster" is much like "slower".

The lines of messages are brought up to date where a message has come, gone or changed. A catalog
whose messages only moved is left alone: it would change with every edit.

Laws, guarded by tests/translations/test_pairing.py: no English loses its translation; only place
makes a message fuzzy; following twice changes nothing; a page that goes back to what it was gets
back its catalog.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from babel.messages.plurals import get_plural

from polytab.translations.catalogs import Catalog, Entry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from polytab.translations.catalogs import Template

_LINE = re.compile(r":\d+$")
_EXTRACTED = "POT-Creation-Date"
"""Dropped from headers: it would change with every extraction and says what git says better."""


def update_catalog(old: Catalog | None, template: Template, locale: str, title: str) -> Catalog:
    """Return the catalog of a page as it is now, with every translation that still belongs to it.

    `old` is None for a page without a catalog; `title` is for the header of a new one.
    """
    old = old or Catalog(())
    known = _known(old)
    kept = {entry.source: entry for entry in old.entries}
    replaced = _replaced(kept, [message.source for message in template.entries])
    entries: list[Entry] = []
    for message in template.entries:
        entry = kept.get(message.source)
        exact = known.get(message.source)
        if exact is not None:
            entry = replace(exact, comments=exact.comments if entry is None else entry.comments)
        elif entry is None:
            entry = _by_place(kept.get(replaced.get(message.source, "")), message.source)
        entries.append(replace(entry, locations=message.locations))
    used = {entry.english for entry in entries if entry.translation}
    left = {
        entry.english: known[entry.english]
        for entry in (*old.obsolete, *old.entries)
        if entry.translation and entry.english not in used
    }
    if without_lines(entries) == without_lines(old.entries):  # text moved, no message changed
        entries = list(old.entries)
    return Catalog(tuple(entries), tuple(left.values()), _fields(old, locale, title), old.comments)


def without_lines(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return messages with their files but not their lines: two such are equal if none changed."""
    return tuple(
        replace(entry, locations=tuple(_LINE.sub(":", each) for each in entry.locations))
        for entry in entries
    )


def _known(catalog: Catalog) -> Mapping[str, Entry]:
    """Return every translation by the English it was made from, the surest first."""
    known: dict[str, Entry] = {}
    surest = sorted(catalog.entries, key=lambda entry: entry.fuzzy)
    for entry in (*surest, *catalog.obsolete):
        if entry.translation:
            fuzzy = entry.fuzzy and entry.previous is None  # a translator's own doubt stays
            made = replace(entry, source=entry.english, fuzzy=fuzzy, previous=None, locations=())
            known.setdefault(entry.english, made)
    return known


def _by_place(entry: Entry | None, source: str) -> Entry:
    """Return the entry of a new message, with what stood in its place as a fuzzy translation."""
    if entry is None:
        return Entry(source)
    if not entry.translation:
        return replace(entry, source=source)
    return replace(entry, source=source, fuzzy=True, previous=entry.english)


def _replaced(old: Collection[str], new: Collection[str]) -> Mapping[str, str]:
    """Return for each new message the one that it took the place of, where there is just one."""
    stayed = set(old) & set(new)
    gone, appeared = _alone(old, stayed), _alone(new, stayed)
    return {appeared[place]: gone[place] for place in appeared.keys() & gone.keys()}


def _alone(order: Iterable[str], stayed: Collection[str]) -> Mapping[tuple[str, str], str]:
    """Return the messages that stand alone between two that stayed, by these two neighbours."""
    alone: dict[tuple[str, str], str] = {}
    before, between = "", list[str]()
    for source in (*order, ""):  # no message is empty: the ends of a page are neighbours too
        if source and source not in stayed:
            between.append(source)
            continue
        if len(between) == 1:
            alone[before, source] = between[0]
        before, between = source, []
    return alone


def _fields(old: Catalog, locale: str, title: str) -> tuple[tuple[str, str], ...]:
    """Return the header that gettext wants; what a translator's tool wrote stays."""
    fields = {
        "Project-Id-Version": title,
        "PO-Revision-Date": "",
        "Last-Translator": "",
        "Language-Team": "",
        "Language": locale,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": get_plural(locale).plural_forms,
        **dict(old.fields),
    }
    return tuple((name, value) for name, value in fields.items() if name != _EXTRACTED)
