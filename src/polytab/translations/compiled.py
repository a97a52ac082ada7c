"""What of the catalogs may be shown: `_build/locale/<locale>/LC_MESSAGES/`, made from them.

`<page>.mo` is what Sphinx reads: the translations that passed the lint, and no others. Beside it,
`<page>.json` tells the pages the state of each message and where a translator can mend it.

Laws, guarded by tests/translations/test_compiled.py: a translation with a finding is in no `.mo`;
what is there depends on the catalogs, the terms and the rules; compiling again writes nothing.
What was compiled by another engine, from other files, or is not as it was left, is compiled again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog as BabelCatalog
from babel.messages.mofile import write_mo

from polytab.errors import PolytabError
from polytab.model import Finding, digest_path, engine_digest
from polytab.recordings.atomic import write_atomic
from polytab.translations.catalogs import (
    MESSAGES,
    Catalog,
    CatalogError,
    catalog_files,
    glossary_path,
)
from polytab.translations.comments import refusal
from polytab.translations.po_parser import read_catalog
from polytab.translations.rules.glossary import Glossary, load_glossary
from polytab.translations.rules.lint import Checked, lint_messages, lint_plain
from polytab.translations.rules.message import Message
from polytab.translations.templates import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""Babel writes dates into its header; a file that is the same must be the same."""


class State(StrEnum):
    """How far a message is translated."""

    TRANSLATED = "translated"
    OUTDATED = "outdated"
    MISSING = "missing"


@dataclass(frozen=True)
class PageMessage:
    """A message in one language: `shown` is in the `.mo`; the rest may be shown as text only."""

    source: str
    state: State
    translation: str
    shown: bool
    line: int
    previous: str | None = None


@dataclass(frozen=True)
class CheckedCatalog:
    """A catalog after the lint; one that cannot be read has no messages."""

    name: str
    messages: tuple[PageMessage, ...]


@dataclass(frozen=True)
class CheckedLanguage:
    """All catalogs of a language after the lint, and what it has against them."""

    catalogs: tuple[CheckedCatalog, ...]
    findings: tuple[Finding, ...]


def compile_catalogs(settings: Settings, language: Language) -> tuple[Finding, ...]:
    """Compile what may be shown in a language, and return what may not.

    A catalog that was compiled without a finding is left alone while it, the glossary and the
    engine are the same.
    """
    folder = _folder(settings, language)
    terms = glossary_path(settings, language)
    glossary, findings = _glossary(terms)
    before, now = _load_compiled(folder), {}
    written: set[Path] = set()
    for name, path in catalog_files(settings, language).items():
        files = [folder / f"{name}{suffix}" for suffix in (".mo", ".json")]
        written.update(files)
        made_from = [engine_digest(), language.locale, *map(digest_path, (terms, path))]
        if before.get(name) == [*made_from, *map(digest_path, files)]:
            now[name] = before[name]
            continue
        catalog, found = _check_catalog(name, path, language.locale, glossary)
        findings += found
        for file, content in zip(files, (_mo(catalog), _json(catalog)), strict=True):
            write_atomic(file, content)
        if not found:
            now[name] = [*made_from, *map(digest_path, files)]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path not in written:
            path.unlink()
    write_atomic(_compiled(folder), json.dumps(now, indent=1).encode())
    return tuple(findings)


def _compiled(folder: Path) -> Path:
    """Return the file that keeps, for each catalog, the digests of what it was compiled from."""
    return folder.with_name("compiled.json")


def _load_compiled(folder: Path) -> dict[str, list[str]]:
    """Return those digests; {} where the file is damaged."""
    try:
        known = json.loads(_compiled(folder).read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def load_messages(settings: Settings, language: Language, name: str) -> tuple[PageMessage, ...]:
    """Return the compiled messages of a page; () where it has no catalog."""
    path = _folder(settings, language) / f"{name}.json"
    if not path.is_file():
        return ()
    return tuple(
        PageMessage(**{**each, "state": State(each["state"])})
        for each in json.loads(path.read_bytes())
    )


def check_language(
    settings: Settings, language: Language, terms: Path | None = None
) -> CheckedLanguage:
    """Run the lint over every catalog of a language, with its terms or with these."""
    terms = terms or glossary_path(settings, language)
    glossary, findings = _glossary(terms)
    catalogs: list[CheckedCatalog] = []
    for name, path in catalog_files(settings, language).items():
        catalog, found = _check_catalog(name, path, language.locale, glossary)
        catalogs.append(catalog)
        findings += found
    return CheckedLanguage(tuple(catalogs), tuple(findings))


def _glossary(terms: Path) -> tuple[Glossary, list[Finding]]:
    """Read the terms of a language; where they cannot be read there are none, and a finding."""
    try:
        return load_glossary(terms), []
    except PolytabError as error:
        said = error.in_a_line
        return Glossary(), [Finding(terms, error.line, "glossary", said)]


def _check_catalog(
    name: str, path: Path, locale: str, glossary: Glossary
) -> tuple[CheckedCatalog, list[Finding]]:
    """Run the lint over a catalog; one that cannot be read has no messages, and findings."""
    messages: list[PageMessage] = []
    findings: list[Finding] = []
    try:
        for checked in _check(name, path, locale, glossary):
            findings += checked.findings
            messages.append(_page_message(checked))
    except CatalogError as error:
        findings += error.findings
    return CheckedCatalog(name, tuple(messages)), findings


def _check(name: str, path: Path, locale: str, glossary: Glossary) -> Iterator[Checked]:
    catalog = read_catalog(path, locale) or Catalog(())
    messages = [
        Message(
            entry.source,
            entry.translation,
            path,
            entry.line,
            locale,
            entry.previous,
            outdated=entry.fuzzy,
        )
        for entry in catalog.entries
    ]
    if name.startswith(f"{COMMENTS}/"):
        return (_check_comment(message, glossary) for message in messages)
    return lint_messages(messages, glossary)


def _check_comment(message: Message, glossary: Glossary) -> Checked:
    """Check a comment; an outdated one is not shown, because nothing in code can be marked."""
    findings = lint_plain(message, glossary)
    reason = refusal(message.translation)
    if reason and not findings:
        findings = (Finding(message.file, message.line, "comment", f"it {reason}; write words"),)
    return Checked(message, findings, fits=bool(message.translation) and not message.outdated)


def _page_message(checked: Checked) -> PageMessage:
    """Return what pages may know of a message; one with findings counts as missing."""
    message = checked.message
    if not message.translation or checked.findings:
        return PageMessage(message.source, State.MISSING, "", shown=False, line=message.line)
    state = State.OUTDATED if message.outdated else State.TRANSLATED
    previous = message.previous if message.outdated else None
    return PageMessage(
        message.source,
        state,
        message.translation,
        checked.passed,
        message.line,
        previous if previous and previous.isprintable() else None,  # a stranger may have written it
    )


def _mo(catalog: CheckedCatalog) -> bytes:
    compiled = BabelCatalog(fuzzy=False, creation_date=_NO_DATE, revision_date=_NO_DATE)
    for message in catalog.messages:
        if message.shown:
            compiled.add(message.source, message.translation)
    content = BytesIO()
    write_mo(content, compiled)
    return content.getvalue()


def _json(catalog: CheckedCatalog) -> bytes:
    messages = [asdict(message) for message in catalog.messages]
    return (json.dumps(messages, ensure_ascii=False, indent=1) + "\n").encode()


def _folder(settings: Settings, language: Language) -> Path:
    return settings.locale / language.locale / MESSAGES
