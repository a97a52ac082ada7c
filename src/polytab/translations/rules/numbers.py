"""The numbers of the English stand in the translation, written as its language writes them.

What a sentence repeats, a number too, is free; a number that the English has not is an added fact.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from polytab.translations.rules.numerals import numerals, reading, spelled
from polytab.translations.rules.pair import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from polytab.translations.rules.numerals import Numeral
    from polytab.translations.rules.pair import Pair


def numbers(pair: Pair) -> Iterator[str]:
    """Keep every number, written as the language writes it; those below 100 may be spelled out.

    Code, formulas and addresses are not read here: they stay as they are. A number behind a name
    may be a version and stay as it is, too.

    Bad:  It takes 0.5 s. -> Leva 0.5 s.
    Bad:  1,000 runs -> 100 execuções
    Good: It took 20 s. -> Levou vinte segundos, sim, 20 segundos.
    Good: It takes 0.5 s for 1,000 runs. -> Leva 0,5 s para 1.000 execuções.
    Good: Python 3.11 and 2 GPUs -> Python 3.11 e duas GPUs
    """
    locale = pair.message.locale
    prose = pair.translated.prose
    written = [numeral.value for numeral in numerals(prose, locale)]
    missing: list[str] = []
    known: set[Decimal | str] = set()
    for numeral in sorted(numerals(pair.english.prose, "en"), key=lambda each: each.version):
        known.update(_readings(numeral, locale))
        found = next((value for value in _readings(numeral, locale) if value in written), None)
        if found is not None:
            written.remove(found)
        elif not spelled(numeral.value, prose, locale):
            missing.append(numeral.text)
    unknown = [value for value in written if value not in known]
    added = [value for value in unknown if not spelled(value, pair.english.prose, "en")]
    for text in missing:
        yield f"the number {quoted(text)} is missing, or not written as in {locale}"
    for value, times in Counter(added).items():
        plain = value if isinstance(value, str) else f"{value.normalize():f}"
        yield f"the number {plain} is not in the English" + (f" ({times} times)" * (times > 1))


def _readings(numeral: Numeral, locale: str) -> Iterator[Decimal | str]:
    """Yield what the English number may be in the translation, the likeliest first."""
    yield numeral.value
    if numeral.version:
        yield reading(numeral.text, locale)
