"""Where a page asks for a measurement: its `{ratio}`, `{verdict}`, `{benchmark}` and their like.

    {ratio}`join: loop vs merge`        asks for two cases of `join`
    {benchmark} join                    asks for all of it
    :peak: product: product at 2048     asks for one case, in a `{roofline}`

Law, guarded by tests/pages/markdown/test_questions.py: a question has its line in the page and the
tab that it stands in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import Finding
from polytab.pages.markdown.allowed import TABS
from polytab.pages.markdown.walk import walk
from polytab.pages.numbers.expressions import parse_comparison, parse_measured, parse_quantity
from polytab.pages.numbers.results import number_in_heading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.pages.markdown.walk import Block, Directive
    from polytab.pages.numbers.expressions import Comparison, DerivedQuantity, Quantity

NUMBERS = frozenset({"ratio", "measured"})
"""The roles that put one number into a sentence."""

_OPTION = re.compile(r"^\s*:(\w+):\s*(.*?)\s*$", re.MULTILINE)
_ROOF = re.compile(r"^\s*:(?:peak|bandwidth):(?P<cases>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """A place that asks for a measurement, in the words of its author."""

    line: int
    kind: str
    """`ratio`, `measured`, `verdict`, `benchmark`, or `roof`: a case that limits a roofline."""

    text: str
    tab: str | None = None
    """The label of the tab around it, or the first cell of the row of a `{glance}`."""

    in_branch: bool = False
    in_heading: bool = False
    page: str | None = None
    """The page whose measurements it shows, in a `{result}`; None for its own page."""

    framework: str | None = None
    """The framework that the `{result}` is of, if it names one."""

    def asked(self) -> Comparison | Quantity | DerivedQuantity | None:
        """Return the cases it names; None where it asks for a whole benchmark.

        Raises PolytabError where it is not written as it must be.
        """
        if self.in_heading:
            raise number_in_heading()
        if self.kind == "benchmark":
            return None
        if self.kind == "measured":
            return parse_measured(self.text)
        return parse_quantity(self.text) if self.kind == "roof" else parse_comparison(self.text)


def check_questions(file: Path, text: str) -> Iterator[Finding]:
    """Find the questions that are not written as they must be; what was measured is not looked at.

    Those of verdicts are found with their branches.
    """
    for question in questions_of(text):
        try:
            question.asked()
        except PolytabError as error:
            if question.kind != "verdict":
                yield Finding(file, question.line, "number", error.in_a_line)


def questions_of(text: str) -> Iterator[Question]:
    """Return the questions of a page, in their order."""
    above, row = "", None
    for block in walk(text):
        token = block.token
        if token.type in {"tr_open", "table_close"}:
            row = None
        if token.type == "inline":
            in_glance = bool(block.within) and block.within[-1].name == "glance"
            if in_glance and row is None:
                row = token.content.strip()
            tab = row if in_glance else _tab(block)
            yield from _in_sentence(block, tab, in_heading=above == "heading_open")
        elif block.directive:
            yield from _of_directive(block, block.directive)
        above = token.type


def _in_sentence(block: Block, tab: str | None, *, in_heading: bool) -> Iterator[Question]:
    """Return the roles of a paragraph, heading or table cell, each with its own line."""
    line = block.line
    in_branch = any(each.name == "when" for each in block.within)
    for token in block.token.children or ():
        if token.type in {"softbreak", "hardbreak"}:
            line += 1
        elif token.type == "myst_role" and token.meta["name"] in NUMBERS:
            kind, text = token.meta["name"], " ".join(token.content.split())
            yield Question(line, kind, text, tab, in_branch, in_heading, *_result(block))


def _of_directive(block: Block, called: Directive) -> Iterator[Question]:
    argument = " ".join(called.argument.split())
    asked: list[tuple[str, str]] = []
    if called.name in {"benchmark", "verdict"}:
        asked = [(called.name, argument)]
    elif called.name == "roofline":
        roofs = (each["cases"] for each in _ROOF.finditer(called.options))
        asked = [("benchmark", each) for each in argument.split(";")]
        limits = [each for cases in roofs for each in cases.split(";")]
        asked += [("roof" if ":" in each else "benchmark", each) for each in limits]
    page, framework = _result(block)
    for kind, text in asked:
        if text.strip():
            name = text.strip()
            yield Question(block.line, kind, name, _tab(block), page=page, framework=framework)


def _result(block: Block) -> tuple[str | None, str | None]:
    """Return the page and the framework of the `{result}` around a block."""
    for around in block.within:
        if around.name == "result":
            options = dict(_OPTION.findall(around.options))
            return options.get("page"), options.get("framework")
    return None, None


def _tab(block: Block) -> str | None:
    tabs = [each.argument.strip() for each in block.within if each.name in TABS]
    return tabs[-1] if tabs else None
