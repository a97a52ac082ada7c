"""What a number, a verdict or a chart of a page rests on: the measurements of its scripts.

Laws, guarded by tests/pages/numbers/test_evidence.py: what is asked is what is read; a benchmark or
case that no script measures is an error, unless a script is still to be run and may measure it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import CPU, CUDA, PLAIN
from polytab.pages.shelf import shelf
from polytab.recordings.measurements import WHAT, measurements_of
from polytab.recordings.verdicts import ratio

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

    from polytab.model import Framework, Measurement, Recording
    from polytab.recordings.verdicts import Ratio

_AT = r"at [\d.]+"
_COMPARISON = re.compile(rf"(?P<benchmark>[^:]+): +(?P<new>.+?) +vs +(?P<old>.+?)(?P<at> +{_AT})?")
_QUANTITY = re.compile(rf"(?P<benchmark>[^:]+): +(?P<case>.+?)(?: +(?P<what>{'|'.join(WHAT)}))?")


@dataclass(frozen=True)
class Comparison:
    """`forward: compiled vs eager`: what a ratio or a verdict is asked of."""

    benchmark: str
    new: str
    old: str

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that must have been measured."""
        return (self.new, self.old)


@dataclass(frozen=True)
class Quantity:
    """`forward: compiled`, `forward: compiled first call`: what is asked of a case.

    `what` is one of `WHAT`, or nothing where the time of a call is meant.
    """

    benchmark: str
    case: str
    what: str | None = None

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that must have been measured."""
        return (self.case,)


def read_comparison(text: str) -> Comparison:
    """Read `benchmark: new vs old`; a value at its end is that of both."""
    match = _COMPARISON.fullmatch(text.strip())
    at = (match["at"] or "") if match else ""
    if match is None or match["new"] in {match["old"], match["old"] + at}:
        raise PolytabError(
            f"`{text}` is no comparison",
            hint="write it as `forward: compiled vs eager`, new vs old",
        )
    both = "" if re.search(rf" {_AT}$", match["new"]) else at
    new, old = f"{match['new']}{both}", f"{match['old']}{at}"
    return Comparison(match["benchmark"], *(" ".join(each.split()) for each in (new, old)))


def read_quantity(text: str) -> Quantity:
    """Read `benchmark: case`, and what is asked of it."""
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        raise PolytabError(
            f"`{text}` names no case",
            hint="write it as `forward: compiled` or `forward: compiled first call`",
        )
    return Quantity(match["benchmark"], match["case"], match["what"])


@dataclass(frozen=True)
class Evidence:
    """One framework's measurement of a benchmark, and the recording that holds it."""

    framework: Framework
    recording: Recording
    measurement: Measurement
    fresh: bool

    def ratio(self, comparison: Comparison) -> Ratio:
        """Return how many times the new case is as fast as the old one."""
        names = [case.said for case in self.measurement.cases]
        new, old = comparison.new, comparison.old
        if names.index(new) < names.index(old):
            raise PolytabError(
                f"in {self.framework.title} `{new}` is measured before `{old}`, "
                f"so it is the old one",
                hint=f"write `{comparison.benchmark}: {old} vs {new}`: new vs old",
            )
        return ratio(self.measurement, new, old)


@dataclass(frozen=True)
class Gathered:
    """The evidence for one benchmark on one page, in the order of the settings."""

    evidence: tuple[Evidence, ...]
    waiting: tuple[Framework, ...] = ()
    without: tuple[Framework, ...] = ()
    device: str = CPU

    def of(self, framework: str) -> Gathered:
        """Return what concerns one framework alone."""
        return Gathered(
            tuple(each for each in self.evidence if each.framework.name == framework),
            tuple(each for each in self.waiting if each.name == framework),
            tuple(each for each in self.without if each.name == framework),
            self.device,
        )

    def lacking(self, others: Gathered) -> tuple[Framework, ...]:
        """Return who has the benchmark here, or may, but has nothing there."""
        have = {each.framework for each in others.evidence}
        here = [*(each.framework for each in self.evidence), *self.waiting]
        return tuple(each for each in here if each not in have and each.name != PLAIN)

    @property
    def frameworks(self) -> tuple[str, ...]:
        """The frameworks that have the benchmark, or may once they are run."""
        have = tuple(each.framework.name for each in self.evidence)
        return have + tuple(each.name for each in self.waiting)


def gather(
    env: BuildEnvironment,
    page: str,
    benchmark: str,
    cases: tuple[str, ...] = (),
) -> Gathered:
    """Find who measures a benchmark with these cases in the scripts of a page."""
    here = shelf(env)
    evidence: list[Evidence] = []
    waiting: list[Framework] = []
    without: list[Framework] = []
    unsure: list[Framework] = []
    known: list[str] = []
    for found in here.page(page):
        framework = here.settings.framework(found.job.script.framework)
        recording = found.recording
        measurements = measurements_of(recording) if recording else ()
        measurement = next((each for each in measurements if each.name == benchmark), None)
        names = [case.said for case in measurement.cases] if measurement else []
        if recording and measurement and all(case in names for case in cases):
            evidence.append(Evidence(framework, recording, measurement, found.fresh))
        elif found.fresh or not found.job.script.needs.measures:
            without.append(framework)
        elif recording is None:
            waiting.append(framework)
        else:
            unsure.append(framework)  # it was edited since, and may measure this now
        known += names or [each.name for each in measurements]
    (without if evidence else waiting).extend(unsure)
    if not evidence and not waiting:
        wanted = f"{benchmark}: {', '.join(cases)}" if cases else benchmark
        listed = ", ".join(dict.fromkeys(known)) or "none"
        raise PolytabError(
            f"no script of page `{page}` measures `{wanted}`", hint=f"known here: {listed}"
        )
    # Plain Python is no framework that could lack something.
    lacking = tuple(each for each in without if each.name != PLAIN)
    return Gathered(tuple(evidence), tuple(waiting), lacking)


def gather_cuda(
    env: BuildEnvironment,
    page: str,
    benchmark: str,
    cases: tuple[str, ...] = (),
    framework: str | None = None,
) -> Gathered:
    """Find who has measured this on CUDA, or whether one framework has; the stale are left out."""
    here = shelf(env)
    found = [
        (here.settings.framework(each.job.script.framework), each.recording)
        for each in here.page(page, CUDA)
        if each.fresh and framework in {None, each.job.script.framework}
    ]
    evidence = tuple(
        Evidence(whose, recording, measurement, fresh=True)
        for whose, recording in found
        if recording
        for measurement in measurements_of(recording)
        if measurement.name == benchmark and {*cases} <= {case.said for case in measurement.cases}
    )
    return Gathered(evidence, device=CUDA)


def framework_at(env: BuildEnvironment, tab: str | None, gathered: Gathered) -> str | None:
    """Return the framework that a place speaks of; None where it speaks of all of them."""
    if tab is None:
        return PLAIN if set(gathered.frameworks) == {PLAIN} else None
    frameworks = shelf(env).settings.frameworks
    found = next((each.name for each in frameworks if each.title == tab), None)
    if found is None:
        titles = ", ".join(each.title for each in frameworks)
        raise PolytabError(f"the tab `{tab}` is no framework", hint=f"known: {titles}")
    return found
