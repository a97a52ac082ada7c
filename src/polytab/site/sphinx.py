"""Sphinx, run on each language in a process of its own; no two runs share doctrees.

Where the system can fork, the languages begin as copies of one process that has imported Sphinx.

Law, guarded by tests/site/test_second.py: a build after one that was interrupted, or after one with
other pages, gives the site that a first build gives.
"""

from __future__ import annotations

import gc
import os
import shlex
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

from polytab.pages.inputs import READ_FILES
from polytab.site.policy import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.process import BaseProcess

    from polytab.model import Language
    from polytab.settings import Settings

_CONTEXT = get_context("fork") if sys.platform == "linux" else get_context("spawn")
_EXTENSIONS = ("sphinx.builders.html", "myst_nb", "sphinx_tabs.tabs", "polytab.pages")
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
    _import_sphinx()
    started = time.monotonic()
    running: dict[Language, BaseProcess] = {}
    written = []
    try:
        for each in languages:
            report(f"{each.code}: building")
            command = _command(settings, each, strict=strict)
            mark = _unfinished(settings, each)
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
            running[each] = _CONTEXT.Process(target=_write_language, args=(settings.root, command))
            running[each].start()
        while running:
            wait([process.sentinel for process in running.values()])
            for each in [each for each, process in running.items() if not process.is_alive()]:
                good = running.pop(each).exitcode == 0
                if good:
                    _unfinished(settings, each).unlink()
                listed = written_folder(settings, each) / READ_FILES
                read = listed.read_text(encoding="utf-8").splitlines() if good else []
                seconds = time.monotonic() - started
                written.append(Written(each, seconds, good, tuple(map(Path, read))))
    finally:
        for process in running.values():
            process.terminate()
            process.join()
    return written


def _import_sphinx() -> None:
    """Import what every language needs, once, before they are forked."""
    gc.set_threshold(_GARBAGE, 20, 20)
    for name in (*builtin_extensions, *_EXTENSIONS):
        import_module(name)
    gc.freeze()


def _command(settings: Settings, language: Language, *, strict: bool) -> list[str]:
    """Return what Sphinx must be told to write a language for the site."""
    command = [*arguments(settings, language, written_folder(settings, language)), "-q", "-W"]
    values = {"strict": int(strict), "published": 1, "policy": POLICY}
    if _unfinished(settings, language).exists():
        command.append("-E")  # it may have noted pages as read that it has not written
    return [*command, *(f"-Dpolytab_{name}={value}" for name, value in values.items())]


def _unfinished(settings: Settings, language: Language) -> Path:
    """Return the file that is there until Sphinx has written a language without a complaint.

    While it is there all pages are read again: Sphinx tells of a fault only where it reads it.
    """
    return written_folder(settings, language).with_suffix(".unfinished")


def _write_language(root: Path, command: Sequence[str]) -> None:
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
    settings: Settings, language: Language, folder: Path, builder: str = "html"
) -> list[str]:
    """Return what Sphinx must be told to build one language into a folder."""
    doctrees = settings.build / "doctrees" / builder / language.code
    return [
        *("-b", builder, "-c", str(settings.root), "-D", f"language={language.locale}"),
        *("-d", str(doctrees), str(settings.docs), str(folder)),
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
    return _run("sphinx", command, settings)


def live(settings: Settings, language: Language) -> int:
    """Serve one language and rebuild it on every save, until interrupted.

    It has a folder of its own: the server writes a script into pages, which a policy would stop.
    """
    inputs = (
        settings.snippets,
        settings.environments,
        settings.recordings,
        settings.translations,
    )
    watched = [word for path in inputs if path.is_dir() for word in ("--watch", str(path))]
    # It complains, but never fails: a page must not freeze because another has a fault.
    before = ("--pre-build", shlex.join([sys.executable, "-m", "polytab", "prepare"]))
    folder = settings.build / "live" / language.code
    command = [*arguments(settings, language, folder), *watched, *before]
    command += ["--port", "0", "--open-browser"]
    return _run("sphinx_autobuild", command, settings)


def _run(module: str, command: Sequence[str], settings: Settings) -> int:
    line = [sys.executable, "-m", module, *command]
    return subprocess.run(line, check=False, cwd=settings.root).returncode
