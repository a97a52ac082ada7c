"""What pages ask of measurements, and whether a recording has it; nothing is built, nothing runs.

Only a recording knows what a script measures. Of scripts that were never recorded, or were edited
since, this says how many questions are open, and which benchmarks none of them mentions.

Law, guarded by tests/pages/markdown/test_missing_cases.py: what a build warns of is found here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import Finding
from polytab.pages.markdown.questions import NUMBERS, questions_of
from polytab.pages.numbers.expressions import Quantity
from polytab.pages.numbers.results import (
    framework_at,
    quantity_of,
    results_among,
    several_frameworks,
)
from polytab.recordings.plan import find_recording
from polytab.recordings.verdicts import find_case
from polytab.scripts.load import load_scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from polytab.pages.markdown.questions import Question
    from polytab.pages.numbers.results import BenchmarkResults
    from polytab.recordings.plan import ScriptState
    from polytab.settings import Settings

    Results = Callable[[str, str, tuple[str, ...]], BenchmarkResults]


@dataclass(frozen=True)
class CasesCheck:
    """What no script measures; in `notes` what no recording tells yet, a line each."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


def check_cases(settings: Settings) -> CasesCheck:
    """Find the benchmarks, cases and quantities that pages ask for and no recording has.

    The recordings are those that a build shows: the author's own, or else the committed ones.
    """
    scripts = {
        page: [find_recording(settings, each) for each in load_scripts(settings, [page])]
        for page in settings.pages_with_scripts()
    }

    @cache
    def results(page: str, benchmark: str, cases: tuple[str, ...]) -> BenchmarkResults:
        return results_among(scripts.get(page, ()), settings, page, benchmark, cases)

    findings: list[Finding] = []
    notes: list[str] = []
    for path in sorted(settings.docs.rglob("*.md")):
        page = path.relative_to(settings.docs).with_suffix("").as_posix()
        if page.startswith("contributing/") or not path.is_file():
            continue
        still_open: list[Question] = []
        for question in questions_of(path.read_text("utf-8", "replace")):
            try:
                if not _is_answered(question, settings, page, results):
                    still_open.append(question)
            except PolytabError as error:
                findings.append(Finding(path, question.line, "unmeasured", error.in_a_line))
        shown = {page, *(each.page for each in still_open)}
        concerned = [each for name in scripts if name in shown for each in scripts[name]]
        notes += _notes(path.relative_to(settings.root).as_posix(), concerned, still_open)
    return CasesCheck(tuple(findings), tuple(notes))


def _is_answered(question: Question, settings: Settings, page: str, known: Results) -> bool:
    """Tell whether a recording answers a question; raise PolytabError where none can."""
    try:
        asked = question.asked()
    except PolytabError:
        return True  # `check_questions` has told it
    cases = (asked.benchmark, asked.cases) if asked else (question.text, ())
    results = known(question.page or page, *cases)
    tab = settings.framework(question.framework).title if question.framework else question.tab
    framework = framework_at(settings, tab, results)
    one_number = question.kind in NUMBERS and not question.in_branch
    if one_number and framework is None and results.measured:
        raise several_frameworks(question.text)
    results = results.in_tab_of(framework, question.text)
    if isinstance(asked, Quantity):
        for each in results.measured:
            quantity_of(find_case(each.measurement, asked.case), asked)
    return bool(results.measured)


def _notes(
    page: str, scripts: Sequence[ScriptState], still_open: Sequence[Question]
) -> Iterator[str]:
    """Say how many questions a page leaves open, and which of them look misspelt."""
    if not still_open:
        return
    waits = [each.job.name for each in scripts if not each.fresh and each.job.script.needs.measures]
    count = f"{len(still_open)} measurement{'s' if len(still_open) > 1 else ''}"
    yield f"open: {page} asks for {count} that nobody knows before {', '.join(waits)} is recorded"
    code = "\n".join(cell.code for each in scripts for cell in each.job.script.cells)
    for question in still_open:
        name = question.text.partition(":")[0]
        if name not in code:
            yield f"open: {page}:{question.line}: no script of the page says `{name}`: misspelt?"
