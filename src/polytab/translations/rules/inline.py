"""What stands inside a sentence stays: code, formulas, placeholders, emphasis, other markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.translations.rules.pair import differences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.translations.rules.pair import Pair


def inline_code(pair: Pair) -> Iterator[str]:
    """Keep code as it is: what a reader copies must run. How often it is named is free.

    Bad:  Call `net(x)`. -> Chame `rede(x)`.
    Bad:  Call `net`. -> Chame a rede.
    Good: Call `net(x)`. -> Chame `net(x)`.
    Good: Call `net`. It learns. -> Chame `net`, pois `net` aprende.
    """
    yield from differences(pair, "code", counted=False)


def math(pair: Pair) -> Iterator[str]:
    """Keep formulas as they are.

    Bad:  In {math}`O(n)` steps. -> Em {math}`O(n^2)` passos.
    Good: In {math}`O(n)` steps. -> Em {math}`O(n)` passos.
    """
    yield from differences(pair, "math")


def attributes(pair: Pair) -> Iterator[str]:
    """Add no `{.class #id}`.

    Bad:  Call `net`. -> Chame `net`{.hidden}.
    Good: Call `net`. -> Chame `net`.
    """
    yield from differences(pair, "attribute")


def placeholders(pair: Pair) -> Iterator[str]:
    """Keep every place that is filled in later.

    Bad:  {count} pages on %(site)s -> {conta} páginas em %(site)s
    Good: {count} pages on %(site)s -> {count} páginas em %(site)s
    """
    yield from differences(pair, "placeholder")


def other_markup(pair: Pair) -> Iterator[str]:
    r"""Keep whatever else MyST reads in the English, as it stands.

    Bad:  Yes. -> Sim\↵não.
    Good: Yes. -> Sim.
    """
    yield from differences(pair, "markup")


def unrendered_emphasis(pair: Pair) -> Iterator[str]:
    """Put marks outside of emphasis: between a mark and a letter, `**` stays two stars.

    Bad:  The **important** part -> **“重要”**部分
    Good: The **important** part -> “**重要**”部分
    """
    english, translated = pair.english.prose, pair.translated.prose
    for sign in "*_":
        if translated.count(sign) > english.count(sign):
            yield (
                f"`{sign}` is shown as it stands: open and close emphasis beside a letter, "
                "with punctuation outside of it"
            )


def emphasis(pair: Pair) -> Iterator[str]:
    """Keep emphasis and its kind.

    Bad:  The *fast* path -> O caminho **rápido**
    Good: The *fast* path -> O caminho *rápido*
    """
    if not any(unrendered_emphasis(pair)):
        yield from differences(pair, "emphasis")
