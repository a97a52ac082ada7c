"""The words of the command line: each verb, what it does, and what may follow it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.model import CPU, DEVICES

if TYPE_CHECKING:
    from collections.abc import Mapping

VERBS = {
    "plan": "list the scripts and say which must run, and why",
    "record": "run the stale scripts and save their outputs",
    "verify": "run scripts again and show what does not repeat",
    "worker": "run the jobs that a scheduler hands out to this machine",
    "translate": "bring the catalogs up to their pages",
    "status": "say how far each page is translated",
    "changes": "tell the kind of the change since a commit",
    "build": "run what is stale, then build the pages",
    "prepare": "run what is stale and compile the catalogs; complains, but never fails",
    "site": "build the pages from recordings; runs no snippet",
    "export": "make EPUB, PDF and Markdown of the pages",
    "live": "serve one language and rebuild on every save",
    "compare": "show which recordings say something else than those of a commit",
    "lint": "check the words of pages and catalogs, here or in another folder; runs nothing",
    "links": "ask other hosts for every address that the pages link to",
    "check": "check scripts, recordings and the cells that pages call",
}

CERTIFICATES = {
    "ca": "whose certificates are trusted, as PEM",
    "cert": "our certificate",
    "key": "its key",
}


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("it must be a whole number, 1 or more")
    return int(text)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; `verb` says which was called."""
    top = argparse.ArgumentParser(
        prog="polytab", description="Snippets in several frameworks, recorded and shown in tabs."
    )
    top.add_argument("--version", action="version", version=f"polytab {__version__}")
    verbs = top.add_subparsers(metavar="verb", dest="verb", required=True)
    each = {
        name: verbs.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        for name, text in VERBS.items()
    }
    _for_recording(each)
    _for_pages(each)
    _for_checking(each)
    return top


def _for_recording(each: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add what may follow the verbs that run scripts."""
    for name in ("plan", "record", "verify"):
        what = "pages and frameworks (default: all)"
        each[name].add_argument("names", nargs="*", metavar="name", help=what)
        device = "(default: cpu)"
        each[name].add_argument("--device", choices=DEVICES, default=CPU, help=device)
    for name in ("record", "verify"):
        as_it_is = "run in this Python as it is, or in the one at a path; nothing is installed"
        each[name].add_argument("--environment", metavar="current|python", help=as_it_is)
    since = "besides those named, what was recorded since a commit, or else the newest five"
    each["verify"].add_argument("--since", metavar="commit", help=since)
    where = "save in _build/recordings; go on where an environment cannot be had"
    each["record"].add_argument("--overlay", action="store_true", help=where)
    each["record"].add_argument("--all", action="store_true", help="run the fresh ones too")
    for name in ("plan", "record"):
        each[name].add_argument("--json", action="store_true", help="for programs")
    for name in ("record", "verify", "build"):
        where = "run on the cluster of this scheduler (default: on this machine)"
        each[name].add_argument("--scheduler", metavar="tls://host:port", help=where)
    each["worker"].add_argument("scheduler", metavar="tls://host:port")
    for name in ("record", "verify", "build", "worker"):
        at_once = "how many at once on this machine (default: its cores)"
        each[name].add_argument("--jobs", type=_count, metavar="n", help=at_once)
        for part, what in CERTIFICATES.items():
            each[name].add_argument(f"--tls-{part}", type=Path, metavar="file", help=what)
    each["worker"].add_argument("--name", help="what progress calls it (default: its address)")
    kept = "where it keeps environments (default: POLYTAB_ENVS, or ~/.cache/polytab/envs)"
    each["worker"].add_argument("--envs", type=Path, metavar="folder", help=kept)
    each["worker"].add_argument("rest", nargs="*", metavar="-- option", help="for `dask worker`")


def _for_pages(each: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add what may follow the verbs that make pages."""
    for name in ("build", "site"):
        each[name].add_argument("names", nargs="*", metavar="language", help="(default: all)")
        strict = "a stale or missing output is an error"
        each[name].add_argument("--strict", action="store_true", help=strict)
    each["export"].add_argument("names", nargs="*", metavar="language", help="(default: all)")
    each["build"].add_argument("--no-record", action="store_true", help="run no snippet")
    first = "(default: the first)"
    each["live"].add_argument("name", nargs="?", metavar="language", help=first)


def _for_checking(each: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add what may follow the verbs for translators and reviewers."""
    act = each["translate"].add_mutually_exclusive_group()
    act.add_argument("--check", action="store_true", help="only say what is behind")
    act.add_argument("--compile", action="store_true", help="only compile what is good")
    act.add_argument("--add", metavar="language", help="start a language of the settings")
    each["status"].add_argument("--json", action="store_true", help="for programs")
    each["status"].add_argument("--markdown", action="store_true", help="for a pull request")
    for name in ("changes", "compare"):
        each[name].add_argument("base", help="a commit or branch")
    where = "the checkout to look at (default: this one)"
    each["changes"].add_argument("--in", dest="folder", type=Path, metavar="folder", help=where)
    where = "another checkout, for rules of this one (default: this one)"
    each["lint"].add_argument("folder", nargs="?", type=Path, help=where)
