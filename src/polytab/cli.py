"""One subcommand per verb: wire the stages, print what they say, choose the exit code."""

from __future__ import annotations

import argparse
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from polytab.changes import changes_since, kind_of, kind_of_one
from polytab.compare import compare
from polytab.errors import PolytabError, UsageError
from polytab.model import CPU, Finding
from polytab.plan import find, plan
from polytab.recordings import recording_path
from polytab.settings import load_settings
from polytab.snippets import load_scripts
from polytab.verbs import parser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.model import Job
    from polytab.runner.record import Outcome
    from polytab.settings import Settings

    Command = Callable[[Settings, argparse.Namespace], int]

_INTERRUPTED = 130
_OF_ALL = argparse.Namespace(names=[], all=False, overlay=True)
_out = Console(highlight=False, soft_wrap=True)
_err = Console(stderr=True, highlight=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a person sees a message, never a traceback."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        settings = load_settings(Path.cwd())
        code = _COMMANDS[options.verb](settings, options)
    except PolytabError as error:
        _complain(error)
        code = error.exit_code
    except KeyboardInterrupt:
        _err.print("[bold]interrupted[/]: what was recorded before is kept")
        code = _INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; there is nobody to tell
        code = 1
    return code


_COMMANDS: dict[str, Command] = {}


def _command(function: Command) -> Command:
    """Note a function as the verb of its name."""
    _COMMANDS[function.__name__.strip("_")] = function
    return function


@_command
def _plan(settings: Settings, options: argparse.Namespace) -> int:
    jobs = plan(settings, *_names(settings, options.names))
    for job in jobs:
        _out.print(f"{escape(job.name)}: {escape(job.reason or 'fresh')}")
    stale = sum(job.reason is not None for job in jobs)
    _out.print(f"{len(jobs)} scripts, {stale} to run")
    return 0


@_command
def _record(settings: Settings, options: argparse.Namespace) -> int:
    from polytab.runner.record import record

    stores = () if options.overlay else (settings.recordings,)
    jobs = plan(settings, *_names(settings, options.names), stores=stores)
    due = [job for job in jobs if job.reason is not None or options.all]
    folder = settings.overlay if options.overlay else settings.recordings
    outcomes = record(settings, due, folder, _report)
    if not options.overlay:
        for outcome in outcomes:  # what was recorded for everybody must not be hidden
            if outcome.recording is not None:
                place = (outcome.recording.page, outcome.recording.framework, CPU)
                recording_path(settings.overlay, *place).unlink(missing_ok=True)
    for outcome in outcomes:
        if outcome.error is not None:
            _complain(outcome.error)
    done = sum(outcome.error is None for outcome in outcomes)
    fresh, failed = len(jobs) - len(due), len(due) - done
    _say(f"{len(jobs)} scripts: {done} recorded, {fresh} fresh, {failed} failed")
    return int(any(_fails(outcome, options) for outcome in outcomes))


def _fails(outcome: Outcome, options: argparse.Namespace) -> bool:
    if outcome.error is None:
        return False
    if options.overlay and outcome.impossible_here:
        _err.print(f"{escape(outcome.job.name)}: its outputs are shown as they were, marked stale")
        return False
    return True


@_command
def _verify(settings: Settings, options: argparse.Namespace) -> int:
    from polytab.runner.record import execute

    failed = 0
    scripts = load_scripts(settings, *_names(settings, options.names))
    stores = (settings.recordings,)
    # All are looked at before one is run: what is broken is told first.
    for found in [find(settings, script, stores=stores) for script in scripts]:
        if found.recording is None or not found.fresh:
            why = escape(str(found.error or found.job.reason))
            _err.print(f"{escape(found.job.name)}: cannot be verified, {why}")
            failed += 1
            continue
        _report(found.job, "runs again")
        outcome = execute(settings, found.job, partial(_report, found.job))
        if outcome.recording is None:
            _complain(cast("PolytabError", outcome.error))
            failed += 1
            continue
        difference = compare(found.recording, outcome.recording)
        if difference:
            _out.print(escape(difference))
            failed += 1
        _report(found.job, "does not repeat" if difference else "repeats")
    _out.print(f"{len(scripts)} scripts: {len(scripts) - failed} repeat, {failed} do not")
    return int(failed > 0)


@_command
def _build(settings: Settings, options: argparse.Namespace) -> int:
    for code in options.names:
        settings.language(code)  # a wrong word is told before anything is run
    recorded = 0 if options.no_record else _record(settings, _OF_ALL)
    return max(recorded, _site(settings, options))


@_command
def _prepare(settings: Settings, _: argparse.Namespace) -> int:
    from polytab.site import compile_translations

    try:
        _record(settings, _OF_ALL)
        _print_findings(compile_translations(settings, settings.languages))
    except PolytabError as error:
        _complain(error)
    return 0


@_command
def _site(settings: Settings, options: argparse.Namespace) -> int:
    from polytab.site import build

    languages = [settings.language(code) for code in options.names] or settings.languages
    return build(settings, languages, strict=options.strict, report=_say)


@_command
def _translate(settings: Settings, options: argparse.Namespace) -> int:
    from polytab.site import compile_translations
    from polytab.translations.templates import extract
    from polytab.translations.upkeep import (
        add_language,
        check_catalogs,
        update_catalogs,
    )

    if options.compile:
        return _print_findings(compile_translations(settings, settings.languages))
    templates = extract(settings)
    if options.check:
        return _print_findings(check_catalogs(settings, templates))
    if options.add:
        updates = add_language(settings, templates, options.add)
    else:
        updates = update_catalogs(settings, templates, settings.languages[1:])
    for update in updates:
        if update.change:
            _out.print(f"{escape(str(update.file))}: {escape(update.change)}")
    return _print_findings([finding for update in updates for finding in update.findings])


def _print_findings(findings: Sequence[Finding]) -> int:
    for finding in findings:
        _out.print(escape(str(finding)))
    return int(bool(findings))


@_command
def _status(settings: Settings, options: argparse.Namespace) -> int:
    from polytab.translations.status import as_json, coverage, of_pages
    from polytab.translations.templates import extract

    rows = of_pages(coverage(settings, extract(settings)))
    if options.json:
        sys.stdout.write(as_json(rows))
        return 0
    table = Table("page", "language", "translated", "outdated", "missing", "last change", box=None)
    for row in rows:
        counts = (f"{row.translated} of {row.total}", str(row.outdated), str(row.missing))
        table.add_row(row.page, row.language, *counts, row.changed or "")
    _out.print(table)
    return 0


@_command
def _changes(settings: Settings, options: argparse.Namespace) -> int:
    changes = changes_since(settings.root, options.base)
    for change in changes:
        _err.print(f"{kind_of_one(settings, change)}: {escape(change.path)}")
    _out.print(kind_of(settings, changes))
    return 0


@_command
def _live(settings: Settings, options: argparse.Namespace) -> int:
    from polytab.site import live

    return live(settings, settings.language(options.name or settings.source_language.code))


@_command
def _check(settings: Settings, _: argparse.Namespace) -> int:
    from polytab.pages.check import check
    from polytab.pages.claims import claims_of
    from polytab.translations.lint import lint_source

    findings = list(check(settings))
    unreadable = {finding.file for finding in findings if finding.rule == "utf-8"}
    for path in sorted(set(settings.docs.glob("*.md")) - unreadable):
        findings += [*claims_of(path, path.read_text(encoding="utf-8")), *lint_source(path)]
    scripts = load_scripts(settings)
    own = {(script.page, f"{script.framework}.{CPU}.ipynb") for script in scripts}
    for path in sorted(settings.recordings.glob("*/*.ipynb")):
        if path.parts[-2:] not in own:
            findings.append(Finding(path, None, "orphan", "it has no script; remove it"))
    for script in scripts:
        found = find(settings, script, stores=(settings.recordings,))
        if found.error is not None:
            said = f"{found.error.message}; {found.error.hint}"
            findings.append(Finding(found.error.file or script.path, None, "recording", said))
        elif found.job.reason:
            _say(f"stale: {found.job.name}: {found.job.reason}")
        for cell in script.cells:
            if cell.varies:
                _say(f"varies: {script.name} `{cell.label}`: {cell.varies}: {cell.why}")
    _print_findings(findings)
    _out.print(f"{len(findings)} findings")
    return int(bool(findings))


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


def _say(text: str) -> None:
    _out.print(text, markup=False)


def _report(job: Job, text: str) -> None:
    _out.print(f"[bold]{escape(job.name)}[/]: {escape(text)}")


def _complain(error: PolytabError) -> None:
    _err.print(f"[bold red]error[/]: {escape(str(error))}")


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
