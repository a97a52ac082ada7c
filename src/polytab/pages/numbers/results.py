"""The recorded results of a benchmark: what the numbers, verdicts and charts of a page show.

Law, guarded by tests/pages/numbers/test_results.py: a benchmark or case that no script of the page
measures is an error, unless a script that has not been run since its last edit may measure it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import CPU, CUDA, PLAIN
from polytab.pages.inputs import inputs_of
from polytab.recordings.verdicts import bandwidth, rate, ratio, summary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.environment import BuildEnvironment

    from polytab.model import Case, Framework, Measurement, Recording
    from polytab.pages.numbers.expressions import Comparison, Quantity
    from polytab.recordings.plan import ScriptState
    from polytab.recordings.verdicts import Ratio
    from polytab.settings import Settings


@dataclass(frozen=True)
class FrameworkResult:
    """The measurement of a benchmark in one framework, and the recording that holds it."""

    framework: Framework
    recording: Recording
    measurement: Measurement
    fresh: bool

    def has_cases(self, cases: Iterable[str]) -> bool:
        """Tell whether all of these cases were measured."""
        return {*cases} <= {case.full_name for case in self.measurement.cases}

    def ratio(self, comparison: Comparison) -> Ratio:
        """Return how many times as fast the first case is as the second."""
        return ratio(self.measurement, *comparison.cases)


@dataclass(frozen=True)
class BenchmarkResults:
    """The results of one benchmark on one page and device, in the order of the settings."""

    measured: tuple[FrameworkResult, ...]
    pending: tuple[Framework, ...] = ()
    """The frameworks whose script may measure the benchmark once it is run."""

    missing: tuple[Framework, ...] = ()
    """The frameworks whose script does not measure it."""

    device: str = CPU

    def of(self, framework: str) -> BenchmarkResults:
        """Return the results of one framework alone."""
        return BenchmarkResults(
            tuple(each for each in self.measured if each.framework.name == framework),
            tuple(each for each in self.pending if each.name == framework),
            tuple(each for each in self.missing if each.name == framework),
            self.device,
        )

    def in_tab_of(self, framework: str | None, asked: str) -> BenchmarkResults:
        """Return the results of the framework of a tab; all of them where there is no tab.

        Raises PolytabError where none is left of what was `asked` for, in the author's words.
        """
        left = self if framework is None else self.of(framework)
        if not left.measured and not left.pending:
            raise PolytabError(
                f"the script of this tab does not measure `{asked}`",
                hint="measure it there as well, or take it out of the tab",
            )
        return left

    def missing_from(self, other: BenchmarkResults) -> tuple[Framework, ...]:
        """Return the frameworks with a result here, or a pending one, but none in `other`."""
        there = {each.framework for each in other.measured}
        here = [*(each.framework for each in self.measured), *self.pending]
        return tuple(each for each in here if each not in there and each.package is not None)

    @property
    def frameworks(self) -> tuple[str, ...]:
        """The names of the frameworks with a result, or a pending one."""
        names = tuple(each.framework.name for each in self.measured)
        return names + tuple(each.name for each in self.pending)


def results_on_cpu(
    env: BuildEnvironment, page: str, benchmark: str, cases: tuple[str, ...] = ()
) -> BenchmarkResults:
    """Return the results of a benchmark on a page of a build; raises as `results_among`."""
    inputs = inputs_of(env)
    return results_among(inputs.scripts(page), inputs.settings, page, benchmark, cases)


def results_among(
    scripts: Iterable[ScriptState],
    settings: Settings,
    page: str,
    benchmark: str,
    cases: tuple[str, ...] = (),
) -> BenchmarkResults:
    """Return the results of a benchmark in those scripts of a page that measure these cases.

    Raises PolytabError where no script measures them, nor may once it is run.
    """
    results: list[FrameworkResult] = []
    pending: list[Framework] = []
    missing: list[Framework] = []
    edited: list[Framework] = []
    known: list[str] = []
    for found in scripts:
        framework = settings.framework(found.job.script.framework)
        measurement = next((each for each in found.measurements if each.name == benchmark), None)
        result = None
        if found.recording and measurement:
            result = FrameworkResult(framework, found.recording, measurement, found.fresh)
            known += [case.full_name for case in measurement.cases]
        else:
            known += [each.name for each in found.measurements]
        if result and result.has_cases(cases):
            results.append(result)
        elif found.fresh or not found.job.script.needs.measures:
            missing.append(framework)
        elif found.recording is None:
            pending.append(framework)
        else:
            edited.append(framework)  # since the recording, and may measure this now
    (missing if results else pending).extend(edited)
    if not results and not pending:
        wanted = f"{benchmark}: {', '.join(cases)}" if cases else benchmark
        listed = ", ".join(dict.fromkeys(known)) or "none"
        raise PolytabError(
            f"no script of page `{page}` measures `{wanted}`", hint=f"known here: {listed}"
        )
    # Nobody compares plain Python, or what comes with it, where its script does not measure.
    without = tuple(each for each in missing if each.package is not None)
    return BenchmarkResults(tuple(results), tuple(pending), without)


def results_on_cuda(
    env: BuildEnvironment,
    page: str,
    benchmark: str,
    cases: tuple[str, ...] = (),
    framework: str | None = None,
) -> BenchmarkResults:
    """Return the fresh results made on CUDA, of one framework or of all; there may be none."""
    inputs = inputs_of(env)
    results: list[FrameworkResult] = []
    for found in inputs.scripts(page, CUDA):
        name, recording = found.job.script.framework, found.recording
        if not found.fresh or recording is None or framework not in {None, name}:
            continue
        for measurement in found.measurements:
            whose = inputs.settings.framework(name)
            result = FrameworkResult(whose, recording, measurement, fresh=True)
            if measurement.name == benchmark and result.has_cases(cases):
                results.append(result)
    return BenchmarkResults(tuple(results), device=CUDA)


def framework_here(env: BuildEnvironment, tab: str | None, results: BenchmarkResults) -> str | None:
    """Return the framework that a number, verdict or chart of this build is of; None for all.

    It is `framework_at`, but outside of tabs, in a book of one framework that has a result, it is
    the book's. Raises PolytabError where the tab is no framework.
    """
    of_book = str(env.config.polytab_framework)
    if tab is None and of_book in results.frameworks:
        return of_book
    return framework_at(inputs_of(env).settings, tab, results)


def framework_at(settings: Settings, tab: str | None, results: BenchmarkResults) -> str | None:
    """Return the framework that a number, verdict or chart is of; None where it is of all.

    `tab` is the label of the tab around it, or None outside of tabs. Raises PolytabError where
    that is no framework.
    """
    if tab is None:
        return PLAIN if set(results.frameworks) == {PLAIN} else None
    found = next((each.name for each in settings.frameworks if each.title == tab), None)
    if found is None:
        titles = ", ".join(each.title for each in settings.frameworks)
        raise PolytabError(f"the tab `{tab}` is no framework", hint=f"known: {titles}")
    return found


def quantity_of(case: Case, asked: Quantity) -> float:
    """Return a measured quantity of a case; raise PolytabError where it was not measured."""
    found = summary(case)
    measured: dict[str | None, float | None] = {
        None: found.median,
        "first call": found.first_call,
        "memory": found.memory,
        "rate": rate(case),
        "bandwidth": bandwidth(case),
    }
    value = measured[asked.kind]
    if value is None:
        raise PolytabError(
            f"`{asked.benchmark}: {asked.case}` has no {asked.kind}",
            hint="let `compare` time first calls or memory; tell `sweep` operations and traffic",
        )
    return value


def number_in_heading() -> PolytabError:
    """Return the complaint of a number in a heading: headings are copied to where none is known."""
    hint = "put it into a sentence"
    return PolytabError("a measured number cannot stand in a heading", hint=hint)


def several_frameworks(asked: str) -> PolytabError:
    """Return the complaint of a number that stands outside of tabs and is of several frameworks."""
    hint = "put the sentence into the tabs of the frameworks, or into a `{when}` branch"
    return PolytabError(f"`{asked}` differs between frameworks", hint=hint)
