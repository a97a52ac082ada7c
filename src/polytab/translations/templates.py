"""The messages of every page as they are now: Sphinx extracts the text, we the comments of code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import CPU, CUDA
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.measurements import measurements_of
from polytab.scripts.load import load_scripts
from polytab.translations.catalogs import Entry, Template
from polytab.translations.comments import extract_comments
from polytab.translations.po_parser import read_catalog

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from polytab.model import Script
    from polytab.settings import Settings

COMMENTS = "snippets"
"""The folder, among the catalogs, of those for comments; no page may have this name."""


def extract(settings: Settings) -> tuple[Template, ...]:
    """Extract the messages of all pages and scripts, in the order of their names.

    Raises PolytabError where Sphinx cannot read a page.
    """
    folder = settings.build / "gettext"
    shutil.rmtree(folder, ignore_errors=True)  # else a page that is gone would stay
    command = [
        *(sys.executable, "-m", "sphinx", "-b", "gettext", "-q", "-W", "--keep-going"),
        *("-c", str(settings.root), "-D", "gettext_compact=0"),
        *("-d", str(settings.build / "doctrees" / "gettext")),
        *(str(settings.docs), str(folder)),
    ]
    if subprocess.run(command, check=False, cwd=settings.root).returncode:
        msg = "Sphinx cannot extract the messages of the pages"
        raise PolytabError(msg, hint="mend what it says above; no catalog was changed")
    pages = [_page_template(settings, folder, path) for path in sorted(folder.rglob("*.pot"))]
    scripts = groupby(load_scripts(settings), key=lambda script: script.page)
    return (*pages, *(_comment_template(settings, page, own) for page, own in scripts))


def _page_template(settings: Settings, folder: Path, path: Path) -> Template:
    name = path.relative_to(folder).with_suffix("").as_posix()
    if PurePosixPath(name).parts[0] == COMMENTS:
        msg = f"no page may be called `{name}`: the catalogs of comments are called so"
        raise PolytabError(msg, file=settings.docs / name, hint="give the page another name")
    template = read_catalog(path, None)
    entries = template.entries if template else ()
    return Template(name, tuple(_located(settings, folder, entry) for entry in entries))


def _located(settings: Settings, folder: Path, entry: Entry) -> Entry:
    """Name the files of a message from the root; a line would change with every edit."""
    names = (location.rpartition(":")[0] for location in entry.locations)
    files = (os.path.relpath(folder / name, settings.root) for name in names if name)
    locations = dict.fromkeys(PurePath(file).as_posix() for file in files)
    return replace(entry, locations=tuple(locations))


def _comment_template(settings: Settings, page: str, scripts: Iterable[Script]) -> Template:
    """Collect the comments of a page's scripts, the names in its benchmarks, and excuses.

    What several scripts have is one message. Names are known once they were measured, so they are
    read from the committed recordings, the same on every machine.
    """
    found: dict[str, dict[str, None]] = {}
    for script in scripts:
        file = script.path.relative_to(settings.root).as_posix()
        for cell in script.cells:
            for comment in extract_comments(cell.text):
                found.setdefault(comment.text, {})[file] = None
        for name in (*_measured_names(settings, script), *_reasons(settings, script)):
            found.setdefault(name, {})[file] = None
    entries = (Entry(text, locations=tuple(files)) for text, files in found.items())
    return Template(f"{COMMENTS}/{page}", tuple(entries))


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
