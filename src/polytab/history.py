"""When each source was committed; nothing where git, or a part of its history, is missing."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from polytab.settings import Settings

_COMMIT = "\x01"


def last_changes(settings: Settings) -> Mapping[Path, str]:
    """Return the day of the last commit to each page and catalog."""
    return {path: days[0] for path, days in all_changes(settings).items()}


def all_changes(settings: Settings) -> Mapping[Path, Sequence[str]]:
    """Return the days of all commits to each page and catalog, the last one first, from one look.

    In a shallow clone the oldest commit seems to have made every file, so nothing is said there.
    """
    if _git(settings, "rev-parse", "--is-shallow-repository").strip() != "false":
        return {}
    said = _git(
        settings,
        *("-c", "core.quotePath=false", "log", f"--format={_COMMIT}%cs", "--name-only"),
        *("--relative", "--", str(settings.docs), str(settings.translations)),
    )
    days: dict[Path, list[str]] = {}
    day = ""
    for line in said.splitlines():
        if line.startswith(_COMMIT):
            day = line.removeprefix(_COMMIT)
        elif line:
            days.setdefault(settings.root / line, []).append(day)  # git begins with the newest
    return days


def _git(settings: Settings, *words: str) -> str:
    """Return what git says, or nothing where it fails."""
    try:
        done = subprocess.run(
            ("git", *words),  # noqa: S607  # wherever it is
            cwd=settings.root,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout
