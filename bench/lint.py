"""How long the lint takes for 10,000 messages, beside MyST's tokenizer alone on the same texts.

Run it with `python bench/lint.py`. The messages are the good ones of the test corpus, three joined
into a paragraph; each side is tokenised once, with or without the lint.
"""

from __future__ import annotations

import sys
import time
from itertools import cycle, islice
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.translations.corpus import cases

from polytab.translations.rules.glossary import Glossary, Term
from polytab.translations.rules.lint import lint_messages
from polytab.translations.rules.message import Message
from polytab.translations.rules.structure import tokenise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MESSAGES = 10_000
RUNS = 3
TERMS = 200
GLOSSARY = Glossary(tuple(Term(f"unused term {number}", ("x",)) for number in range(TERMS)))


def paragraphs() -> list[Message]:
    """Join the good messages of each language into paragraphs, over and over."""
    good = [case.message for case in cases() if case.name.startswith("good-")]
    found: list[Message] = []
    for locale in ("pt_BR", "zh_CN"):
        own = cycle([message for message in good if message.locale == locale])
        for number in range(MESSAGES // 2):
            three = list(islice(own, 3))
            source = " ".join(message.source for message in three)
            joint = " " if locale == "pt_BR" else ""
            translation = joint.join(message.translation for message in three)
            found.append(Message(source, translation, Path("page.po"), number, locale))
    return found


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work, the median of a few runs."""
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return median(times)


def tokenise_all(messages: Sequence[Message]) -> None:
    """Read both sides of each message, and look at nothing."""
    for message in messages:
        tokenise(message.source, {})
        tokenise(message.translation, {})


def main() -> None:
    """Measure and print."""
    messages = paragraphs()
    length = mean(len(message.source) for message in messages)
    lint = seconds(lambda: list(lint_messages(messages, GLOSSARY)))
    plain = seconds(lambda: tokenise_all(messages))
    refused = sum(not checked.passed for checked in lint_messages(messages, GLOSSARY))
    print(f"{MESSAGES} messages, {length:.0f} characters of English each, {TERMS} terms")
    print(f"lint: {lint:.1f} CPU s, tokenising alone: {plain:.1f} CPU s, ratio {lint / plain:.2f}")
    print(f"refused: {refused}")


if __name__ == "__main__":
    main()
