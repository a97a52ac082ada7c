"""The verbs for translators."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.table import Table

from polytab.cli.console import escape, list_findings, out, say
from polytab.errors import one_line
from polytab.interface.messages import interface_words, is_spoken
from polytab.pages.frame.languages import missing_words_of_sphinx
from polytab.pages.translated.behind import find_behind, languages_with_words
from polytab.pages.translated.places import with_lines
from polytab.site.build import compile_translations
from polytab.translations.status import (
    as_json,
    as_markdown,
    coverage,
    coverage_of_words,
    of_pages,
    outdated,
)
from polytab.translations.templates import extract
from polytab.translations.upkeep import (
    add_language,
    check_catalogs,
    check_words,
    update_catalogs,
    update_words,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from polytab.model import Finding, Language
    from polytab.settings import Settings
    from polytab.translations.upkeep import Update


def translate(settings: Settings, options: Namespace) -> int:
    """Bring the catalogs up to their pages, or only say or compile."""
    if options.compile:
        return list_findings(compile_translations(settings, settings.languages))
    templates = with_lines(settings, extract(settings))
    if options.check:
        return list_findings([*check_catalogs(settings, templates), *_check_interface(settings)])
    if options.add:
        updates = add_language(settings, templates, options.add)
    else:
        updates = update_catalogs(settings, templates, settings.languages[1:])
    updates += update_interface(settings)
    for update in updates:
        if update.change:
            say(f"{update.file}: {update.change}")
    for language in settings.languages:
        _tell_missing(language)
    return list_findings([finding for update in updates for finding in update.findings])


def update_interface(settings: Settings) -> tuple[Update, ...]:
    """Bring up to date the words of the interface that the book has, or must have, itself."""
    return tuple(
        update_words(settings, each, interface_words()) for each in languages_with_words(settings)
    )


def _check_interface(settings: Settings) -> Iterator[Finding]:
    for language in languages_with_words(settings):
        yield from check_words(settings, language, interface_words())


def _tell_missing(language: Language) -> None:
    """Say which of Sphinx's words on our pages stay in English, where Sphinx lacks a language."""
    missing = missing_words_of_sphinx(language.locale)
    if missing:
        say(f"{language.name}: Sphinx itself has no {', '.join(missing)}: pages have the English")


def status(settings: Settings, options: Namespace) -> int:
    """Say how far each page is translated, and the interface where polytab does not speak it."""
    learnt = [each for each in settings.languages if not is_spoken(each.locale)]
    words = coverage_of_words(settings, learnt, interface_words())
    rows = (*of_pages(coverage(settings, extract(settings))), *words)
    if options.json:
        sys.stdout.write(as_json(rows))
        return 0
    if options.markdown:
        sys.stdout.write(as_markdown(rows, outdated(settings)))
        return 0
    table = Table("page", "language", "translated", "outdated", "missing", "last change", box=None)
    for row in rows:
        counts = (f"{row.translated} of {row.total}", str(row.outdated), str(row.missing))
        table.add_row(escape(one_line(row.page)), row.language, *counts, row.changed or "")
    out.print(table)
    for note in find_behind(settings):
        say(note)
    return 0
