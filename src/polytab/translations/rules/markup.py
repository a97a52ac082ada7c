"""The structure of a translation: what MyST reads in it is what MyST reads in the English."""

from __future__ import annotations

from collections import Counter
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


def links(pair: Pair) -> Iterator[str]:
    """Keep every link and its address; the text of a link is translated.

    Bad:  See [here](https://docs.python.org). -> Veja [aqui](https://example.org).
    Bad:  See https://docs.python.org. -> Veja a documentação.
    Good: See [here](https://docs.python.org). -> Veja [aqui](https://docs.python.org).
    """
    yield from _differences(pair, "link", "address")


def images(pair: Pair) -> Iterator[str]:
    """Keep every image and its address.

    Bad:  ![a graph](graph.png) -> ![um grafo](../../etc/passwd)
    Good: ![a graph](graph.png) -> ![um grafo](graph.png)
    """
    yield from _differences(pair, "image")


def roles(pair: Pair) -> Iterator[str]:
    """Keep every role and its target; text before `<target>` is translated.

    Bad:  See {ref}`the start <start>`. -> Veja {download}`o início <start>`.
    Bad:  See {ref}`the start <start>`. -> Veja {ref}`o início <inicio>`.
    Good: See {ref}`the start <start>`. -> Veja {ref}`o início <start>`.
    """
    yield from _differences(pair, "role")


def inline_code(pair: Pair) -> Iterator[str]:
    """Keep code as it is: what a reader copies must run.

    Bad:  Call `net(x)`. -> Chame `rede(x)`.
    Good: Call `net(x)`. -> Chame `net(x)`.
    """
    yield from _differences(pair, "code")


def math(pair: Pair) -> Iterator[str]:
    """Keep formulas as they are.

    Bad:  In {math}`O(n)` steps. -> Em {math}`O(n^2)` passos.
    Good: In {math}`O(n)` steps. -> Em {math}`O(n)` passos.
    """
    yield from _differences(pair, "math")


def footnotes(pair: Pair) -> Iterator[str]:
    """Keep the footnotes, in the order of the English: Sphinx pairs them by place.

    Bad:  Faster[^cpu] and smaller[^size]. -> Menor[^size] e mais rápido[^cpu].
    Good: Faster[^cpu] and smaller[^size]. -> Mais rápido[^cpu] e menor[^size].
    """
    english, translated = pair.english.values("footnote"), pair.translated.values("footnote")
    if english != translated:
        labels = " ".join(f"[^{label}]" for label in english) or "none"
        yield f"the English has these footnotes, in this order: {labels}; write the same"


def attributes(pair: Pair) -> Iterator[str]:
    """Add no `{.class #id}`.

    Bad:  Call `net`. -> Chame `net`{.hidden}.
    Good: Call `net`. -> Chame `net`.
    """
    yield from _differences(pair, "attribute")


def placeholders(pair: Pair) -> Iterator[str]:
    """Keep every place that is filled in later.

    Bad:  {count} pages on %(site)s -> {conta} páginas em %(site)s
    Good: {count} pages on %(site)s -> {count} páginas em %(site)s
    """
    yield from _differences(pair, "placeholder")


def other_markup(pair: Pair) -> Iterator[str]:
    r"""Keep whatever else MyST reads in the English, as it stands.

    Bad:  Yes. -> Sim\↵não.
    Good: Yes. -> Sim.
    """
    yield from _differences(pair, "markup")


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
        yield from _differences(pair, "emphasis")


def _differences(pair: Pair, *kinds: str) -> Iterator[str]:
    """Compare the parts of some kinds, in any order, each as often as it is there."""
    for kind in kinds:
        english, translated = pair.english.values(kind), pair.translated.values(kind)
        if english == translated:
            continue  # the same order too, as nearly always: nothing to count
        for value in Counter(english) - Counter(translated):
            yield f"{kind} {quoted(value)} of the English is missing: write it as it stands there"
        for value in Counter(translated) - Counter(english):
            yield f"{kind} {quoted(value)} is not in the English: remove it, or write what is there"
