"""Page x language: how much is translated, outdated and missing, and when it last changed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING

from polytab.errors import one_line
from polytab.git import last_commit_days
from polytab.translations.catalogs import Catalog, CatalogError, catalog_path
from polytab.translations.compiled import State, check_language
from polytab.translations.po_parser import read_catalog
from polytab.translations.templates import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from polytab.model import Language
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


@dataclass(frozen=True)
class Outdated:
    """A message that is behind its page: where its translation stands, and the English."""

    place: str
    source: str


def coverage(settings: Settings, templates: Sequence[Template]) -> tuple[Coverage, ...]:
    """Count every catalog against its page; a translation that the lint refuses is missing."""
    days = last_commit_days(settings)
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


def coverage_of_words(
    settings: Settings, languages: Iterable[Language], words: Sequence[str]
) -> tuple[Coverage, ...]:
    """Count the book's own words of the interface in these languages; `words` are all there are."""
    days = last_commit_days(settings)
    rows: list[Coverage] = []
    for language in languages:
        path = settings.words_file(language.locale)
        try:
            catalog = read_catalog(path, language.locale) or Catalog(())
        except CatalogError:
            catalog = Catalog(())
        there = {entry.source: entry for entry in catalog.entries if entry.translation}
        found = [there[word].fuzzy for word in words if word in there]
        counts = (found.count(False), found.count(True), len(words) - len(found))
        rows.append(Coverage(path.name, language.code, *counts, changed=days.get(path)))
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
    """Return the table as JSON."""
    return json.dumps([asdict(row) for row in rows], indent=1) + "\n"


def as_markdown(rows: Iterable[Coverage], outdated: Iterable[Outdated]) -> str:
    """Return the table and what is outdated as Markdown, for a pull request."""
    lines = ["| page | language | translated | outdated | missing |", "|---|---|--:|--:|--:|"]
    lines += [
        f"| {_cell(row.page)} | {row.language} | {row.translated} of {row.total} | {row.outdated} "
        f"| {row.missing} |"
        for row in rows
    ]
    found = [f"- {_code(each.place)} {_code(each.source)}" for each in outdated]
    if found:
        lines += ["", "Outdated, with the English of today:", "", *found]
    return "\n".join(lines) + "\n"


def outdated(settings: Settings) -> Iterator[Outdated]:
    """List the messages whose translation is of an earlier English."""
    for language in settings.languages[1:]:
        for catalog in check_language(settings, language).catalogs:
            path = catalog_path(settings, language, catalog.name).relative_to(settings.root)
            for message in catalog.messages:
                if message.state is State.OUTDATED:
                    yield Outdated(f"{path.as_posix()}:{message.line}", message.source)


def _cell(text: str) -> str:
    """Quote a name for a cell of the table: no markup, and no end of the cell or its line."""
    return escape(one_line(text)).replace("|", "&#124;").replace("#[", "&#35;[")


def _code(text: str) -> str:
    """Quote a text that anybody may have written, so that nothing in it is markup."""
    quoted = f"<code>{escape(one_line(text))}</code>"
    return quoted.replace("`", "&#96;").replace("@", "&#64;").replace("#[", "&#35;[")
