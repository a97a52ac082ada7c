"""The blocks of a translation are those of its English: it adds no fence, HTML or definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.translations.rules.pair import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.translations.rules.pair import Pair

_FENCES = ("fence", "colon_fence")
_FORBIDDEN = (
    *_FENCES,
    "front_matter",
    "html_block",
    "substitution_block",
    "myst_target",
    "myst_line_comment",
    "definition",
    "footnote_reference_open",
)


def directives(pair: Pair) -> Iterator[str]:
    """Open no fence: directives run code and read files.

    Bad:  Yes. -> :::{include} /etc/passwd
    Good: Yes. -> Sim.
    """
    if pair.translated.has(*_FENCES):
        yield "a directive or a block of code: remove the fence"


def raw_html(pair: Pair) -> Iterator[str]:
    """Write no HTML, not even where the English has some.

    Bad:  Faster. -> <b>Mais rápido.</b>
    Bad:  Yes. -> <script>alert(1)</script>
    Good: Use **less**. -> Use **menos**.
    """
    if pair.translated.has("html_block"):
        yield "a block of HTML: write Markdown"
    for tag in pair.translated.values("html"):
        yield f"HTML {quoted(tag)}: write Markdown"


def substitutions(pair: Pair) -> Iterator[str]:
    """Write no `{{ }}`: what stands inside is run as a template.

    Bad:  Yes. -> Sim {{ x }}.
    Bad:  Yes. -> {{ x }}
    Good: Yes. -> Sim.
    """
    if pair.translated.has("substitution_block") or pair.translated.values("substitution"):
        yield "`{{ … }}` runs what stands inside: remove it"


def targets(pair: Pair) -> Iterator[str]:
    """Define no label: labels belong to the English page.

    Bad:  Yes. -> (sim)=
    Good: Yes. -> (sim)
    """
    if pair.translated.has("myst_target"):
        yield "`(label)=` defines a label: remove it"


def comments(pair: Pair) -> Iterator[str]:
    """Begin with no `%`: the reader would see nothing of it.

    Bad:  Yes. -> % Sim.
    Good: Yes, 100%. -> Sim, 100%.
    """
    if pair.translated.has("myst_line_comment"):
        yield "`%` at the beginning makes a comment of it all: put a word before it"


def definitions(pair: Pair) -> Iterator[str]:
    """Define no address and no footnote: they belong to the English page.

    Bad:  Yes. -> [sim]: https://example.org
    Bad:  Yes. -> [^1]: Sim.
    Good: Yes. -> Sim: é isso.
    """
    if pair.translated.has("definition", "footnote_reference_open"):
        yield "this defines an address or a footnote: write it as a sentence"


def blocks(pair: Pair) -> Iterator[str]:
    """Write the blocks that the English has: a paragraph stays a paragraph.

    Bad:  Yes. -> # Sim
    Bad:  Yes. -> - Sim
    Bad:  First, compile. -> 1. Compile.
    Good: First, compile. -> Primeiro, compile.
    """
    if pair.translated.blocks == pair.english.blocks or pair.translated.has(*_FORBIDDEN):
        return  # a forbidden block is named by the rule that forbids it
    kinds = [block.kind.removesuffix("_open") for block in pair.translated.blocks]
    shown = next((kind for kind in kinds if kind not in {"paragraph", "inline"}), None)
    if shown is None:
        yield "the blocks of the English are not those of the translation: write one paragraph"
    else:
        yield (
            f"the beginning makes a `{shown}` of the translation: "
            "put a word or a backslash before its first sign"
        )
