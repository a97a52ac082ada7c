"""A message is code: every translation is checked before Sphinx sees it.

    Message --size--> tokens --rules--> findings, or a translation that may be compiled

What a translation can do to a build without it: tests/translations/test_stock_sphinx.py.

The rules are in `rules`; the lists here say which apply where. Laws, with their guards in
tests/translations/rules/test_lint.py:

- a message that is its own translation passes the rules of markup (test_a_copy_passes);
- a link, role, piece of code or footnote that is dropped, added or altered is found
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
from polytab.translations.rules import markup, text, typography, words
from polytab.translations.rules.glossary import Glossary
from polytab.translations.rules.pair import Pair
from polytab.translations.rules.structure import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from polytab.translations.rules.message import Message
    from polytab.translations.rules.pair import Rule

MARKUP: tuple[Rule, ...] = (
    text.one_line,
    text.outer_space,
    text.noqa,
    text.literal_marker,
    text.front_matter,
    markup.directives,
    markup.raw_html,
    markup.substitutions,
    markup.targets,
    markup.comments,
    markup.definitions,
    markup.blocks,
    markup.links,
    markup.images,
    markup.roles,
    markup.inline_code,
    markup.math,
    markup.footnotes,
    markup.attributes,
    markup.placeholders,
    markup.other_markup,
    markup.unrendered_emphasis,
    markup.emphasis,
)
"""What keeps a message of a page harmless, and of the shape of its English."""

PLAIN: tuple[Rule, ...] = (
    text.one_line,
    text.outer_space,
    text.html_signs,
    markup.links,
    markup.placeholders,
)
"""The same for a message that is no Markdown."""

LANGUAGE: tuple[Rule, ...] = (
    text.characters,
    words.numbers,
    words.glossary,
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
        rest is shown as text.
        """
        return self.fits and not self.findings


def lint_messages(messages: Iterable[Message], glossary: Glossary = _NO_TERMS) -> Iterator[Checked]:
    """Check the messages of pages, in their order; untranslated ones neither fail nor pass."""
    for message in messages:
        findings = lint_message(message, glossary)
        fits = bool(message.translation) and not findings
        if fits and message.outdated:
            fits = not lint(Pair(replace(message, outdated=False), glossary), MARKUP)
        yield Checked(message, findings, fits)


def lint_message(message: Message, glossary: Glossary = _NO_TERMS) -> tuple[Finding, ...]:
    """Check a message of a page, against its previous English where it is outdated."""
    return lint(Pair(message, glossary), (*MARKUP, *LANGUAGE))


def lint_plain(message: Message, glossary: Glossary = _NO_TERMS) -> tuple[Finding, ...]:
    """Check a message that is no Markdown: a comment in code, a word of the interface."""
    return lint(Pair(message, glossary, plain), (*PLAIN, *LANGUAGE))


def lint(pair: Pair, rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Run rules over a message; where its size is refused, nothing parses it."""
    if not pair.message.translation:
        return ()
    return tuple(_findings(pair, (text.size,))) or tuple(_findings(pair, rules))


def _findings(pair: Pair, rules: Sequence[Rule]) -> Iterator[Finding]:
    for rule in rules:
        for complaint in islice(rule(pair), _MOST):
            yield Finding(pair.message.file, pair.message.line, _name(rule), complaint)


def _name(rule: Rule) -> str:
    return rule.__name__.replace("_", "-")
