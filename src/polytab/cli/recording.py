"""The verbs that look at scripts and run them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.markup import escape

from polytab.cli.console import complain, err, out, report, say
from polytab.compare import compare
from polytab.errors import UsageError
from polytab.model import CPU, CUDA, PLAIN
from polytab.pins import why_not
from polytab.plan import find, plan, recorded_on, scripts_on
from polytab.recordings import recording_path
from polytab.snippets import load_scripts

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from polytab.errors import PolytabError
    from polytab.runner.record import Outcome
    from polytab.settings import Settings


def plan_(settings: Settings, options: Namespace) -> int:
    """List the scripts, each with the reason it must run."""
    names = _names(settings, options.names)
    jobs = plan(settings, *names, options.device)
    for job in jobs:
        say(f"{job.name}: {job.reason or 'fresh'}")
    list_elsewhere(settings, options.device, names)
    stale = sum(job.reason is not None for job in jobs)
    say(f"{len(jobs)} scripts, {stale} to run")
    return 0


def record(settings: Settings, options: Namespace) -> int:
    """Run the stale scripts that were named, and save their outputs."""
    order = Order(
        *_names(settings, options.names),
        device=options.device,
        interpreter=_interpreter(options.environment),
        overlay=options.overlay,
        fresh_too=options.all,
    )
    return run_stale(settings, order)


@dataclass(frozen=True)
class Order:
    """What is to be run, on what, with which Python, and where its outputs go."""

    pages: Sequence[str] = ()
    frameworks: Sequence[str] = ()
    device: str = CPU
    interpreter: Path | None = None
    overlay: bool = True
    fresh_too: bool = False


def run_stale(settings: Settings, order: Order) -> int:
    """Run stale scripts; into the overlay, what this machine cannot have is no failure."""
    from polytab.runner.record import record as run_jobs

    stores = () if order.overlay else (settings.recordings,)
    jobs = plan(settings, order.pages, order.frameworks, order.device, stores)
    due = [job for job in jobs if job.reason is not None or order.fresh_too]
    folder = settings.overlay if order.overlay else settings.recordings
    outcomes = run_jobs(settings, due, folder, report, order.interpreter)
    if not order.overlay:
        for outcome in outcomes:  # what was recorded for everybody must not be hidden
            if outcome.recording is not None:
                place = (outcome.recording.page, outcome.recording.framework, order.device)
                recording_path(settings.overlay, *place).unlink(missing_ok=True)
    for outcome in outcomes:
        if outcome.error is not None:
            complain(outcome.error)
    done = sum(outcome.error is None for outcome in outcomes)
    fresh, failed = len(jobs) - len(due), len(due) - done
    say(f"{len(jobs)} scripts: {done} recorded, {fresh} fresh, {failed} failed")
    return int(any(_fails(outcome, overlay=order.overlay) for outcome in outcomes))


def _fails(outcome: Outcome, *, overlay: bool) -> bool:
    if outcome.error is None:
        return False
    if overlay and outcome.impossible_here:
        err.print(f"{escape(outcome.job.name)}: its outputs are shown as they were, marked stale")
        return False
    return True


def verify(settings: Settings, options: Namespace) -> int:
    """Run scripts again and show what differs from their committed recordings."""
    from polytab.runner.record import execute

    failed = 0
    device, interpreter = options.device, _interpreter(options.environment)
    scripts = scripts_on(settings, device, *_names(settings, options.names))
    stores = (settings.recordings,)
    # All are looked at before one is run: what is broken is told first.
    for found in [find(settings, script, device, stores) for script in scripts]:
        if found.recording is None or not found.fresh:
            why = escape(str(found.error or found.job.reason))
            err.print(f"{escape(found.job.name)}: cannot be verified, {why}")
            failed += 1
            continue
        report(found.job, "runs again")
        outcome = execute(settings, found.job, partial(report, found.job), interpreter)
        if outcome.recording is None:
            complain(cast("PolytabError", outcome.error))
            failed += 1
            continue
        difference = compare(found.recording, outcome.recording)
        if difference:
            out.print(escape(difference))
            failed += 1
        report(found.job, "does not repeat" if difference else "repeats")
    say(f"{len(scripts)} scripts: {len(scripts) - failed} repeat, {failed} do not")
    return int(failed > 0)


def list_elsewhere(
    settings: Settings, device: str, names: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> None:
    """Say what no plan for this device runs: what is stale on CUDA, and who never runs there."""
    if device == CPU:
        for script in load_scripts(settings, *names):
            found = recorded_on(settings, script, CUDA)
            if found is not None and not found.fresh:
                say(f"{found.job.name}: left out of its page, {found.job.reason}")
        return
    for framework in settings.frameworks:
        reason = why_not(settings, framework.name, device)
        if reason is not None and framework.name != PLAIN and not any(names):
            say(f"{framework.name} is not recorded on {device}: {reason}")


def _interpreter(word: str | None) -> Path | None:
    """Return the interpreter that `--environment` names; none is named by default."""
    if word is None:
        return None
    return Path(sys.executable if word == "current" else word).absolute()


def _names(settings: Settings, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Sort the words of a command into pages and frameworks."""
    known = [framework.name for framework in settings.frameworks]
    pages = [name for name in names if name not in known]
    for page in pages:
        if page not in settings.page_names():
            message = f"`{page}` is neither a page with snippets nor a framework"
            hint = f"pages: {', '.join(settings.page_names())}; frameworks: {', '.join(known)}"
            raise UsageError(message, hint=hint)
    return pages, [name for name in names if name in known]
