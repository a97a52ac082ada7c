"""The source of a page, read without the engine: numbers, tables, verdicts in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPEN = re.compile(r"^(:{3,}|`{3,})\{([\w-]+)\} *(.*)$")
_CLOSE = re.compile(r"^(:{3,}|`{3,})$")
_ROLE = re.compile(r"\{(ratio|measured)\}`([^`]+)`")
_OF_RESULT = re.compile(r"^:(page|framework): *(.+)$")
_DERIVED = re.compile(r" (break-even|excess|share)$")
_ROW = re.compile(r"^\| ([^|]+?) \|")
_KINDS = ("first call", "memory", "rate", "bandwidth")


@dataclass(frozen=True)
class Number:
    """A `{ratio}` or `{measured}`.

    `tab` is the framework's title, in a tab or at the head of a table's row, its name in a
    `{result}`, or "" outside of these; `page` is that of a result, or "" outside.
    """

    page: str
    tab: str
    benchmark: str
    a: str
    b: str = ""
    kind: str = ""


@dataclass
class Verdict:
    """A verdict with its branches: outcome -> the text and the numbers in it."""

    page: str
    tab: str
    benchmark: str
    a: str
    b: str
    branches: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, list[Number]] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A `{benchmark}` or a `{roofline}`, whose table the page shows."""

    page: str
    tab: str
    benchmark: str


Piece = Number | Verdict | Table


def pieces(text: str) -> Iterator[Piece]:  # noqa: C901  # a machine with one state
    """Yield what a page shows of its measurements, in its order."""
    stack: list[tuple[str, str, str]] = []
    verdict: Verdict | None = None
    result: dict[str, str] = {}
    for line in text.split("\n"):
        opened, closed = _OPEN.match(line), _CLOSE.match(line)
        tab = next((each[2] for each in reversed(stack) if each[1] == "group-tab"), "")
        page, tab = result.get("page", ""), result.get("framework", tab)
        if opened:
            stack.append((opened[1], opened[2], opened[3].strip()))
            if opened[2] == "verdict":
                benchmark, a, b = compared(opened[3])
                verdict = Verdict(page, tab, benchmark, a, b)
            elif opened[2] == "when" and verdict:
                verdict.branches[opened[3].strip()] = []
                verdict.numbers[opened[3].strip()] = []
            elif opened[2] in {"benchmark", "roofline"}:
                yield Table(page, tab, opened[3].split(";")[0].strip())
        elif closed and stack and stack[-1][0] == closed[1]:
            _, name, _ = stack.pop()
            if name == "result":
                result = {}
            if name == "verdict" and verdict:
                yield verdict
                verdict = None
        elif stack and stack[-1][1] == "result" and (option := _OF_RESULT.match(line)):
            result[option[1]] = option[2].strip()
        elif not (stack and stack[-1][0].startswith("`")):
            row = _ROW.match(line)  # of a framework, which the numbers are of
            of = row[1] if row and not tab else tab
            numbers = [_number(page, of, *found) for found in _ROLE.findall(line)]
            if verdict and stack[-1][1] == "when":
                verdict.branches[stack[-1][2]].append(line)
                verdict.numbers[stack[-1][2]] += numbers
            else:
                yield from numbers


def compared(text: str) -> tuple[str, str, str]:
    """Return benchmark and cases of `benchmark: a vs b at 8`."""
    benchmark, _, rest = text.strip().partition(": ")
    a, _, b = (part.strip() for part in rest.partition(" vs "))
    at = re.search(r" at [\d.]+$", b)
    if at and not re.search(r" at [\d.]+$", a):
        a += at[0]
    return benchmark, a, b


def _number(page: str, tab: str, role: str, text: str) -> Number:
    if role == "ratio":
        return Number(page, tab, *compared(text))
    benchmark, _, case = text.partition(": ")
    if derived := _DERIVED.search(text):
        return Number(page, tab, *compared(text[: derived.start()]), kind=derived[1])
    kind = next((each for each in _KINDS if case.endswith(f" {each}")), "")
    return Number(page, tab, benchmark, case.removesuffix(f" {kind}") if kind else case, kind=kind)
