"""The words of the command line: each verb, what it does, and what may follow it."""

from __future__ import annotations

import argparse

from polytab import __version__
from polytab.model import CPU, DEVICES

VERBS = {
    "plan": "list the scripts and say which must run, and why",
    "record": "run the stale scripts and save their outputs",
    "verify": "run scripts again and show what does not repeat",
    "translate": "bring the catalogs up to their pages",
    "status": "say how far each page is translated",
    "changes": "tell the kind of the change since a commit",
    "build": "run what is stale, then build the pages",
    "prepare": "run what is stale and compile the catalogs; complains, but never fails",
    "site": "build the pages from recordings; runs no snippet",
    "live": "serve one language and rebuild on every save",
    "check": "check scripts, recordings and the cells that pages call",
}


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
    for name in ("plan", "record", "verify"):
        what = "pages and frameworks (default: all)"
        each[name].add_argument("names", nargs="*", metavar="name", help=what)
        device = "(default: cpu)"
        each[name].add_argument("--device", choices=DEVICES, default=CPU, help=device)
    for name in ("record", "verify"):
        as_it_is = "run in this Python as it is, or in the one at a path; nothing is installed"
        each[name].add_argument("--environment", metavar="current|python", help=as_it_is)
    where = "save in _build/recordings; go on where an environment cannot be had"
    each["record"].add_argument("--overlay", action="store_true", help=where)
    each["record"].add_argument("--all", action="store_true", help="run the fresh ones too")
    for name in ("build", "site"):
        each[name].add_argument("names", nargs="*", metavar="language", help="(default: all)")
        strict = "a stale or missing output is an error"
        each[name].add_argument("--strict", action="store_true", help=strict)
    each["build"].add_argument("--no-record", action="store_true", help="run no snippet")
    act = each["translate"].add_mutually_exclusive_group()
    act.add_argument("--check", action="store_true", help="only say what is behind")
    act.add_argument("--compile", action="store_true", help="only compile what is good")
    act.add_argument("--add", metavar="language", help="start a language of the settings")
    each["status"].add_argument("--json", action="store_true", help="for programs")
    each["changes"].add_argument("base", help="a commit or branch")
    first = "(default: the first)"
    each["live"].add_argument("name", nargs="?", metavar="language", help=first)
    return top
