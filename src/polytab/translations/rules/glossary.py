"""`translations/<locale>/glossary.toml`: the terms of one language, and the rule that holds to it.

    [terms]
    "compilation" = ["compilação", "compilações"]
    "batch" = { name = "批次", forms = ["批次", "批量"], also = ["小批次"], why = "…" }

A term is found in the English in any case, and in the plural; a translation then has one of the
listed forms somewhere, so that a stem such as `compilad` stands for all its endings. A list is
short for a table of its forms. `name` is what readers see, the first form where it is not said;
`also` is what else readers look for; `why` tells translators why a term was chosen. Where forms
are not said, the name is the only one; an empty list means that no program can check the term.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from polytab.errors import PolytabError
from polytab.translations.rules.pair import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.translations.rules.pair import Pair

_HINT = 'write `"English term" = ["translation", "another form"]` below `[terms]`'
_KEYS = frozenset({"name", "forms", "also", "why"})


@dataclass(frozen=True)
class Term:
    """An English term, its name in a language, and the forms of which a translation has one."""

    english: str
    forms: tuple[str, ...]
    name: str = ""
    also: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What readers see."""
        return self.name or self.forms[0]


@dataclass(frozen=True)
class Glossary:
    """The terms of one language."""

    terms: tuple[Term, ...] = ()

    def named(self, english: str) -> Term | None:
        """Return the term of this English, whether a program can check it or not."""
        return next((each for each in self.terms if each.english == english), None)

    @cached_property
    def _by_name(self) -> dict[str, Term]:
        return {term.english.casefold(): term for term in self.terms if term.forms}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._by_name, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        return re.compile(rf"(?<!\w)({names})(?:e?s)?(?!\w)")

    def used(self, english: str) -> Iterator[Term]:
        """Yield the terms of a text, each once; a term inside a longer one is not meant."""
        if self._by_name:
            found = (match[1] for match in self._pattern.finditer(english.casefold()))
            yield from (self._by_name[name] for name in dict.fromkeys(found))


def glossary(pair: Pair) -> Iterator[str]:
    """Use the word that the glossary has for a term.

    Bad:  The computational graph -> 运算图表
    Good: The computational graph -> 计算图
    """
    said = pair.translated.prose.casefold()
    for term in pair.glossary.used(pair.english.prose):
        if not any(form.casefold() in said for form in term.forms):
            forms = " or ".join(quoted(form) for form in term.forms)
            yield f"the glossary has {forms} for {quoted(term.english)}: use it"


def load_glossary(path: Path) -> Glossary:
    """Read a glossary; a language without one has no terms."""
    if not path.exists():
        return Glossary()
    if not path.is_file():
        raise PolytabError("the glossary is no file", file=path, hint=_HINT)
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        msg = f"the glossary cannot be read: {error}"
        raise PolytabError(msg, file=path, hint="save it as TOML in UTF-8") from None
    terms = table.pop("terms", {})
    if table or not isinstance(terms, dict):
        msg = f"`{next(iter(table), 'terms')}` is no table of a glossary"
        raise PolytabError(msg, file=path, hint=_HINT)
    return Glossary(tuple(_term(path, *entry) for entry in terms.items()))


def _term(path: Path, english: str, said: Any) -> Term:  # noqa: ANN401  # whatever TOML holds
    table = said if isinstance(said, dict) else {"forms": said}
    name = table.get("name", "")
    forms, also = table.get("forms", [name]), table.get("also", [])
    if not (isinstance(name, str) and (name or forms) and _is_list(forms) and _is_list(also)):
        msg = f"the term `{english}` does not list its translations"
        raise PolytabError(msg, file=path, hint=_HINT)
    if unknown := table.keys() - _KEYS:
        msg = f"the term `{english}` has no `{min(unknown)}`"
        raise PolytabError(msg, file=path, hint=f"known: {', '.join(sorted(_KEYS))}")
    return Term(english, tuple(forms), name, tuple(also))


def _is_list(said: Any) -> bool:  # noqa: ANN401  # whatever TOML holds
    return isinstance(said, list) and all(isinstance(each, str) and each.strip() for each in said)
