"""What a rule is given: a message with the structure of both its sides; and what rules share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from polytab.translations.rules.structure import Structure, structure

if TYPE_CHECKING:
    from polytab.translations.rules.glossary import Glossary
    from polytab.translations.rules.message import Message

_SHOWN = 60


@dataclass(frozen=True)
class Pair:
    """An English text and its translation."""

    message: Message
    glossary: Glossary
    read: Callable[[str], Structure] = structure

    @cached_property
    def english(self) -> Structure:
        """What there is to translate."""
        return self.read(self.message.english)

    @cached_property
    def translated(self) -> Structure:
        """What the translator made of it."""
        return self.read(self.message.translation)


Rule = Callable[[Pair], Iterator[str]]


def quoted(text: str) -> str:
    """Show a stranger's text in a complaint: short, and harmless to a terminal."""
    short = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    safe = "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in short)
    return f"`{safe}`"


def differences(pair: Pair, *kinds: str, counted: bool = True) -> Iterator[str]:
    """Complain of parts that only one side has, in any order; or, if `counted`, more often."""
    for kind in kinds:
        english, translated = pair.english.values(kind), pair.translated.values(kind)
        if english == translated:
            continue  # the same order too, as nearly always: nothing to count
        if not counted:
            english, translated = tuple(set(english)), tuple(set(translated))
        for value in Counter(english) - Counter(translated):
            yield f"{kind} {quoted(value)} of the English is missing: write it as it stands there"
        for value in Counter(translated) - Counter(english):
            yield f"{kind} {quoted(value)} is not in the English: remove it, or write what is there"
