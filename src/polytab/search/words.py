"""The words of an index, for the dialog: it tells a typo from a word, and a word from nonsense.

Pagefind takes a word that it does not know for the longest beginning that it does (`onnx` for
`on`), so the dialog asks for known words only. A word is written with `|` where its ending begins:
other endings of the same stem are known words too. They stand in the order of how many sections
have them.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from html.parser import HTMLParser
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING

from sphinx.search import SearchLanguage, languages

from polytab.search.pairs import is_spelt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SEPARATOR = re.compile(r"[\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""What stands between the parts of a name, as in `block_until_ready` and `DataLoader`."""


def list_words(sections: Sequence[str], tag: str) -> bytes:
    """Return the words of sections, which are given as `split` gives them, as JSON.

    Beside them stand the words that say nothing alone: what Sphinx's own search leaves out.
    """
    language = _language(tag)
    found = Counter(word for section in sections for word in set(_words(section)))
    kin: dict[str, Counter[str]] = defaultdict(Counter)
    for word, count in found.items():
        kin[fold(language.stem(word))][fold(word)] += count
    counts = {each: count for stem in kin for each, count in _cut(stem, kin[stem])}
    known = sorted(counts, key=lambda word: (-counts[word], word))
    empty = sorted({fold(word) for word in language.stopwords})
    written = {"known": known, "empty": empty}
    return json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode()


def _cut(stem: str, counts: Counter[str]) -> Iterator[tuple[str, int]]:
    """Write the words of a stem with `|` after what they and the stem begin with."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(stem, *counts, strict=False))
    common = len(list(alike))
    for word, count in counts.items():
        yield f"{word[:common]}|{word[common:]}" if 0 < common < len(word) else word, count


class _Text(HTMLParser):
    """Gathers the text of a section, with the other names by which it is found."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def _words(section: str) -> Iterator[str]:
    """Give the words of a section as Pagefind knows them, and the parts of its names."""
    text = _Text()
    text.feed(section)
    for written in "".join(text.parts).split():
        if is_spelt(written):
            continue
        for each in {written, *_SEPARATOR.split(_HUMP.sub(" ", written))}:
            word = _letters(each)
            if len(word) > 1 and not word.isnumeric():
                yield word


def _letters(word: str) -> str:
    return "".join(each for each in word.lower() if each.isalnum() or each == "_")


def fold(word: str) -> str:
    """Write a word as Pagefind compares it: letters, digits and `_`, small, without accents."""
    return _letters(unicodedata.normalize("NFD", word))


def _language(tag: str) -> SearchLanguage:
    """Return what Sphinx knows of a language: the endings of words, and which are empty."""
    found = languages.get(tag.partition("-")[0], SearchLanguage)
    if isinstance(found, str):
        module, _, name = found.rpartition(".")
        found = getattr(import_module(module), name)
    return found({})
