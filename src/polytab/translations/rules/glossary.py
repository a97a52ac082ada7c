"""`translations/<locale>/glossary.toml`: the terms of one language, and the rule that holds to it.

    [terms]
    "computational graph" = ["计算图"]
    "compilation" = ["compilação", "compilações"]

A term is found in the English in any case, and in the plural; a translation then has one of the
listed forms somewhere, so that a stem such as `compilad` stands for all its endings.
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


@dataclass(frozen=True)
class Term:
    """An English term and the forms of which a translation has one."""

    english: str
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Glossary:
    """The terms of one language."""

    terms: tuple[Term, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Term]:
        return {term.english.casefold(): term for term in self.terms}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._by_name, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        return re.compile(rf"(?<!\w)({names})(?:e?s)?(?!\w)")

    def used(self, english: str) -> Iterator[Term]:
        """Yield the terms of a text, each once; a term inside a longer one is not meant."""
        if self.terms:
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
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError) as error:
        msg = f"the glossary cannot be read: {error}"
        raise PolytabError(msg, file=path, hint="save it as TOML in UTF-8") from None
    terms = table.pop("terms", {})
    if table or not isinstance(terms, dict):
        msg = f"`{next(iter(table), 'terms')}` is no table of a glossary"
        raise PolytabError(msg, file=path, hint=_HINT)
    return Glossary(tuple(_term(path, *entry) for entry in terms.items()))


def _term(path: Path, english: str, forms: Any) -> Term:  # noqa: ANN401  # whatever TOML holds
    listed = isinstance(forms, list) and forms
    if not listed or not all(isinstance(form, str) and form.strip() for form in forms):
        msg = f"the term `{english}` does not list its translations"
        raise PolytabError(msg, file=path, hint=_HINT)
    return Term(english, tuple(forms))
