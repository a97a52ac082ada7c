"""`docs/terms.toml`: what a book calls things, with the names of each language beside it.

    ["dead code"]
    definition = "Lines whose results nobody needs; a compiler leaves them out."
    introduced = "compilers#leave-out-and-free"
    also = ["dead code elimination", "DCE"]

The key is the English name, and `introduced` the page and the id of the section that introduces the
term. A definition is one plain sentence without markup; it is a message of the page that has
`{terms}`. `waits` lists the languages in which the section does not yet show the English name in
text that everybody sees. The names in another language stand in its glossary: see `rules.glossary`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polytab.errors import PolytabError
from polytab.translations.catalogs import glossary_path
from polytab.translations.rules.glossary import Glossary, load_glossary
from polytab.translations.rules.structure import structure

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

_KEYS = frozenset({"definition", "introduced", "also", "waits"})
_PLACE = re.compile(r"[\w/-]+#[\w-]+")
_PLAIN = ["paragraph_open", "inline", "paragraph_close"]
_HINT = 'write `["term"]` with `definition`, `introduced = "page#section"` and, if need be, `also`'


@dataclass(frozen=True)
class Definition:
    """An English term, and the line at which it is written."""

    english: str
    definition: str
    page: str
    section: str
    also: tuple[str, ...]
    waits: tuple[str, ...]
    line: int

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called in English."""
        return (self.english, *self.also)


@dataclass(frozen=True)
class NamedTerm:
    """A term in one language; `name` is the English where the language has no other."""

    definition: Definition
    name: str
    also: tuple[str, ...]
    forms: tuple[str, ...]
    """Of which one stands where the term is used; a stem stands for its endings."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that a reader may call it, English included."""
        return tuple(dict.fromkeys((self.name, *self.also, *self.definition.names)))


def terms_path(settings: Settings) -> Path:
    """Return where the terms of a book are defined."""
    return settings.docs / "terms.toml"


def load_named_terms(settings: Settings, language: Language) -> tuple[NamedTerm, ...]:
    """Read the terms of a book in one language, in the order of the file. Raises PolytabError."""
    own = language != settings.source_language
    glossary = load_glossary(glossary_path(settings, language)) if own else Glossary()
    return tuple(_named(each, glossary) for each in load_terms(terms_path(settings)))


def load_terms(path: Path) -> tuple[Definition, ...]:
    """Read the terms of a book; one without the file has none. Raises PolytabError."""
    if not path.is_file():
        return ()
    try:
        text = path.read_bytes().decode("utf-8")
        table = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        msg = f"the terms cannot be read: {error}"
        raise PolytabError(msg, file=path, hint="save them as TOML in UTF-8") from None
    return tuple(_definition(path, text, *entry) for entry in table.items())


def _named(defined: Definition, glossary: Glossary) -> NamedTerm:
    term = glossary.named(defined.english)
    if term is None:
        return NamedTerm(defined, defined.english, (), (defined.english,))
    return NamedTerm(defined, term.shown, term.also, (*term.forms, term.shown))


def _definition(path: Path, text: str, english: str, said: Any) -> Definition:  # noqa: ANN401  # whatever TOML holds
    line = _line_of(text, english)
    table = said if isinstance(said, dict) else {}
    definition, place = table.get("definition"), table.get("introduced")
    if unknown := table.keys() - _KEYS:
        msg = f"the term `{english}` has no `{min(unknown)}`"
        raise PolytabError(msg, file=path, line=line, hint=_HINT)
    if not isinstance(definition, str) or not _is_plain(definition):
        msg = f"the definition of `{english}` is no plain sentence"
        raise PolytabError(msg, file=path, line=line, hint="write one line without markup")
    if not isinstance(place, str) or not _PLACE.fullmatch(place):
        msg = f"`introduced` of `{english}` is no section of a page"
        raise PolytabError(msg, file=path, line=line, hint=_HINT)
    also, waits = (table.get(key, []) for key in ("also", "waits"))
    if not all(isinstance(each, list) and _are_names(each) for each in (also, waits)):
        msg = f"`also` or `waits` of `{english}` is no list of names"
        raise PolytabError(msg, file=path, line=line, hint=_HINT)
    page, _, section = place.partition("#")
    return Definition(english, definition, page, section, tuple(also), tuple(waits), line)


def _are_names(said: list[Any]) -> bool:
    return all(isinstance(each, str) and each.strip() for each in said)


def _line_of(text: str, english: str) -> int:
    """Return the line of a term's header, or the first where it is written in an unusual way."""
    header = re.compile(rf"^\[[\"']?{re.escape(english)}[\"']?\]", re.MULTILINE)
    found = header.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _is_plain(text: str) -> bool:
    """Tell whether a text is one line that means to Markdown just what it says."""
    read = structure(text)
    kinds = [block.kind for block in read.blocks]
    return kinds == _PLAIN and not read.parts and read.prose == text == text.strip()
