"""Sphinx, run on each language in a process of its own; no two runs share doctrees.

Where the system can fork, the languages begin as copies of one process that has imported Sphinx.

Law, guarded by tests/site/test_second.py: a build after one that was interrupted, or after one with
other pages, gives the site that a first build gives.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from sphinx.application import builtin_extensions
from sphinx.cmd.build import build_main

from polytab.model import digest, digest_path
from polytab.pages.inputs import READ_FILES
from polytab.recordings.atomic import write_atomic
from polytab.site.policy import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.process import BaseProcess

    from polytab.model import Language
    from polytab.settings import Settings

CONTEXT = get_context("fork") if sys.platform == "linux" else get_context("spawn")
"""How processes are started: as a copy of this one, where that is safe."""

_EXTENSIONS = (
    *("sphinx.builders.html", "sphinx.builders.latex.transforms", "sphinx.ext.mathjax"),
    *("myst_parser.sphinx_ext.main", "myst_nb.sphinx_ext", "sphinx_tabs.tabs"),
    *("polytab.pages", "polytab.export"),
)
"""What a build imports; MyST imports its own modules when it is set up, so they are named here."""

_GARBAGE = 100_000
"""New objects between two looks for garbage: documents are many objects, none of them garbage."""

_POLITELY = {"workers": 1, "timeout": 15, "retries": 2, "anchors": 0}
"""One address after the other; Sphinx waits where a host says that it is asked too often."""


@dataclass(frozen=True)
class Written:
    """What came of a language: how long Sphinx took, and whether it had nothing to complain of."""

    language: Language
    seconds: float
    good: bool
    read: tuple[Path, ...] = ()
    """What it read beside the folders of the book."""


def written_folder(settings: Settings, language: Language) -> Path:
    """Return where Sphinx writes the pages of a language."""
    return settings.build / "html" / language.code


def write_pages(
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    report: Callable[[str], None],
) -> list[Written]:
    """Have Sphinx write the pages of these languages, all at once; it prints what is wrong."""
    import_sphinx()
    started = time.monotonic()
    running: dict[Language, BaseProcess] = {}
    written = []
    try:
        for each in languages:
            report(f"{each.code}: building")
            command = _command(settings, each, strict=strict)
            _finished(settings, each).unlink(missing_ok=True)
            running[each] = CONTEXT.Process(target=run_sphinx, args=(settings.root, command))
            running[each].start()
        while running:
            wait([process.sentinel for process in running.values()])
            for each in [each for each, process in running.items() if not process.is_alive()]:
                good = running.pop(each).exitcode == 0
                if good:
                    write_atomic(_finished(settings, each), _digest_left(settings, each))
                listed = written_folder(settings, each) / READ_FILES
                read = listed.read_text(encoding="utf-8").splitlines() if good else []
                seconds = time.monotonic() - started
                written.append(Written(each, seconds, good, tuple(map(Path, read))))
    finally:
        for process in running.values():
            process.terminate()
            process.join()
    return written


def import_sphinx() -> None:
    """Import what every build needs, once, before its processes are forked."""
    gc.set_threshold(_GARBAGE, 20, 20)
    for name in (*builtin_extensions, *_EXTENSIONS):
        import_module(name)
    gc.freeze()


def _command(settings: Settings, language: Language, *, strict: bool) -> list[str]:
    """Return what Sphinx must be told to write a language for the site."""
    command = [*arguments(settings, language, written_folder(settings, language)), "-q", "-W"]
    values = {"strict": int(strict), "published": 1, "policy": POLICY}
    if not _is_finished(settings, language):
        command.append("-E")  # it may have noted pages as read that it has not written
    return [*command, *(f"-Dpolytab_{name}={value}" for name, value in values.items())]


def _finished(settings: Settings, language: Language) -> Path:
    """Return the file that is there once Sphinx has written a language without a complaint.

    It holds a digest of what Sphinx left. Where it is missing, or that is not as it was left, all
    pages are read again: Sphinx tells of a fault only where it reads it, and trusts what it finds.
    """
    return written_folder(settings, language).with_suffix(".finished")


def _is_finished(settings: Settings, language: Language) -> bool:
    try:
        noted = _finished(settings, language).read_bytes()
    except OSError:
        return False
    return noted == _digest_left(settings, language)


def _digest_left(settings: Settings, language: Language) -> bytes:
    """Return a digest of what Sphinx has written of a language, and of what it keeps for itself."""
    folders = (written_folder(settings, language), _doctrees(settings, language))
    return digest(" ".join(map(digest_path, folders))).encode()


def _doctrees(settings: Settings, language: Language, builder: str = "html") -> Path:
    """Return where Sphinx keeps the documents that it has read."""
    return settings.build / "doctrees" / builder / language.code


def run_sphinx(root: Path, command: Sequence[str]) -> None:
    """Run Sphinx in a process of its own, which exits as `sphinx-build` would."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_build, daemon=True).start()
    os.chdir(root)
    sys.path.insert(0, str(root))  # `conf.py` may import what lies beside it
    sys.exit(build_main(command))


def _end_with_build() -> None:
    """End this process when the one that started it is gone: others may build in its folders."""
    build = parent_process()
    if build is not None:
        build.join()
        os._exit(1)


def arguments(
    settings: Settings,
    language: Language,
    folder: Path,
    builder: str = "html",
    *,
    doctrees: str | None = None,
) -> list[str]:
    """Return what Sphinx must be told to build one language into a folder.

    `doctrees` names the folder of its doctrees, where another run has those of this builder.
    """
    kept = _doctrees(settings, language, doctrees or builder)
    return [
        *("-b", builder, "-c", str(settings.root), "-D", f"language={language.locale}"),
        *("-d", str(kept), str(settings.docs), str(folder)),
    ]


def ask_hosts(settings: Settings) -> int:
    """Ask other hosts for every address that the pages link to; Sphinx prints which are broken.

    The pages are read in the language they are written in: translations have the same addresses,
    which the lint sees to. Returns 0, or 1 where an address, or a page, is broken.
    """
    folder = settings.build / "linkcheck"
    command = [*arguments(settings, settings.source_language, folder, "linkcheck"), "-q"]
    for name, value in _POLITELY.items():
        command += ["-D", f"linkcheck_{name}={value}"]
    line = [sys.executable, "-m", "sphinx", *command]
    return subprocess.run(line, check=False, cwd=settings.root).returncode
