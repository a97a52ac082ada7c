"""Hand-written claims about speed: what a page says of times must come from a measurement.

A rule is a generator of findings; its name is the rule's. Code, literals, roles and the options
of directives are no prose, and a `{when}` branch says what a measurement has decided. A claim
that needs no measurement is excused, with its reason, in a comment directly above its block:

    % claim: arithmetic, not a measurement
    Half of 3 s is 1.5 s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

from polytab.model import Finding
from polytab.pages.markdown.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from markdown_it.token import Token

    from polytab.pages.markdown.walk import Block

_UNIT = (
    r"ns|[µμu]s|ms|s|secs?|seconds?|(?:nano|micro|milli)seconds?|minutes?|hours?"
    r"|times|fold|per ?cent"
)
_BY = r"[x\N{MULTIPLICATION SIGN}]"
_WORD = r"two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:\d[\d.,]*|(?:{_WORD}))[\s-]?(?:(?:{_UNIT})(?!\w)|%|{_BY}(?!\s*\w))",
    re.IGNORECASE,
)
_FASTER = re.compile(
    r"\b(?:(?:fast|slow|quick)(?:er|est)|outperform\w*|accelerat(?:e[sd]?|ing|ion)|sped up"
    r"|(?:speed|slow)(?:s|ing)? (?:\w+ )?(?:up|down)|(?:less|more) time"
    r"|(?:twice|half|times) as (?:fast|quick|slow)|as (?:fast|quick|slow) as)\b",
    re.IGNORECASE,
)
_BETTER = (
    r"(?:better|worse|higher|lower|shorter|longer|greater|smaller|more|less|much|no|little"
    r"|twice|half|halv\w+|doubl\w+|improv\w+|reduc\w+|gain\w*|sav(?:e|es|ed|ing)"
    r"|significant\w*|considerabl[ey]|meaningful\w*|substantial\w*|slight\w*)"
)
_SPEED = r"(?:speed-?ups?|slow-?downs?|performance|latency|throughput|overhead|efficien\w+)"
_NEAR = r"(?:\W+\w+){0,3}\W+"
_IMPROVED = re.compile(rf"\b(?:{_BETTER}{_NEAR}{_SPEED}|{_SPEED}{_NEAR}{_BETTER})\b", re.IGNORECASE)

_EXCUSE = re.compile(r"\s*claim:\s*(?P<reason>.*?)\s*", re.DOTALL)
_TITLED = {"admonition", "list-table", "result", "table"}
_NO_PROSE = frozenset({"benchmark", "code-cell", "snippet", "when"})
"""Directives that hold no prose, beside those that hold no Markdown."""


@dataclass(frozen=True)
class Excuse:
    """A reason why a block may claim what it claims; `covers` are lines of the page."""

    line: int
    reason: str
    covers: range


@dataclass(frozen=True)
class Prose:
    """The prose of one paragraph, heading or table cell; its newlines are those of the page."""

    file: Path
    line: int
    text: str
    excuse: Excuse | None

    def findings(self, rule: str, pattern: re.Pattern[str], what: str) -> Iterator[Finding]:
        """Find a pattern in what is stated; a question states nothing."""
        for match in pattern.finditer(self.text):
            if _ends_as_question(self.text, match.end()):
                continue
            line = self.line + self.text.count("\n", 0, match.start())
            said = " ".join(match[0].split())
            yield Finding(self.file, line, rule, f"`{said}` {what}")


def claims_of(file: Path, text: str) -> Iterator[Finding]:
    """Find the claims of one page, and its excuses that excuse nothing."""
    read = list(_read(file, text))
    used: set[Excuse] = set()
    for prose in read:
        if isinstance(prose, Excuse):
            continue
        found = [*measured_number(prose), *comparison(prose)]
        if prose.excuse is None:
            yield from found
        elif found:
            used.add(prose.excuse)
    for each in read:
        if isinstance(each, Excuse):
            yield from excuse(file, each, needed=each in used)


def measured_number(prose: Prose) -> Iterator[Finding]:
    """Find a time or a factor that was written by hand.

    Bad:  A pass takes 3.4 ms, twelve per cent less.
    Good: A pass takes {measured}`forward: compiled`.
    """
    what = "is a number that the next recording may contradict: use {measured} or {ratio}"
    yield from prose.findings("measured-number", _NUMBER, what)


def comparison(prose: Prose) -> Iterator[Finding]:
    """Find a comparison of speed that was written by hand.

    Bad:  The compiled network is faster.
    Good: Is the compiled network faster? (and a {verdict} that answers)
    """
    what = "is a claim that the next recording may contradict: use {verdict}"
    yield from prose.findings("comparison", _FASTER, what)
    yield from prose.findings("comparison", _IMPROVED, what)


def excuse(file: Path, found: Excuse, *, needed: bool) -> Iterator[Finding]:
    """Find an excuse that gives no reason, or that nothing needs.

    Bad:  % claim:
    Good: % claim: the definition of a speed-up
    """
    if not found.reason:
        yield Finding(file, found.line, "excuse", "say why: `% claim: reason`")
    elif not needed:
        yield Finding(file, found.line, "excuse", "the block below claims nothing: drop the excuse")


def _read(file: Path, text: str) -> Iterator[Prose | Excuse]:
    """Read the excuses of a page, and its prose with the innermost excuse each has."""
    blocks = list(walk(text))
    excuses = [
        (len(comment.within), Excuse(comment.line, match["reason"], _lines_below(comment, block)))
        for comment, block in zip_longest(blocks, blocks[1:])
        if comment.token.type == "myst_line_comment"
        if (match := _EXCUSE.fullmatch(comment.token.content))
    ]
    yield from (each for _, each in excuses)
    for block in blocks:
        covering = [each for each in excuses if block.line in each[1].covers]
        _, excused = max(covering, key=itemgetter(0), default=(0, None))
        if block.inside(_NO_PROSE):
            continue
        if block.token.type == "inline":
            yield Prose(file, block.line, _prose(block.token), excused)
        elif block.directive and block.directive.name in _TITLED:
            yield Prose(file, block.line, block.directive.argument, excused)


def _lines_below(comment: Block, block: Block | None) -> range:
    """Return the lines of the block that a comment stands directly above."""
    if block is None or block.within != comment.within or block.line != comment.end:
        return range(0)
    return range(block.line, block.end)


def _prose(inline: Token) -> str:
    """Return what a reader hears; what is no prose leaves a mark, so that words stay apart."""
    said = {"softbreak": "\n", "hardbreak": "\n"}
    spoken = (
        token.content
        if token.type == "text"
        else said.get(token.type, "" if token.nesting else "|")
        for token in inline.children or ()
    )
    return "".join(spoken)


def _ends_as_question(prose: str, at: int) -> bool:
    end = re.compile(r"[.!?](?=\s|$)").search(prose, at)
    return end is not None and end[0] == "?"
