"""Every number of the built pages, computed again from the recordings by another program.

Tables, ratios, measured numbers and verdicts of the English pages are compared with what
`numbers` and `source` make of the same recordings and the same Markdown.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from tests.recomputed.numbers import DERIVED, MIME, Case, digits, interval, near, read
from tests.recomputed.source import Number, Table, Verdict, pieces
from tests.support.built import build
from tests.support.worlds import copy_handbook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bs4 import Tag

PAGES = ("asynchronous", "capturing", "compilers", "compiling-in-depth", "hardware", "index",
         "measuring", "parallelism", "when-compiling-pays", "where-the-time-goes")  # fmt: skip
MARGIN = 1.05
MAY = "?"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the English of the handbook; it takes half a minute, once."""
    root = copy_handbook(tmp_path_factory.mktemp("recomputed") / "book")
    assert build(root, language="en").warnings == ""
    return root


@dataclass
class Expected:
    """What a page must show; `near` are verdicts too close to a bound to be told by drawing."""

    numbers: list[str] = field(default_factory=list)
    """Each as it must be shown; behind MAY, as it is shown if a branch near a bound is."""

    tables: list[list[list[str]]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    near: int = 0


class Page:
    """One page of a book, recomputed."""

    def __init__(self, root: Path, name: str) -> None:
        settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["polytab"]
        self.titles = {key: each["title"] for key, each in settings["frameworks"].items()}
        self.source = (root / "docs" / f"{name}.md").read_text("utf-8")
        self.recorded = {
            path.name.partition(".")[0]: read(path)
            for path in (root / "recordings" / name).glob("*.cpu.ipynb")
        }
        self.elsewhere = {
            piece.page: Page(root, piece.page) for piece in pieces(self.source) if piece.page
        }
        html = (root / "_build" / "html" / f"{name}.html").read_text("utf-8")
        article = BeautifulSoup(html, "html.parser").find("article")
        assert article is not None
        self.article: Tag = article

    def of(self, tab: str, benchmark: str, *names: str) -> dict[str, dict[str, Case]]:
        """Return the frameworks that measure these cases, that of a tab alone inside it."""
        return {
            key: cases[benchmark]
            for key in self.titles
            if (cases := self.recorded.get(key)) is not None
            if benchmark in cases and {*names} <= cases[benchmark].keys()
            if tab in {"", key, self.titles[key]}
        }

    def expected(self) -> Expected:
        """Compute what the page must show."""
        expected = Expected()
        for piece in pieces(self.source):
            page = self.elsewhere.get(piece.page, self)
            if isinstance(piece, Number):
                [cases] = page.of(piece.tab, piece.benchmark, piece.a).values()
                expected.numbers.append(written(cases, piece))
            elif isinstance(piece, Table):
                rows = [
                    [*([] if alone else [self.titles[key]]), case.data["name"], *case.row()]
                    for found in [page.of(piece.tab, piece.benchmark)]
                    for alone in [not piece.page and (bool(piece.tab) or {*found} == {"python"})]
                    for key, cases in found.items()
                    for case in cases.values()
                ]
                expected.tables.append(rows)
            else:
                page.judge(piece, expected)
        return expected

    def judge(self, verdict: Verdict, expected: Expected) -> None:
        """Add what a verdict says of each framework, and the numbers in it."""
        alone = bool(verdict.tab) or {*self.of("", verdict.benchmark)} == {"python"}
        shown: dict[str, list[tuple[str, dict[str, Case]]]] = {}
        for key, cases in self.of(verdict.tab, verdict.benchmark, verdict.a, verdict.b).items():
            said = judged(*interval(cases, verdict.a, verdict.b), verdict)
            named = "" if alone else self.titles[key]
            if said is None:
                expected.near += 1
            elif said in verdict.branches:
                first = next(line for line in verdict.branches[said] if line.strip())
                expected.sentences.append(f"{named}|{plain(first)}")
            else:
                expected.sentences.append(f"{named}|{said}")
            for branch in verdict.branches if said is None else [said]:
                shown.setdefault(branch, []).append(("" if said else MAY, cases))
        for branch, numbers in verdict.numbers.items():
            expected.numbers += [
                may + written(cases, number)
                for number in numbers
                for may, cases in shown.get(branch, ())
            ]

    def numbers(self) -> list[str]:
        """Return the numbers in sentences, as the page shows them."""
        return [str(each.contents[0]) for each in self.article.select("span.number")]

    def tables(self) -> list[list[list[str]]]:
        """Return the tables behind the charts."""
        return [
            [[cell.get_text() for cell in row.select("td") if cell.get_text()] for row in body]
            for body in (each.select("tbody tr") for each in self.article.select(".benchmark"))
        ]

    def says(self, title: str, words: str) -> bool:
        """Tell whether a paragraph says this, of the framework of this title if one is given."""
        for paragraph in self.article.select("p"):
            said = " ".join(paragraph.get_text().split()).replace(
                "\N{RIGHT SINGLE QUOTATION MARK}", "'"
            )
            if words in said:
                head = paragraph.strong.get_text() if paragraph.strong else ""
                if title in head or head.startswith("In "):
                    return True
        return False


@functools.cache
def recomputed(root: Path, name: str) -> tuple[Page, Expected]:
    """Return a page with what it must show, computed once."""
    page = Page(root, name)
    return page, page.expected()


def written(cases: dict[str, Case], number: Number) -> str:
    """Write a number as a sentence shows it; where it may be open, all that may stand there."""
    if number.kind:
        if number.b:
            return DERIVED[number.kind](cases[number.a], cases[number.b])
        return cases[number.a].amount(number.kind)
    if number.b:
        return digits(cases[number.b].median / cases[number.a].median, 2, 3)
    return cases[number.a].amount("")


def agree(shown: str, expected: str) -> bool:
    """Tell whether a page shows one of the texts that may stand there."""
    return shown in expected.removeprefix(MAY).split("|")


def disagreeing(shown: Sequence[str], expected: Sequence[str]) -> list[str]:
    """Return what a page shows that must not stand there, or lacks, up to the first of it."""
    reached = {0}  # how many of the expected may be behind us
    for at, number in enumerate(shown):
        reached = {
            place + 1
            for place in skipping(reached, expected)
            if place < len(expected) and agree(number, expected[place])
        }
        if not reached:
            return [*shown[max(0, at - 2) : at + 1]]
    lacking = min(len(expected) - place for place in skipping(reached, expected))
    return [*expected[len(expected) - lacking :]]


def skipping(reached: set[int], expected: Sequence[str]) -> set[int]:
    """Return all places that can be reached past numbers that need not be shown."""
    found: set[int] = set()
    for first in reached:
        place = first
        found.add(place)
        while place < len(expected) and expected[place].startswith(MAY):
            place += 1
            found.add(place)
    return found


def judged(low: float, high: float, verdict: Verdict) -> str | None:
    """Return the branch or the open sentence that is true; None too near to a bound to tell."""
    bounds = [MARGIN, 1.0]
    same = next((each for each in verdict.branches if each.startswith("same")), None)
    bound = 1 + int(re.findall(r"\d+", same)[0]) / 100 if same else 0.0
    bounds += [bound] if same else []
    if near(low, high, bounds):
        return None
    if same and 1 / bound <= low and high <= bound:
        return same
    if low > MARGIN:
        return "faster"
    if high < 1 / MARGIN:
        return "slower"
    if low >= 1 / MARGIN and high <= MARGIN:
        return "about the same time: within 5 %"
    return "perhaps a small one" if low > 1 or high < 1 else "does not decide"


def plain(markdown: str) -> str:
    """Return the words of a line of Markdown up to its first number, link or mark."""
    return re.split(r"[`{\[*_$]", markdown.strip())[0].strip()


def missing(page: Page, expected: Expected) -> Iterator[str]:
    """Yield the sentences that a page must show and does not."""
    for sentence in expected.sentences:
        title, _, words = sentence.partition("|")
        if not page.says(title, words):
            yield f"{title}: {words}"


@pytest.mark.parametrize("name", PAGES)
def test_every_table_holds_what_was_measured(root: Path, name: str) -> None:
    page, expected = recomputed(root, name)
    assert page.tables() == expected.tables


@pytest.mark.parametrize("name", PAGES)
def test_every_number_in_a_sentence_is_what_was_measured(root: Path, name: str) -> None:
    page, expected = recomputed(root, name)
    assert disagreeing(page.numbers(), expected.numbers) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_verdict_is_what_the_interval_says(root: Path, name: str) -> None:
    page, expected = recomputed(root, name)
    assert list(missing(page, expected)) == []


def test_most_verdicts_are_far_enough_from_a_bound_to_be_told(root: Path) -> None:
    """On a page of ways that are about equal fewer are, so all pages count together."""
    every = [expected for _, expected in (recomputed(root, name) for name in PAGES)]
    close = sum(each.near for each in every)
    assert close <= 0.4 * (close + sum(len(each.sentences) for each in every))


def test_numbers_that_were_doctored_after_the_build_are_found(root: Path, tmp_path: Path) -> None:
    page = Page(root, "compilers")
    path = root / "recordings" / "compilers" / "torch.cpu.ipynb"
    lacking: list[str] = []
    for factor in (0.01, 100):  # one of the two makes another verdict, whatever it was
        notebook = json.loads(path.read_text("utf-8"))
        outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
        for output in outputs:
            for case in output.get("data", {}).get(MIME, {}).get("cases", ()):
                case["samples"] = [[factor * each for each in row] for row in case["samples"]]
                break  # one case of each benchmark is enough
        doctored = tmp_path / f"torch-{factor}.cpu.ipynb"
        doctored.write_text(json.dumps(notebook), encoding="utf-8")
        page.recorded["torch"] = read(doctored)

        expected = page.expected()

        assert page.tables() != expected.tables
        assert disagreeing(page.numbers(), expected.numbers) != []
        lacking += missing(page, expected)
    assert lacking != []
