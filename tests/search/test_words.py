"""Given sections, then the words of the index are listed as Pagefind knows them."""

from __future__ import annotations

import json

import pytest

from polytab.search.pairs import is_spelt, spell_pairs
from polytab.search.words import list_words


def listed(text: str, tag: str = "en") -> dict[str, list[str]]:
    """List the words of one section."""
    found = json.loads(list_words([f"<html><body><p>{text}</p></body></html>"], tag))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<b>Tracing</b> twice, tracing", ["trac|ing", "twice"]),
        ("jax.block_until_ready(x)", ["block", "jax", "jaxblock_until_readyx", "read|y", "until"]),
        ("a 1024 7", []),
        ("DataLoader", ["data", "dataload|er", "loader"]),
    ],
)
def test_words_stand_whole_and_in_parts_with_their_endings_cut(text: str, words: list[str]) -> None:
    assert sorted(listed(text)["known"]) == words


def test_accents_are_not_told_apart() -> None:
    assert listed("compilação", "pt-BR")["known"] == ["compil|acao"]


def test_the_most_frequent_words_come_first() -> None:
    sections = [f"<p>{text}</p>" for text in ("rare common", "common", "alone")]
    assert json.loads(list_words(sections, "de"))["known"][0] == "common"


def test_words_that_say_nothing_alone_are_those_of_the_language() -> None:
    assert {"how", "the"} <= set(listed("Words")["empty"])
    assert {"como", "nao"} <= set(listed("Palavras", "pt-BR")["empty"])


def test_a_language_that_sphinx_does_not_know_has_words_as_they_are() -> None:
    assert listed("tracing traced", "cy") == {"known": ["traced", "tracing"], "empty": []}


def test_each_character_is_spelt_with_the_next_and_none_begins_another_word() -> None:
    spelt = spell_pairs("第一次call，一").split()
    assert [is_spelt(each) for each in spelt] == [True, True, True, False, True]
    assert len({each[:6] for each in spelt if is_spelt(each)}) == 3
    pairs = [each for each in spelt if is_spelt(each)]
    assert not any(one != other and other.startswith(one) for one in pairs for other in pairs)
