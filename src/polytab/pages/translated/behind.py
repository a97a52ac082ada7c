"""Which catalogs lack messages that their pages and recordings have; Sphinx is not asked.

Known without it are the paragraphs, headings and cells of pages, the comments of scripts, and the
names in recordings. `translate --check` also knows the rest, such as the titles of admonitions.

Law, guarded by tests/pages/translated/test_behind.py: after `translate`, none is behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.errors import PolytabError, command
from polytab.interface.messages import interface_words, is_spoken
from polytab.pages.markdown.messages import source_page
from polytab.translations.catalogs import CatalogError, catalog_files, catalog_path
from polytab.translations.po_parser import read_catalog
from polytab.translations.rules.pair import quoted
from polytab.translations.templates import comment_templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings


def find_behind(settings: Settings) -> Iterator[str]:
    """Say of each catalog that is behind what it lacks, a line each, with the command that helps.

    A page, script, recording or catalog that cannot be read is passed over: other checks tell it.
    """
    known = (*_of_pages(settings), *_of_scripts(settings))
    for language in settings.languages[1:]:
        if not catalog_files(settings, language):
            yield f"behind: {language.name}: there are no catalogs yet; run {command('translate')}"
            continue
        for name, messages in known:
            path = catalog_path(settings, language, name)
            yield from _lacking(settings, language, path, messages)
    for language in languages_with_words(settings):
        path = settings.words_file(language.locale)
        yield from _lacking(settings, language, path, interface_words())


def languages_with_words(settings: Settings) -> tuple[Language, ...]:
    """Return the languages for which the book has, or must have, words of the interface itself."""
    return tuple(
        each
        for each in settings.languages
        if not is_spoken(each.locale) or settings.words_file(each.locale).is_file()
    )


def _lacking(
    settings: Settings, language: Language, path: Path, messages: Sequence[str]
) -> Iterator[str]:
    """Say what a catalog lacks; nothing where it has every message, or cannot be read."""
    try:
        catalog = read_catalog(path, language.locale)
    except CatalogError:
        return
    there = {entry.source for entry in catalog.entries} if catalog else set()
    lacking = [message for message in dict.fromkeys(messages) if message not in there]
    if not lacking:
        return
    file = path.relative_to(settings.root).as_posix()
    count = "the message" if len(lacking) == 1 else f"{len(lacking)} messages, such as"
    yield f"behind: {file}: it lacks {count} {quoted(lacking[0])}; run {command('translate')}"


def _of_pages(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    """Yield each page with its messages; names of frameworks and of the book are none."""
    names = {settings.title, *(framework.title for framework in settings.frameworks)}
    for path in sorted(settings.docs.rglob("*.md")):
        name = path.relative_to(settings.docs).with_suffix("").as_posix()
        if path.is_symlink() or not path.is_file() or name.startswith("contributing/"):
            continue
        page = source_page(path.read_text("utf-8", "replace"))
        yield name, [each.text for each in page.passages if each.text not in names]


def _of_scripts(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    try:
        templates = comment_templates(settings)
    except PolytabError:
        return
    for each in templates:
        yield each.name, [entry.source for entry in each.entries]
