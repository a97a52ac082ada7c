"""Page x language: how much is translated, outdated and missing, and when it last changed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from polytab.history import last_changes
from polytab.translations.catalogs import catalog_path
from polytab.translations.compiled import State, check_language
from polytab.translations.templates import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polytab.settings import Settings
    from polytab.translations.catalogs import Template


@dataclass(frozen=True)
class Coverage:
    """How far one catalog is; `changed` is the day of its last commit, where git knows one."""

    name: str
    language: str
    translated: int
    outdated: int
    missing: int
    changed: str | None = None

    @property
    def page(self) -> str:
        """The page whose text, or whose comments, these are."""
        return self.name.removeprefix(f"{COMMENTS}/")

    @property
    def total(self) -> int:
        """The messages there are."""
        return self.translated + self.outdated + self.missing


def coverage(settings: Settings, templates: Sequence[Template]) -> tuple[Coverage, ...]:
    """Count every catalog against its page; a translation that the lint refuses is missing."""
    days = last_changes(settings)
    rows: list[Coverage] = []
    for language in settings.languages[1:]:
        states = {
            (catalog.name, message.source): message.state
            for catalog in check_language(settings, language).catalogs
            for message in catalog.messages
        }
        for template in templates:
            if not template.entries:
                continue
            name = template.name
            counts = Counter(
                states.get((name, entry.source), State.MISSING) for entry in template.entries
            )
            path = catalog_path(settings, language, name)
            rows.append(
                Coverage(
                    name,
                    language.code,
                    **{str(state): counts[state] for state in State},
                    changed=days.get(path),
                )
            )
    return tuple(rows)


def of_pages(rows: Iterable[Coverage]) -> tuple[Coverage, ...]:
    """Add the comments of a page to its text."""
    pages: dict[tuple[str, str], Coverage] = {}
    for row in rows:
        known = pages.get((row.page, row.language)) or Coverage(row.page, row.language, 0, 0, 0)
        pages[row.page, row.language] = Coverage(
            row.page,
            row.language,
            known.translated + row.translated,
            known.outdated + row.outdated,
            known.missing + row.missing,
            max((day for day in (known.changed, row.changed) if day), default=None),
        )
    return tuple(pages.values())


def as_json(rows: Iterable[Coverage]) -> str:
    """Spell the table for programs."""
    return json.dumps([asdict(row) for row in rows], indent=1) + "\n"
