"""The arguments of each verb: one function for each group of options, and one for each verb."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.model import CPU, DEVICES

if TYPE_CHECKING:
    from argparse import ArgumentParser

_CERTIFICATES = {
    "ca": "whose certificates are trusted, as PEM",
    "cert": "our certificate",
    "key": "its key",
}


def for_plan(parser: ArgumentParser) -> None:
    """Add the arguments of `plan`."""
    _add_scripts(parser)
    _add_json(parser)


def for_record(parser: ArgumentParser) -> None:
    """Add the arguments of `record`."""
    _add_scripts(parser)
    _add_environment(parser)
    where = "save in _build/recordings; go on where an environment cannot be had"
    parser.add_argument("--overlay", action="store_true", help=where)
    parser.add_argument("--all", action="store_true", help="run the fresh ones too")
    _add_json(parser)
    _add_scheduler(parser)
    _add_machine(parser)


def for_new(parser: ArgumentParser) -> None:
    """Add the arguments of `new`."""
    parser.add_argument("title", help="what the book is called")
    named = "what scripts import, each with its package where that is called otherwise"
    example = "numpy,sklearn=scikit-learn"
    parser.add_argument("--frameworks", metavar=example, required=True, help=named)
    codes = "the language that pages are written in, then the others (default: en)"
    parser.add_argument("--languages", metavar="en,ja", default="en", help=codes)
    where = "a folder that is empty or not there (default: the title, with hyphens)"
    parser.add_argument("--in", dest="folder", type=Path, metavar="folder", help=where)


def for_pin(parser: ArgumentParser) -> None:
    """Add the arguments of `pin`."""
    parser.add_argument("framework", help="one of the settings")
    what = "what to install, beside what was asked for before (default: the framework's package)"
    parser.add_argument("packages", nargs="*", metavar="package", help=what)
    upgrade = "take the newest versions; else what is pinned stays"
    parser.add_argument("--upgrade", action="store_true", help=upgrade)
    python = "any that this machine has, such as 3.12 (default: as pinned, or the one that runs)"
    parser.add_argument("--python", metavar="3.x", help=python)
    _add_device(parser)


def for_verify(parser: ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    _add_scripts(parser)
    _add_environment(parser)
    since = "besides those named, what was recorded since a commit; with --minutes, that first"
    parser.add_argument("--since", metavar="commit", help=since)
    budget = "as many as fit: those named or recorded since, then some of the others in turn"
    parser.add_argument("--minutes", type=_minutes, metavar="n", help=budget)
    busy = "name numbers that have moved, and do not fail for them: for a machine that others use"
    parser.add_argument("--numbers-may-move", action="store_true", help=busy)
    _add_scheduler(parser)
    _add_machine(parser)


def for_worker(parser: ArgumentParser) -> None:
    """Add the arguments of `worker`."""
    parser.add_argument("scheduler", metavar="tls://host:port")
    _add_machine(parser)
    parser.add_argument("--name", help="what progress calls it (default: its address)")
    kept = "where it keeps environments (default: POLYTAB_ENVS, or ~/.cache/polytab/envs)"
    parser.add_argument("--envs", type=Path, metavar="folder", help=kept)
    parser.add_argument("rest", nargs="*", metavar="-- option", help="for `dask worker`")


def for_build(parser: ArgumentParser) -> None:
    """Add the arguments of `build`."""
    for_site(parser)
    _add_no_record(parser)
    _add_scheduler(parser)
    _add_machine(parser)


def for_site(parser: ArgumentParser) -> None:
    """Add the arguments of `site`."""
    _add_languages(parser)
    strict = "a stale or missing output is an error"
    parser.add_argument("--strict", action="store_true", help=strict)


def for_export(parser: ArgumentParser) -> None:
    """Add the arguments of `export`."""
    _add_languages(parser)
    one = "a book of this framework alone (default: one of all)"
    parser.add_argument("--framework", metavar="name", help=one)
    strict = "where Chromium, Java or epubcheck is missing, make nothing"
    parser.add_argument("--strict", action="store_true", help=strict)


def for_live(parser: ArgumentParser) -> None:
    """Add the arguments of `live`."""
    parser.add_argument("name", nargs="?", metavar="language", help="(default: the first)")
    _add_no_record(parser)


def for_translate(parser: ArgumentParser) -> None:
    """Add the arguments of `translate`."""
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--check", action="store_true", help="only say what is behind")
    act.add_argument("--compile", action="store_true", help="only compile what is good")
    act.add_argument("--add", metavar="language", help="start a language of the settings")


def for_status(parser: ArgumentParser) -> None:
    """Add the arguments of `status`."""
    _add_json(parser)
    parser.add_argument("--markdown", action="store_true", help="for a pull request")


def for_changes(parser: ArgumentParser) -> None:
    """Add the arguments of `changes`."""
    for_compare(parser)
    where = "the checkout to look at (default: this one)"
    parser.add_argument("--in", dest="folder", type=Path, metavar="folder", help=where)


def for_compare(parser: ArgumentParser) -> None:
    """Add the arguments of `compare`."""
    parser.add_argument("base", help="a commit or branch")


def for_lint(parser: ArgumentParser) -> None:
    """Add the arguments of `lint`."""
    where = "another checkout, for rules of this one (default: this one)"
    parser.add_argument("folder", nargs="?", type=Path, help=where)


def no_arguments(_: ArgumentParser) -> None:
    """Add no arguments."""


def _add_scripts(parser: ArgumentParser) -> None:
    what = "pages and frameworks (default: all)"
    parser.add_argument("names", nargs="*", metavar="name", help=what)
    _add_device(parser)


def _add_languages(parser: ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="language", help="(default: all)")


def _add_device(parser: ArgumentParser) -> None:
    parser.add_argument("--device", choices=DEVICES, default=CPU, help="(default: cpu)")


def _add_environment(parser: ArgumentParser) -> None:
    as_it_is = "run in this Python as it is, or in the one at a path; nothing is installed"
    parser.add_argument("--environment", metavar="current|python", help=as_it_is)


def _add_json(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


def _add_no_record(parser: ArgumentParser) -> None:
    parser.add_argument("--no-record", action="store_true", help="run no snippet")


def _add_scheduler(parser: ArgumentParser) -> None:
    where = "run on the cluster of this scheduler (default: on this machine)"
    parser.add_argument("--scheduler", metavar="tls://host:port", help=where)


def _add_machine(parser: ArgumentParser) -> None:
    at_once = "how many at once on this machine (default: its cores)"
    parser.add_argument("--jobs", type=_count, metavar="n", help=at_once)
    for part, what in _CERTIFICATES.items():
        parser.add_argument(f"--tls-{part}", type=Path, metavar="file", help=what)


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0
    if not 0 < minutes < float("inf"):
        raise argparse.ArgumentTypeError("it must be a number of minutes, above 0")
    return minutes


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("it must be a whole number, 1 or more")
    return int(text)
