"""The verbs that look at scripts and run them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from polytab.cli.console import complain, err, escape, out, report, say
from polytab.compare import compare
from polytab.errors import UsageError
from polytab.model import CPU
from polytab.plan import find, plan
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
    jobs = plan(settings, *_names(settings, options.names))
    for job in jobs:
        say(f"{job.name}: {job.reason or 'fresh'}")
    stale = sum(job.reason is not None for job in jobs)
    say(f"{len(jobs)} scripts, {stale} to run")
    return 0


def record(settings: Settings, options: Namespace) -> int:
    """Run the stale scripts that were named, and save their outputs."""
    pages, frameworks = _names(settings, options.names)
    return run_stale(settings, pages, frameworks, overlay=options.overlay, fresh_too=options.all)


def run_stale(
    settings: Settings,
    pages: Sequence[str] = (),
    frameworks: Sequence[str] = (),
    *,
    overlay: bool = True,
    fresh_too: bool = False,
) -> int:
    """Run stale scripts; into the overlay, what this machine cannot have is no failure."""
    from polytab.runner.record import record as run_jobs

    jobs = plan(settings, pages, frameworks, stores=() if overlay else (settings.recordings,))
    due = [job for job in jobs if job.reason is not None or fresh_too]
    folder = settings.overlay if overlay else settings.recordings
    outcomes = run_jobs(settings, due, folder, report)
    if not overlay:
        for outcome in outcomes:  # what was recorded for everybody must not be hidden
            if outcome.recording is not None:
                place = (outcome.recording.page, outcome.recording.framework, CPU)
                recording_path(settings.overlay, *place).unlink(missing_ok=True)
    for outcome in outcomes:
        if outcome.error is not None:
            complain(outcome.error)
    done = sum(outcome.error is None for outcome in outcomes)
    fresh, failed = len(jobs) - len(due), len(due) - done
    say(f"{len(jobs)} scripts: {done} recorded, {fresh} fresh, {failed} failed")
    return int(any(_fails(outcome, overlay=overlay) for outcome in outcomes))


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
    scripts = load_scripts(settings, *_names(settings, options.names))
    stores = (settings.recordings,)
    # All are looked at before one is run: what is broken is told first.
    for found in [find(settings, script, stores=stores) for script in scripts]:
        if found.recording is None or not found.fresh:
            why = escape(str(found.error or found.job.reason))
            err.print(f"{escape(found.job.name)}: cannot be verified, {why}")
            failed += 1
            continue
        report(found.job, "runs again")
        outcome = execute(settings, found.job, partial(report, found.job))
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
