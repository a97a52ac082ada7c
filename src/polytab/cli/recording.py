"""The verbs that look at scripts and run them."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

from polytab.cli.console import complain, err, escape, say
from polytab.cli.progress import progress, write_line
from polytab.cli.run_options import run_config_of
from polytab.errors import DeviceError, InstallError, PlatformError, UsageError
from polytab.model import CPU, CUDA, PLAIN
from polytab.recordings.atomic import remove_unfinished
from polytab.recordings.files import recording_path, save_recording
from polytab.recordings.plan import find_if_recorded, find_recording, plan
from polytab.scripts.load import load_scripts
from polytab.scripts.pins import why_not

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from polytab.model import Job
    from polytab.runner.events import Outcome
    from polytab.runner.run_config import RunConfig
    from polytab.settings import Settings


def plan_(settings: Settings, options: Namespace) -> int:
    """List the scripts, each with the reason it must run."""
    names = pages_and_frameworks(settings, options.names)
    jobs = plan(settings, *names, options.device)
    if options.json:
        json.dump([_facts(job) for job in jobs], sys.stdout, indent=1)
        sys.stdout.write("\n")
        return 0
    for job in jobs:
        say(f"{job.name}: {job.reason or 'fresh'}")
    print_not_in_plan(settings, options.device, names)
    stale = sum(job.reason is not None for job in jobs)
    say(f"{len(jobs)} scripts, {stale} to run")
    return 0


def _facts(job: Job) -> dict[str, object]:
    """Spell a job for programs; no reason: it is fresh."""
    return {
        "name": job.name,
        "page": job.script.page,
        "framework": job.script.framework,
        "device": job.environment.device,
        "key": job.key.digest,
        "reason": job.reason,
        "seconds": job.seconds,
        "measures": job.script.needs.measures,
        "gpus": job.gpus,
    }


def record(settings: Settings, options: Namespace) -> int:
    """Run the stale scripts that were named, and save their outputs.

    What a build has recorded of them since, in their pinned environments, is taken as it is.
    """
    config = run_config_of(settings, options)
    pages, frameworks = pages_and_frameworks(settings, options.names)
    folders = recording_folders(settings, overlay=options.overlay)
    jobs = plan(settings, pages, frameworks, options.device, folders)
    if not (options.overlay or options.all) and _take_built(settings, jobs):
        jobs = plan(settings, pages, frameworks, options.device, folders)
    return run_stale(
        settings,
        config,
        jobs,
        overlay=options.overlay,
        fresh_too=options.all,
        as_json=options.json,
    )


def _take_built(settings: Settings, jobs: Sequence[Job]) -> bool:
    """Move the fresh recordings that a build has made of stale jobs to the committed ones."""
    taken = []
    for job in jobs:
        folders = (settings.overlay,)
        found = find_recording(settings, job.script, job.environment.device, folders)
        made = found.recording
        if job.reason is None or not found.fresh or made is None or made.provenance.found:
            continue
        save_recording(settings.recordings, made)
        where = (made.page, made.framework, made.device)
        recording_path(settings.overlay, *where).unlink(missing_ok=True)
        taken.append(job.name)
    if taken:
        say(f"taken as the last build recorded them: {', '.join(taken)}")
    return bool(taken)


def run_stale(  # noqa: PLR0913  # each is an option of `record`
    settings: Settings,
    config: RunConfig,
    jobs: Sequence[Job],
    *,
    overlay: bool = True,
    fresh_too: bool = False,
    as_json: bool = False,
) -> int:
    """Run the stale scripts of a plan, all of them with `fresh_too`; save their recordings.

    Recordings go to the overlay, or else to the committed folder. Prints errors and a summary,
    as one line of JSON with `as_json`. Returns 1 if a script failed; a missing environment or GPU
    does not count where the overlay is written to.
    """
    began = time.monotonic()
    remove_unfinished(settings.overlay if overlay else settings.recordings)
    due = [job for job in jobs if job.reason is not None or fresh_too]
    words = {"overlay": overlay, "again": fresh_too, "as_json": as_json}
    outcomes: list[Outcome] = []
    try:
        outcomes.extend(_recorded(settings, config, due, **words) if due else ())
    except PlatformError as error:
        if not overlay:
            raise
        complain(error)
    for outcome in outcomes:
        if outcome.error is not None:
            complain(outcome.error)
    _summarize(jobs, due, outcomes, time.monotonic() - began, as_json=as_json)
    return int(any(_fails(outcome, overlay=overlay) for outcome in outcomes))


def _summarize(
    jobs: Sequence[Job],
    due: Sequence[Job],
    outcomes: Sequence[Outcome],
    seconds: float,
    *,
    as_json: bool,
) -> None:
    """Print how many jobs were recorded, fetched from the store, reused, or failed."""
    reused = [job for job in jobs if job not in due]
    failed = sum(outcome.error is not None for outcome in outcomes)
    fetched = [outcome.recording for outcome in outcomes if outcome.fetched and outcome.recording]
    spared = [job.seconds or 0 for job in reused] + [each.provenance.seconds for each in fetched]
    facts = {
        "scripts": len(jobs),
        "recorded": len(outcomes) - failed - len(fetched),
        "fetched": len(fetched),
        "reused": len(reused),
        "failed": failed,
        "seconds": round(seconds, 1),
        "saved": round(sum(spared), 1),
    }
    if as_json:
        write_line("summary", **facts)
        return
    counts = [f"{facts[name]} {name}" for name in ("recorded", "reused", "failed")]
    if fetched:
        counts.insert(1, f"{len(fetched)} from the store")
    say(f"{facts['scripts']} scripts: {', '.join(counts)}")
    if due:
        say(f"took {facts['seconds']:.0f} s; reuse saved {facts['saved']:.0f} s")


def _recorded(  # noqa: PLR0913  # the same
    settings: Settings,
    config: RunConfig,
    jobs: Sequence[Job],
    *,
    overlay: bool,
    again: bool,
    as_json: bool,
) -> Iterator[Outcome]:
    """Fetch or run jobs and save what they give, at once."""
    from polytab.runner.record import record as run_and_save

    folder = settings.overlay if overlay else settings.recordings
    with (
        progress(len(jobs), as_json=as_json) as tell,
        closing(run_and_save(jobs, config, folder, tell, again=again)) as arriving,
    ):
        for outcome in arriving:
            if outcome.recording is not None and not overlay:  # it must not be hidden
                made = outcome.recording
                where = (made.page, made.framework, made.device)
                recording_path(settings.overlay, *where).unlink(missing_ok=True)
            yield outcome


def _fails(outcome: Outcome, *, overlay: bool) -> bool:
    if outcome.error is None:
        return False
    if overlay and isinstance(outcome.error, (InstallError, DeviceError)):
        err.print(f"{escape(outcome.job.name)}: its outputs are shown as they were, marked stale")
        return False
    return True


def recording_folders(settings: Settings, *, overlay: bool) -> tuple[Path, ...]:
    """Return the folders to look for recordings in; none named means the overlay too."""
    return () if overlay else (settings.recordings,)


def print_not_in_plan(
    settings: Settings, device: str, names: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> None:
    """Print what a plan for this device leaves out.

    On `cpu`: the stale CUDA recordings, which their pages do not show.
    On `cuda`: the frameworks that are not recorded there, unless names were given.
    """
    if device == CPU:
        for script in load_scripts(settings, *names):
            found = find_if_recorded(settings, script, CUDA)
            if found is not None and not found.fresh:
                say(f"{found.job.name}: left out of its page, {found.job.reason}")
        return
    for framework in settings.frameworks:
        reason = why_not(settings, framework.name, device)
        if reason is not None and framework.name != PLAIN and not any(names):
            say(f"{framework.name} is not recorded on {device}: {reason}")


def pages_and_frameworks(settings: Settings, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Sort the words of a command into pages and frameworks."""
    known = [framework.name for framework in settings.frameworks]
    pages = [name for name in names if name not in known]
    for page in pages:
        if page not in settings.pages_with_scripts():
            message = f"`{page}` is neither a page with snippets nor a framework"
            hint = (
                f"pages: {', '.join(settings.pages_with_scripts())}; frameworks: {', '.join(known)}"
            )
            if "/" in page:
                both = page.replace("/", " ")
                hint = f"of one page and one framework, write both: {both}\n  {hint}"
            raise UsageError(message, hint=hint)
    return pages, [name for name in names if name in known]
