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
from polytab.recordings.measurements import measurements_of
from polytab.recordings.verdicts import ratio

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.environment import BuildEnvironment

    from polytab.model import Framework, Measurement, Recording
    from polytab.pages.numbers.expressions import Comparison
    from polytab.recordings.verdicts import Ratio


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

    def missing_from(self, other: BenchmarkResults) -> tuple[Framework, ...]:
        """Return the frameworks with a result here, or a pending one, but none in `other`."""
        there = {each.framework for each in other.measured}
        here = [*(each.framework for each in self.measured), *self.pending]
        return tuple(each for each in here if each not in there and each.name != PLAIN)

    @property
    def frameworks(self) -> tuple[str, ...]:
        """The names of the frameworks with a result, or a pending one."""
        names = tuple(each.framework.name for each in self.measured)
        return names + tuple(each.name for each in self.pending)


def results_on_cpu(
    env: BuildEnvironment, page: str, benchmark: str, cases: tuple[str, ...] = ()
) -> BenchmarkResults:
    """Return the results of a benchmark on a page in the frameworks that measure these cases.

    Raises PolytabError where no script measures them, nor may once it is run.
    """
    inputs = inputs_of(env)
    results: list[FrameworkResult] = []
    pending: list[Framework] = []
    missing: list[Framework] = []
    edited: list[Framework] = []
    known: list[str] = []
    for found in inputs.scripts(page):
        framework = inputs.settings.framework(found.job.script.framework)
        measurements = measurements_of(found.recording) if found.recording else ()
        measurement = next((each for each in measurements if each.name == benchmark), None)
        result = None
        if found.recording and measurement:
            result = FrameworkResult(framework, found.recording, measurement, found.fresh)
            known += [case.full_name for case in measurement.cases]
        else:
            known += [each.name for each in measurements]
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
    # Plain Python is shown beside the frameworks, so nothing is missing from it.
    without = tuple(each for each in missing if each.name != PLAIN)
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
        for measurement in measurements_of(recording):
            whose = inputs.settings.framework(name)
            result = FrameworkResult(whose, recording, measurement, fresh=True)
            if measurement.name == benchmark and result.has_cases(cases):
                results.append(result)
    return BenchmarkResults(tuple(results), device=CUDA)


def framework_at(env: BuildEnvironment, tab: str | None, results: BenchmarkResults) -> str | None:
    """Return the framework that a number, verdict or chart is of; None where it is of all.

    `tab` is the label of the tab around it, or None outside of tabs. Raises PolytabError where
    that is no framework.
    """
    if tab is None:
        return PLAIN if set(results.frameworks) == {PLAIN} else None
    frameworks = inputs_of(env).settings.frameworks
    found = next((each.name for each in frameworks if each.title == tab), None)
    if found is None:
        titles = ", ".join(each.title for each in frameworks)
        raise PolytabError(f"the tab `{tab}` is no framework", hint=f"known: {titles}")
    return found
