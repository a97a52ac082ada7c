"""The catalogs of all languages, kept at their pages: update, check, and start a language.

A catalog that cannot be read is complained of and never written over; nothing here deletes one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from babel.core import Locale, UnknownLocaleError

from polytab.errors import UsageError, command
from polytab.model import Finding
from polytab.recordings.atomic import remove_unfinished, write_atomic
from polytab.translations.catalogs import (
    Catalog,
    CatalogError,
    Entry,
    Template,
    catalog_files,
    catalog_path,
    catalog_text,
    find_stray_catalogs,
)
from polytab.translations.pairing import update_catalog
from polytab.translations.po_parser import read_catalog

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings


@dataclass(frozen=True)
class Update:
    """A catalog and what its page changed in it, in words; or why it was left alone."""

    file: Path
    change: str = ""
    findings: tuple[Finding, ...] = ()


def update_catalogs(
    settings: Settings, templates: Sequence[Template], languages: Sequence[Language]
) -> tuple[Update, ...]:
    """Bring the catalogs of these languages up to their pages; return what was done to each.

    What an earlier run was killed over is removed; raises OSError where one cannot be written.
    """
    remove_unfinished(settings.translations)
    updates = []
    for language in languages:
        for template in templates:
            update, catalog = _follow(settings, language, template)
            if catalog is not None:
                write_atomic(update.file, catalog_text(catalog).encode())
            updates.append(update)
    return tuple(updates)


def check_catalogs(settings: Settings, templates: Sequence[Template]) -> tuple[Finding, ...]:
    """Find catalogs that are behind their page or cannot be read, and files that are none."""
    findings = list(find_stray_catalogs(settings))
    for language in settings.languages[1:]:
        for template in templates:
            update, _ = _follow(settings, language, template)
            findings += [*update.findings, *_behind(update, "its page")]
    return tuple(findings)


def check_words(
    settings: Settings, language: Language, words: Sequence[str]
) -> tuple[Finding, ...]:
    """Find that the book's own words of the interface are behind the engine's, or unreadable."""
    update, _ = _follow_words(settings, language, words)
    return (*update.findings, *_behind(update, "the interface"))


def add_language(
    settings: Settings, templates: Sequence[Template], code: str
) -> tuple[Update, ...]:
    """Write the first catalogs of a language; raises UsageError where it is unknown, or there."""
    language = next((each for each in settings.languages if each.code == code), None)
    if language is None:
        msg = f"the settings name no language `{code}`"
        raise UsageError(msg, hint=f"add to [tool.polytab.languages]: {_suggestion(code)}")
    if language == settings.source_language or catalog_files(settings, language):
        msg = f"{language.name} is there already"
        raise UsageError(msg, hint=f"{command('translate')} brings all catalogs up to their pages")
    return update_catalogs(settings, templates, [language])


def update_words(settings: Settings, language: Language, words: Sequence[str]) -> Update:
    """Bring the book's own words of the interface in a language up to the engine's.

    `words` are all that the engine has, in English. Nothing is written over: a word that the engine
    has no more is kept as obsolete.
    """
    update, catalog = _follow_words(settings, language, words)
    if catalog is not None:
        write_atomic(update.file, catalog_text(catalog).encode())
    return update


def _behind(update: Update, what: str) -> list[Finding]:
    if not update.change:
        return []
    message = f"behind {what}: {update.change}; run {command('translate')}"
    return [Finding(update.file, None, "behind", message)]


def _follow_words(
    settings: Settings, language: Language, words: Sequence[str]
) -> tuple[Update, Catalog | None]:
    template = Template("polytab", tuple(Entry(word) for word in words))
    return _follow(settings, language, template, settings.words_file(language.locale))


def _follow(
    settings: Settings, language: Language, template: Template, path: Path | None = None
) -> tuple[Update, Catalog | None]:
    """Bring a catalog up to its page in memory; None where nothing is to be written."""
    path = path or catalog_path(settings, language, template.name)
    try:
        old = read_catalog(path, language.locale)
    except CatalogError as error:
        return Update(path, findings=error.findings), None
    if old is None and not template.entries:
        return Update(path), None
    new = update_catalog(old, template, language.locale, settings.title)
    return Update(path, _difference(old or Catalog(()), new)), new


def _difference(old: Catalog, new: Catalog) -> str:
    """Say in words what a page changed in its catalog; "" where it is up to date."""
    if (old.entries, old.obsolete) == (new.entries, new.obsolete):
        return ""
    before = {entry.source for entry in old.entries}
    added = [entry for entry in new.entries if entry.source not in before]
    changed = sum(entry.previous is not None for entry in added)
    gone = len(before - {entry.source for entry in new.entries}) - changed
    counts = {"new": len(added) - changed, "changed": changed, "gone": gone}
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return said or "other places"


def _suggestion(code: str) -> str:
    """Write the line of settings that a language needs."""
    try:
        locale = Locale.parse(code.replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        locale = Locale("ja")
    name = locale.get_display_name() or code
    tag = str(locale).replace("_", "-")
    return (
        f'{str(locale).lower()} = {{ name = "{name[:1].upper()}{name[1:]}", '
        f'locale = "{locale}", tag = "{tag}" }}'
    )
