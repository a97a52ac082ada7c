"""The messages of every page as they are now: Sphinx extracts the text, we the comments of code."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING

from filelock import FileLock

from polytab.errors import PolytabError
from polytab.model import CPU, CUDA
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.measurements import measurements_of
from polytab.scripts.load import load_scripts
from polytab.sphinx_process import SphinxRun, run_to_end
from polytab.translations.catalogs import Entry, Template
from polytab.translations.comments import extract_comments
from polytab.translations.docstrings import extract_docstrings, shows_docstrings
from polytab.translations.po_parser import read_catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from polytab.model import Script
    from polytab.settings import Settings

COMMENTS = "snippets"
"""The folder, among the catalogs, of those for comments; no page may have this name."""


def extract(settings: Settings) -> tuple[Template, ...]:
    """Extract the messages of all pages and scripts, in the order of their names.

    Raises PolytabError where Sphinx cannot read a page, or the system fails it.
    """
    folder = settings.build / "gettext"
    values = {"gettext_compact": False}
    run = SphinxRun(
        *(settings, settings.source_language, folder, "gettext", "gettext", values),
        strict=True,
        from_nothing=True,  # else a page that is gone would stay
    )
    settings.build.mkdir(parents=True, exist_ok=True)
    with FileLock(settings.build / "gettext.lock"):  # two may run at once, and wait for each other
        if not run_to_end(run):
            msg = "Sphinx cannot extract the messages of the pages"
            raise PolytabError(msg, hint="mend what it says above; no catalog was changed")
        return _read_templates(settings, folder)


def comment_templates(settings: Settings) -> tuple[Template, ...]:
    """Return what there is to translate in the scripts of each page, and in their recordings.

    Raises PolytabError where a script or a recording cannot be read.
    """
    scripts = groupby(load_scripts(settings), key=lambda script: script.page)
    return tuple(_comment_template(settings, page, own) for page, own in scripts)


def _read_templates(settings: Settings, folder: Path) -> tuple[Template, ...]:
    pages = [_page_template(settings, folder, path) for path in sorted(folder.rglob("*.pot"))]
    return (*pages, *comment_templates(settings))


def _page_template(settings: Settings, folder: Path, path: Path) -> Template:
    name = path.relative_to(folder).with_suffix("").as_posix()
    if PurePosixPath(name).parts[0] == COMMENTS:
        msg = f"no page may be called `{name}`: the catalogs of comments are called so"
        raise PolytabError(msg, file=settings.docs / name, hint="give the page another name")
    template = read_catalog(path, None)
    entries = template.entries if template else ()
    return Template(name, tuple(_located(settings, folder, entry) for entry in entries))


def _located(settings: Settings, folder: Path, entry: Entry) -> Entry:
    """Name the files of a message from the root; the lines that Sphinx counts are not exact."""
    names = (location.rpartition(":")[0] for location in entry.locations)
    files = (os.path.relpath(folder / name, settings.root) for name in names if name)
    locations = dict.fromkeys(PurePath(file).as_posix() for file in files)
    return replace(entry, locations=tuple(locations))


def _comment_template(settings: Settings, page: str, scripts: Iterable[Script]) -> Template:
    """Collect the comments and docstrings of a page's scripts, its benchmarks' names, and excuses.

    What several scripts have is one message, with its first line in each. Names are known once they
    were measured, so they are read from the committed recordings, the same on every machine. Those
    of frameworks are no messages.
    """
    found: dict[str, dict[str, str]] = {}
    for script in scripts:
        file = script.path.relative_to(settings.root).as_posix()
        for text, line in _comments(script):
            found.setdefault(text, {}).setdefault(file, f"{file}:{line}")
        for name in (*_measured_names(settings, script), *_reasons(settings, script)):
            found.setdefault(name, {}).setdefault(file, file)
    for framework in settings.frameworks:
        found.pop(framework.title, None)
    entries = (Entry(text, locations=tuple(files.values())) for text, files in found.items())
    return Template(f"{COMMENTS}/{page}", tuple(entries))


def _comments(script: Script) -> Iterator[tuple[str, int]]:
    """Return the messages in the comments and docstrings of a script, each with its line."""
    lines = script.path.read_text(encoding="utf-8-sig").splitlines()
    for cell in script.cells:
        above = cell.line  # the cell's text begins with the first line that is not blank
        while not lines[above].strip():
            above += 1
        told = [(each.line, each.text) for each in extract_comments(cell.text)]
        if not shows_docstrings(script):
            told += [(each.line, each.text) for each in extract_docstrings(cell.text)]
        for line, text in sorted(told):
            yield text, above + line


def _reasons(settings: Settings, script: Script) -> list[str]:
    """Return why a framework has no CUDA, once the page has recordings of CUDA beside which to say.

    Read from the committed recordings, for the reason above.
    """
    reason = settings.framework(script.framework).no_cuda
    there = any((settings.recordings / script.page).glob(f"*.{CUDA}.ipynb"))
    return [reason] if reason and there else []


def _measured_names(settings: Settings, script: Script) -> list[str]:
    """Return the names that charts and tables show: benchmarks, cases, what a curve runs over."""
    path = recording_path(settings.recordings, script.page, script.framework, CPU)
    recording = load_recording(path)
    measured = measurements_of(recording) if recording else ()
    names: list[str] = []
    for each in measured:
        names += [each.name, *([each.over] if each.over else [])]
        names += dict.fromkeys(case.name for case in each.cases)
    return names
