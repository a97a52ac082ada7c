"""The verb `verify`: run scripts again, and fail where a reader would notice the difference."""

from __future__ import annotations

import datetime as dt
import time
from typing import TYPE_CHECKING

from polytab.cli.console import complain, err, escape, out, report, say
from polytab.cli.progress import progress
from polytab.cli.recording import pages_and_frameworks, recording_folders
from polytab.cli.run_options import run_config_of
from polytab.git import changes_since
from polytab.recordings.factors import WIDEST, factors_of
from polytab.recordings.files import recording_path
from polytab.recordings.plan import find_recording, scripts_on

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from polytab.recordings.plan import ScriptState
    from polytab.runner.run_config import RunConfig
    from polytab.runner.verify import Verified
    from polytab.settings import Settings


def verify(settings: Settings, options: Namespace) -> int:
    """Run scripts again and show what differs from their committed recordings.

    Returns 1 where one does not repeat or cannot be verified. What a budget of time leaves out is
    named, and does not fail.
    """
    began = time.monotonic()
    config = run_config_of(settings, options)
    chosen, left_out = _chosen(settings, options)
    good = {found.job.key.digest: found for found in chosen if found.recording and found.fresh}
    for found in chosen:
        if found.job.key.digest not in good:
            why = escape(str(found.error or found.job.reason))
            err.print(f"{escape(found.job.name)}: cannot be verified, {why}")
    deadline = began + options.minutes * 60 if options.minutes else None
    may_move = options.numbers_may_move
    ended = _verified(config, good, deadline, may_move=may_move) if good else {}
    late = [found for key, found in good.items() if key not in ended]
    _tell_wide([good[key] for key in ended])
    if [*left_out, *late]:
        say(f"left out: {', '.join(found.job.name for found in [*left_out, *late])}")
    looked_at = len(chosen) - len(late)
    repeat = sum(each.repeats for each in ended.values())
    counts = [f"{repeat} repeat", f"{looked_at - repeat} do not"]
    if [*left_out, *late]:
        counts.append(f"{len(left_out) + len(late)} are left out")
    say(f"{len(chosen) + len(left_out)} scripts: {', '.join(counts)}")
    return int(repeat < looked_at)


def _chosen(
    settings: Settings, options: Namespace
) -> tuple[Sequence[ScriptState], Sequence[ScriptState]]:
    """Return the scripts to run, all looked at before one is run, and what there is no time for."""

    def look(names: Sequence[str]) -> list[ScriptState]:
        scripts = scripts_on(settings, options.device, *pages_and_frameworks(settings, names))
        return [find_recording(settings, script, options.device, folders) for script in scripts]

    folders = recording_folders(settings, overlay=False)
    first = look(options.names) if options.names else []
    if options.since is not None:
        first = _unique([*first, *_news(settings, look(()), options.since)])
    if options.minutes is None:
        some = bool(options.names) or options.since is not None
        return (first if some else look(())), ()
    from polytab.runner.turns import choose_turn

    today = dt.datetime.now(dt.UTC).date().toordinal()
    turn = choose_turn(first, look(()), options.minutes, today)
    if turn.turns > 1:
        say(f"{len(turn.chosen)} scripts fit into the time; turn {turn.number} of {turn.turns}")
    return turn.chosen, turn.left_out


def _news(settings: Settings, every: Iterable[ScriptState], base: str) -> list[ScriptState]:
    """Choose what was recorded since a commit."""
    changed = {settings.root / change.path for change in changes_since(settings.root, base)}
    return [found for found in every if _file_of(settings, found) in changed]


def _file_of(settings: Settings, found: ScriptState) -> Path:
    script, device = found.job.script, found.job.environment.device
    return recording_path(settings.recordings, script.page, script.framework, device)


def _unique(every: Iterable[ScriptState]) -> list[ScriptState]:
    return list({found.job.name: found for found in every}.values())


def _verified(
    config: RunConfig, good: dict[str, ScriptState], deadline: float | None, *, may_move: bool
) -> dict[str, Verified]:
    """Run again what was recorded, say what differs, and return how each ended."""
    from polytab.runner.verify import verify_jobs

    ended: dict[str, Verified] = {}
    pairs = [(found.job, found.recording) for found in good.values() if found.recording]
    with progress(len(pairs)) as tell:
        for each in verify_jobs(pairs, config, tell, deadline, may_move=may_move):
            ended[each.job.key.digest] = each
            _tell(each)
    return ended


def _tell(each: Verified) -> None:
    if each.error is not None:
        complain(each.error)
    if each.found is not None and each.found.text and not each.again:
        out.print(escape(each.found.text))
    if each.again:
        names = "; ".join(each.moved)
        report(each.job, f"is measured again, for these have moved: {names}")
    elif each.repeats and each.moved:
        report(each.job, f"repeats, but these numbers have moved: {'; '.join(each.moved)}")
    elif each.repeats and each.chance:
        report(each.job, f"repeats; by chance these had moved: {'; '.join(each.chance)}")
    else:
        report(each.job, "repeats" if each.repeats else "does not repeat")


def _tell_wide(found: Iterable[ScriptState]) -> None:
    """Name the comparisons that scatter too much for a lost factor of 1.5 to be seen."""
    count = 0
    for state in found:
        factors = list(factors_of(state.recording)) if state.recording else []
        wide = [factor.name for factor in factors if not factor.is_held]
        if wide:
            say(f"{state.job.name} cannot be held to: {'; '.join(wide)}")
        count += len(wide)
    if count:
        say(f"{count} intervals are wider than {WIDEST} times: a lost 1.5 may not be seen there")
