"""Commits with the days that a test needs."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def commit(folder: Path, day: str) -> None:
    """Commit everything on a day."""
    people = {f"GIT_{who}": "tester" for who in ("AUTHOR_NAME", "COMMITTER_NAME")}
    addresses = {f"GIT_{who}_EMAIL": "tester@example.org" for who in ("AUTHOR", "COMMITTER")}
    days = {f"GIT_{who}_DATE": f"{day}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    environment = {**os.environ, **people, **addresses, **days, "GIT_CONFIG_GLOBAL": "/dev/null"}
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", day]):
        subprocess.run(["git", *command], cwd=folder, env=environment, check=True)
