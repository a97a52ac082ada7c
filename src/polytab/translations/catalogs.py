"""What a catalog says, and how it is written: `translations/<locale>/LC_MESSAGES/<page>.po`.

Babel's writer breaks translators' comments at 76 columns and drops a line that stands twice, so
the few lines of writing are here (docs/contributing/decisions/0007-catalogs.md).

Law, guarded by tests/translations/test_catalogs.py: what is written is what is read back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from babel.messages.pofile import normalize

from polytab.errors import PolytabError
from polytab.recordings.strays import find_strays

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from polytab.model import Finding, Language
    from polytab.settings import Settings

MESSAGES = "LC_MESSAGES"
RESERVED = frozenset({"sphinx", "polytab", "polytab-labels"})
"""Catalogs of these names would be taken for the words of the theme, or for ours."""


@dataclass(frozen=True)
class Entry:
    """An English text and its translation; a fuzzy one was made from `previous`, if that is known.

    Only a translation can be fuzzy, and only a fuzzy one has a `previous`.
    """

    source: str
    translation: str = ""
    fuzzy: bool = False
    previous: str | None = None
    comments: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    line: int = field(default=1, compare=False)

    @property
    def english(self) -> str:
        """The English the translation was made from."""
        return self.source if self.previous is None else self.previous


@dataclass(frozen=True)
class Catalog:
    """The messages of one page in one language, in the order of the page.

    `obsolete` keeps the translations of messages that left the page: they may come back.
    """

    entries: tuple[Entry, ...]
    obsolete: tuple[Entry, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """The messages of a page as they are now; comments of its scripts are `snippets/<page>`."""

    name: str
    entries: tuple[Entry, ...]


class CatalogError(PolytabError):
    """A catalog that cannot be read, with all that must be mended in it."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """Take the findings of one file; the first is what is said of it."""
        first = findings[0]
        super().__init__(first.message, file=first.file, line=first.line)
        self.findings = tuple(findings)


def catalog_text(catalog: Catalog) -> str:
    """Return the text of a catalog; nothing is wrapped, so that a small change stays small."""
    header = "".join(f"{name}: {value}\n" for name, value in catalog.fields)
    blocks = [_block(Entry("", header, comments=catalog.comments))]
    blocks += [_block(entry) for entry in catalog.entries]
    blocks += [_block(entry, "#~") for entry in catalog.obsolete]
    return "\n".join(blocks)


def catalog_path(settings: Settings, language: Language, name: str) -> Path:
    """Return where the catalog of a page, or of the comments `snippets/<page>`, lies."""
    return settings.translations / language.locale / MESSAGES / f"{name}.po"


def glossary_path(settings: Settings, language: Language) -> Path:
    """Return where the terms of a language are listed."""
    return settings.translations / language.locale / "glossary.toml"


def catalog_files(settings: Settings, language: Language) -> Mapping[str, Path]:
    """Find the catalogs of a language by name; what is a link, or reserved, is none."""
    top = settings.translations / language.locale / MESSAGES
    paths = [path for path in sorted(settings.translations.rglob("*.po")) if not path.is_symlink()]
    named = {
        path.relative_to(top).with_suffix("").as_posix(): path
        for path in paths
        if path.is_relative_to(top)
    }
    return {name: path for name, path in named.items() if name not in RESERVED}


def find_stray_catalogs(settings: Settings) -> Iterator[Finding]:
    """Find what lies among the catalogs and is none of a page and a language there is."""
    languages = settings.languages[1:]
    known = {glossary_path(settings, language) for language in languages}
    known |= {settings.words_file(language.locale) for language in settings.languages}
    for language in languages:
        for name, path in catalog_files(settings, language).items():
            folder, _, page = name.rpartition("/")
            is_page = (settings.docs / f"{name}.md").is_file()
            is_script = folder == "snippets" and (settings.snippets / page).is_dir()
            if is_page or is_script:
                known.add(path)
    kind = "catalog of a page and a language there is"
    yield from find_strays(settings.translations, known, kind, "rename it with its page")


def _block(entry: Entry, obsolete: str = "") -> str:
    lines = [f"# {comment}".rstrip(" ") for comment in entry.comments]
    lines += [f"#: {location}" for location in entry.locations]
    if entry.fuzzy:
        lines.append("#, fuzzy")
    mark = f"{obsolete} " if obsolete else ""
    if entry.previous is not None:
        lines.append(_text(f"{obsolete or '#'}| ", "msgid", entry.previous))
    lines.append(_text(mark, "msgid", entry.source))
    lines.append(_text(mark, "msgstr", entry.translation))
    return "\n".join(lines) + "\n"


def _text(mark: str, keyword: str, text: str) -> str:
    return f"{mark}{keyword} {normalize(text, prefix=mark, width=0)}"
