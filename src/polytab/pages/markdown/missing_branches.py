"""The branches that each `{verdict}` of a page has and lacks, read from its text alone.

`faster` and `slower` are needed. `same` with a bound of the author's stands where sameness is the
point. What any other result says is the engine's (`numbers/open_results`), never an author's. A
build warns of the same.

A ratio in a branch may be below 1 whatever is measured: where `a vs b` is faster, that of `b vs a`.
"Takes 0.25 times as long" reads badly, and was mostly meant to be 4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import Finding
from polytab.pages.markdown.walk import walk
from polytab.pages.numbers.expressions import Comparison, parse_comparison
from polytab.recordings.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from polytab.pages.markdown.walk import Block

_RULE = "verdict"
_NEEDED = (Verdict.FASTER.value, Verdict.SLOWER.value)
_SAME = re.compile(r"same +(?P<percent>[1-9]\d?|100) ?%")
_ENGINES_HINT = (
    "what an open result says is not written by hand: delete the branch; what holds whatever the "
    "verdict stands after it; where sameness is the point, write `{when} same 25%`"
)

_RATIO = re.compile(r"\{ratio\}`([^`]+)`")

NOTHING_ELSE = "a verdict holds `{when}` branches and nothing else"
STRAY = "a `{when}` stands outside a `{verdict}`"


@dataclass(frozen=True)
class Branch:
    """A `{when}`: the outcome it is for, the bound of `same`, and whether it says something."""

    outcome: str
    bound: float | None
    says_something: bool


def read_branch(outcome: str, *, says_something: bool) -> Branch:
    """Read the argument of a `{when}`, such as `faster` or `same 25%`."""
    same = _SAME.fullmatch(outcome)
    if same is None:
        return Branch(outcome, None, says_something)
    return Branch("same", int(same["percent"]) / 100, says_something)


def find_branch_problems(branches: Sequence[Branch]) -> Iterator[tuple[int | None, PolytabError]]:
    """Find what is wrong with the branches of a verdict, each with the number of its branch.

    What is wrong with all of them together has no number.
    """
    outcomes = [each.outcome for each in branches]
    for number, branch in enumerate(branches):
        if problem := _problem(branch):
            yield number, problem
        elif branch.outcome in outcomes[:number]:
            yield number, PolytabError(f"the branch `{branch.outcome}` stands twice")
    missing = [outcome for outcome in _NEEDED if outcome not in outcomes]
    if missing:
        names = ", ".join(f"`{outcome}`" for outcome in missing)
        hint = f"add `{{when}} {missing[0]}`: the next recording may find it true"
        yield None, PolytabError(f"no branch for {names}", hint=hint)


def _problem(branch: Branch) -> PolytabError | None:
    """Say what is wrong with one branch; None if nothing is."""
    outcome = branch.outcome
    same_hint = "write `{when} same 25%`"
    if outcome == "same" and branch.bound is None:
        return PolytabError("`same` has no bound", hint=same_hint)
    if outcome.startswith("same "):
        return PolytabError(f"`{outcome}` has no bound from 1 % to 100 %", hint=same_hint)
    if outcome not in {*_NEEDED, "same"}:
        known = "there are `faster`, `slower` and `same` with a bound"
        return PolytabError(f"`{outcome}` is no branch; {known}", hint=_ENGINES_HINT)
    if not branch.says_something:
        hint = "write what holds then"
        return PolytabError(f"the branch `{outcome}` says nothing", hint=hint)
    return None


def check_branches(file: Path, text: str) -> Iterator[Finding]:
    """Find verdicts that compare nothing, lack a branch or have a wrong one, and stray branches."""
    blocks = list(walk(text))
    for block in blocks:
        if block.directive is None:
            continue
        inside = block.within[-1].name if block.within else None
        if block.directive.name == "verdict":
            for line, error in _problems(block, [each for each in blocks if _in(each, block)]):
                yield Finding(file, line, _RULE, error.in_a_line)
        elif block.directive.name == "when" and inside != "verdict":
            yield Finding(file, block.line, _RULE, STRAY)
        elif block.directive.name == "when":
            yield from _turned_ratios(file, block)


def _in(inner: Block, outer: Block) -> bool:
    """Tell whether a block stands directly in the directive of another."""
    return bool(inner.within) and inner.within[-1] is outer.directive


def _problems(verdict: Block, inside: Sequence[Block]) -> Iterator[tuple[int, PolytabError]]:
    """Find what is wrong with a verdict, each with its line."""
    called = verdict.directive
    try:
        parse_comparison(called.argument if called else "")
    except PolytabError as error:
        yield verdict.line, error
    whens = [each for each in inside if each.directive and each.directive.name == "when"]
    other = [each.line for each in inside if each not in whens]
    if other:
        yield other[0], PolytabError(NOTHING_ELSE, hint="put it before or after the verdict")
    branches = [
        read_branch(each.argument, says_something=bool(each.body.strip()))
        for each in (block.directive for block in whens)
        if each is not None
    ]
    for number, problem in find_branch_problems(branches):
        yield (verdict.line if number is None else whens[number].line), problem


def _turned_ratios(file: Path, branch: Block) -> Iterator[Finding]:
    """Find the ratios of a branch that must be turned round."""
    called = branch.directive
    outcome = called.argument.strip() if called else ""
    small = _below_one(_parsed(branch.within[-1].argument), outcome)
    lines = called.body.splitlines() if called and small else ()
    for number, line in enumerate(lines, start=branch.line + 1):
        for found in _RATIO.finditer(line):
            if small is not None and _parsed(found[1]) == small:
                hint = f"write `{small.benchmark}: {small.b} vs {small.a}`"
                message = f"where it is {outcome}, `{found[1]}` is below 1; {hint}"
                yield Finding(file, number, _RULE, message)


def _below_one(compared: Comparison | None, outcome: str) -> Comparison | None:
    """Return the comparison whose ratio is below 1 where a verdict has this outcome."""
    if compared is None or outcome not in _NEEDED:
        return None
    if outcome == Verdict.SLOWER.value:
        return compared
    return Comparison(compared.benchmark, compared.b, compared.a)


def _parsed(text: str) -> Comparison | None:
    """Parse a comparison; None for what is none."""
    try:
        return parse_comparison(text)
    except PolytabError:
        return None
