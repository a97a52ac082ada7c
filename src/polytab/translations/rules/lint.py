"""A message is code: every translation is checked before Sphinx sees it.

    Message --size--> tokens --rules--> findings, or a translation that may be compiled

What a translation can do to a build without it: tests/translations/test_stock_sphinx.py.

The rules are in `rules`; the lists here say which apply where. Laws, with their guards in
tests/translations/rules/test_lint.py:

- a message that is its own translation passes the rules of markup (test_a_copy_passes);
- a link, role, piece of code or footnote that is dropped, added or altered is found, but for the
  second mention of a piece of code
  (test_every_structural_change_is_found);
- what passes for a plain sentence is one to MyST, too
  (test_what_passes_for_prose_is_prose_to_myst);
- any text at all gets findings, never a traceback (test_no_text_breaks_the_lint).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from polytab.model import Finding
from polytab.translations.rules import (
    blocks,
    characters,
    glossary,
    inline,
    links,
    numbers,
    typography,
)
from polytab.translations.rules.glossary import Glossary
from polytab.translations.rules.pair import Pair
from polytab.translations.rules.structure import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from polytab.translations.rules.message import Message
    from polytab.translations.rules.pair import Rule

MARKUP: tuple[Rule, ...] = (
    characters.one_line,
    characters.outer_space,
    characters.noqa,
    characters.literal_marker,
    characters.front_matter,
    blocks.directives,
    blocks.raw_html,
    blocks.substitutions,
    blocks.targets,
    blocks.comments,
    blocks.definitions,
    blocks.blocks,
    links.links,
    links.schemes,
    links.images,
    links.roles,
    inline.inline_code,
    inline.math,
    links.footnotes,
    inline.attributes,
    inline.placeholders,
    inline.other_markup,
    inline.unrendered_emphasis,
    inline.emphasis,
)
"""What keeps a message of a page harmless, and of the shape of its English."""

PLAIN: tuple[Rule, ...] = (
    characters.one_line,
    characters.outer_space,
    characters.html_signs,
    links.links,
    links.schemes,
    inline.placeholders,
)
"""The same for a message that is no Markdown."""

LANGUAGE: tuple[Rule, ...] = (
    characters.characters,
    characters.one_script,
    numbers.numbers,
    glossary.glossary,
    typography.cjk_space,
    typography.punctuation,
    typography.full_width_letters,
)
"""What a translation says, and how it is set."""

_MOST = 5  # complaints of one rule about one message; a stranger cannot flood the report
_NO_TERMS = Glossary()


@dataclass(frozen=True)
class Checked:
    """A message, what the lint has against it, and whether it fits the English of today."""

    message: Message
    findings: tuple[Finding, ...]
    fits: bool

    @property
    def passed(self) -> bool:
        """Tell whether Sphinx may see the translation.

        An outdated message without findings is right for its previous English, but that stands
        in the catalog too. So only what also has the shape of the present English is parsed; the
        rest is shown as characters.
        """
        return self.fits and not self.findings


def lint_messages(messages: Iterable[Message], terms: Glossary = _NO_TERMS) -> Iterator[Checked]:
    """Check the messages of pages, in their order; untranslated ones neither fail nor pass."""
    for message in messages:
        findings = lint_message(message, terms)
        fits = bool(message.translation) and not findings
        if fits and message.outdated:
            fits = not lint(Pair(replace(message, outdated=False), terms), MARKUP)
        yield Checked(message, findings, fits)


def lint_message(message: Message, terms: Glossary = _NO_TERMS) -> tuple[Finding, ...]:
    """Check a message of a page, against its previous English where it is outdated."""
    return lint(Pair(message, terms), (*MARKUP, *LANGUAGE))


def lint_plain(message: Message, terms: Glossary = _NO_TERMS) -> tuple[Finding, ...]:
    """Check a message that is no Markdown: a comment in code, a word of the interface."""
    return lint(Pair(message, terms, plain), (*PLAIN, *LANGUAGE))


def lint(pair: Pair, rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Run rules over a message; where its size is refused, nothing parses it."""
    if not pair.message.translation:
        return ()
    return tuple(_findings(pair, (characters.size,))) or tuple(_findings(pair, rules))


def _findings(pair: Pair, rules: Sequence[Rule]) -> Iterator[Finding]:
    for rule in rules:
        for complaint in islice(rule(pair), _MOST):
            yield Finding(pair.message.file, pair.message.line, _name(rule), complaint)


def _name(rule: Rule) -> str:
    return rule.__name__.replace("_", "-")
