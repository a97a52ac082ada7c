"""The cells that pages call and scripts have: each is there, and each tab has it; nothing is built.

A page shows a cell in a tab for each framework that has it. A framework of the page that lacks it
is a mistake, unless the call says so: `:without: mxnet` below `:::{snippet} label`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.model import PLAIN, Finding
from polytab.pages.markdown.allowed import TABS
from polytab.pages.markdown.walk import walk
from polytab.scripts.load import load_scripts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from polytab.model import Script
    from polytab.settings import Settings

_WITHOUT = re.compile(r"^\s*:without:(?P<names>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class _Call:
    """A `{snippet}` on a page; `tab` is the label of the tab around it."""

    label: str
    line: int
    tab: str | None
    without: tuple[str, ...]


def check_cells(settings: Settings) -> tuple[Finding, ...]:
    """Find calls of cells that scripts lack, cells that no page shows, and missing pages."""
    return tuple(_findings(settings))


def missing_cell_message(page: str, label: str) -> str:
    """Return the message that a page calls a cell that no script has."""
    return f"no script of page `{page}` has a cell `{label}`"


def names_without(option: str) -> tuple[str, ...]:
    """Read the option `:without:` of a `{snippet}`: names of frameworks, between commas."""
    return tuple(filter(None, (each.strip() for each in option.split(","))))


def problem_without(
    names: Sequence[str], having: Collection[str], settings: Settings
) -> str | None:
    """Say what is wrong with the names of a `:without:`; None if they are frameworks without it."""
    known = [each.name for each in settings.frameworks]
    for name in names:
        if name not in known:
            return f"`:without:` names `{name}`, which is no framework; known: {', '.join(known)}"
        if name in having:
            return f"`:without:` names `{name}`, whose script has the cell: take the name out"
    return None


def _findings(settings: Settings) -> Iterator[Finding]:
    scripts = load_scripts(settings)
    pages = {path.stem for path in settings.docs.glob("*.md")}
    for page in sorted({*settings.pages_with_scripts(), *pages}):
        own = [script for script in scripts if script.page == page]
        path = settings.docs / f"{page}.md"
        if not path.is_file():
            yield Finding(settings.snippets / page, None, "page", f"there is no docs/{page}.md")
            continue
        try:
            calls = list(_calls(path.read_text(encoding="utf-8")))
        except UnicodeDecodeError as error:
            yield Finding(path, None, "utf-8", f"the page is not UTF-8: {error.reason}")
            continue
        for call in calls:
            for rule, message in _problems(settings, page, call, own):
                yield Finding(path, call.line, rule, message)
        called = {call.label for call in calls}
        for script in own:
            for cell in script.cells:
                if cell.label not in called:
                    message = f"the page shows `{cell.label}` nowhere"
                    yield Finding(script.path, cell.line, "unused-cell", message)


def _problems(
    settings: Settings, page: str, call: _Call, scripts: Sequence[Script]
) -> Iterator[tuple[str, str]]:
    """Find what is wrong with a call: the name of the rule, and the message."""
    having = [script.framework for script in scripts if script.cell(call.label)]
    if not having:
        yield "unknown-cell", missing_cell_message(page, call.label)
    elif call.tab is not None:
        titles = {each.title: each.name for each in settings.frameworks}
        if call.tab not in titles:
            known = ", ".join(titles)
            yield "tab", f"the tab `{call.tab}` is no framework; known: {known}"
        elif titles[call.tab] not in having:
            yield "missing-cell", f"{call.tab} has no cell `{call.label}`: take it out of the tab"
    elif having != [PLAIN]:
        for script in scripts:
            if script.framework not in {PLAIN, *having, *call.without}:
                file = script.path.relative_to(settings.root).as_posix()
                said = f"{file} has no cell `{call.label}`: add it"
                yield "missing-cell", f"{said}, or write `:without: {script.framework}` below"
    if problem := problem_without(call.without, having, settings):
        yield "without", problem


def _calls(text: str) -> Iterator[_Call]:
    """Find the calls of cells on a page."""
    for block in walk(text):
        called = block.directive
        if called and called.name == "snippet":
            tabs = [each.argument.strip() for each in block.within if each.name in TABS]
            option = _WITHOUT.search(called.options)
            without = names_without(option["names"]) if option else ()
            yield _Call(called.argument.strip(), block.line, tabs[-1] if tabs else None, without)
