"""The verbs of `polytab`: the name of each, its help, its arguments and the function it runs.

The module of a verb is imported when the verb is run: a machine that records has no Sphinx, and
one that builds pages has no kernel.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.cli import arguments
from polytab.settings import load_settings

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from polytab.settings import Settings


@dataclass(frozen=True)
class Verb:
    """A subcommand; `run` takes its parsed arguments and returns the exit code."""

    name: str
    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    interrupted: str = "nothing was changed"
    """What a person may rely on who has interrupted it."""


def parser() -> ArgumentParser:
    """Return the parser of the command line; it leaves the chosen `Verb` in `verb`."""
    top = ArgumentParser(
        prog="polytab", description="Snippets in several frameworks, recorded and shown in tabs."
    )
    top.add_argument("--version", action="version", version=f"polytab {__version__}")
    verbs = top.add_subparsers(metavar="verb", required=True)
    for verb in VERBS:
        described = f"{verb.help[0].upper()}{verb.help[1:]}."
        own = verbs.add_parser(verb.name, help=verb.help, description=described)
        own.set_defaults(verb=verb)
        verb.add_arguments(own)
    return top


def _settings() -> Settings:
    return load_settings(Path.cwd())


def _new(options: Namespace) -> int:  # there is no book yet
    from polytab.cli import authoring

    return authoring.new(options)


def _plan(options: Namespace) -> int:
    from polytab.cli import recording

    return recording.plan_(_settings(), options)


def _record(options: Namespace) -> int:
    from polytab.cli import recording

    return recording.record(_settings(), options)


def _verify(options: Namespace) -> int:
    from polytab.cli import verifying

    return verifying.verify(_settings(), options)


def _pin(options: Namespace) -> int:
    from polytab.cli import authoring

    return authoring.pin(_settings(), options)


def _worker(options: Namespace) -> int:  # it has no book
    from polytab.cli import working

    return working.worker(options)


def _translate(options: Namespace) -> int:
    from polytab.cli import translating

    return translating.translate(_settings(), options)


def _status(options: Namespace) -> int:
    from polytab.cli import translating

    return translating.status(_settings(), options)


def _changes(options: Namespace) -> int:
    from polytab.cli import checking

    return checking.changes(_settings(), options)


def _build(options: Namespace) -> int:
    from polytab.cli import building

    return building.build(_settings(), options)


def _site(options: Namespace) -> int:
    from polytab.cli import building

    return building.site(_settings(), options)


def _export(options: Namespace) -> int:
    from polytab.cli import building

    return building.export(_settings(), options)


def _live(options: Namespace) -> int:
    from polytab.cli import building

    return building.live(_settings(), options)


def _compare(options: Namespace) -> int:
    from polytab.cli import checking

    return checking.compare_(_settings(), options)


def _lint(options: Namespace) -> int:
    from polytab.cli import checking

    return checking.lint(_settings(), options)


def _links(options: Namespace) -> int:
    from polytab.cli import checking

    return checking.links(_settings(), options)


def _check(options: Namespace) -> int:
    from polytab.cli import checking

    return checking.check(_settings(), options)


VERBS = (
    Verb(
        "new",
        "begin a book, in a folder of its own",
        arguments.for_new,
        _new,
        "what is written of the book is kept; `polytab pin` and `polytab translate` there go on",
    ),
    Verb(
        "plan",
        "list the scripts and say which must run, and why",
        arguments.for_plan,
        _plan,
    ),
    Verb(
        "record",
        "run the stale scripts and save their outputs",
        arguments.for_record,
        _record,
        "what was recorded before is kept",
    ),
    Verb(
        "verify",
        "run scripts again and show what does not repeat",
        arguments.for_verify,
        _verify,
    ),
    Verb(
        "pin",
        "choose the versions that an environment installs, or lift them",
        arguments.for_pin,
        _pin,
        "the earlier pins are kept",
    ),
    Verb(
        "worker",
        "run the jobs that a scheduler hands out to this machine",
        arguments.for_worker,
        _worker,
        "its jobs go to other workers",
    ),
    Verb(
        "translate",
        "bring the catalogs up to their pages",
        arguments.for_translate,
        _translate,
        "every catalog is whole, and the next run brings up the others",
    ),
    Verb(
        "status",
        "say how far each page is translated",
        arguments.for_status,
        _status,
    ),
    Verb(
        "changes",
        "tell the kind of the change since a commit",
        arguments.for_changes,
        _changes,
    ),
    Verb(
        "build",
        "run what is stale, then build the pages",
        arguments.for_build,
        _build,
        "what was recorded before is kept, and the next build completes the site",
    ),
    Verb(
        "site",
        "build the pages from recordings; runs no snippet",
        arguments.for_site,
        _site,
        "the next build completes the site",
    ),
    Verb(
        "export",
        "make EPUB, PDF and Markdown of the pages",
        arguments.for_export,
        _export,
        "each e-book that was made is kept, and the next run makes the others",
    ),
    Verb(
        "live",
        "serve one language and rebuild on every save",
        arguments.for_live,
        _live,
        "what was recorded before is kept",
    ),
    Verb(
        "compare",
        "show which recordings say something else than those of a commit",
        arguments.for_compare,
        _compare,
    ),
    Verb(
        "lint",
        "check the words of pages and catalogs, here or in another folder; runs nothing",
        arguments.for_lint,
        _lint,
    ),
    Verb(
        "links",
        "ask other hosts for every address that the pages link to",
        arguments.no_arguments,
        _links,
    ),
    Verb(
        "check",
        "check scripts, recordings and the cells that pages call",
        arguments.no_arguments,
        _check,
    ),
)
