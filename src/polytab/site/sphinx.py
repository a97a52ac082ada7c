"""Sphinx, run on one language in a process of its own; no two runs share doctrees."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from polytab.site.policy import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

_POLITELY = {"workers": 1, "timeout": 15, "retries": 2, "anchors": 0}
"""One address after the other; Sphinx waits where a host says that it is asked too often."""


@dataclass(frozen=True)
class Written:
    """What came of a language: how long Sphinx took, and whether it had nothing to complain of."""

    language: Language
    seconds: float
    good: bool


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
    one = partial(_write_language, settings, strict=strict, report=report)
    with ThreadPoolExecutor(max_workers=len(languages)) as pool:
        return list(pool.map(one, languages))


def _write_language(
    settings: Settings, language: Language, *, strict: bool, report: Callable[[str], None]
) -> Written:
    started = time.monotonic()
    report(f"{language.code}: building")
    command = [*arguments(settings, language, written_folder(settings, language)), "-q", "-W"]
    values = {"strict": int(strict), "published": 1, "policy": POLICY}
    command += ["--keep-going", *(f"-Dpolytab_{name}={value}" for name, value in values.items())]
    code = _run("sphinx", command, settings)
    return Written(language, time.monotonic() - started, code == 0)


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
