"""What git knows: when files changed, what differs from a commit, what a file held.

`commit_days` and `last_commit_days` return {} if git or its history is missing; the others raise
`UsageError`, because somebody has named a commit.
"""

from __future__ import annotations

import posixpath
import stat
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from polytab.settings import Settings

PLAIN_FILE = "100644"
"""The mode of a file that is neither executable nor a link."""

_EXECUTABLE = "100755"
_LINK = "120000"
_COMMIT = "\x01"


@dataclass(frozen=True)
class Change:
    """A path and the mode git gives it now.

    The path is relative to the root of the book; outside it, where a repository holds more than
    the book, it begins with `../`.
    """

    path: str
    mode: str


def last_commit_days(settings: Settings) -> Mapping[Path, str]:
    """Return the day of the last commit to each page and catalog.

    {} if git or its history is missing.
    """
    return {path: days[0] for path, days in commit_days(settings).items()}


def commit_days(settings: Settings) -> Mapping[Path, Sequence[str]]:
    """Return the days of all commits to each page and catalog, the last one first.

    {} if git or its history is missing: in a shallow clone the oldest commit seems to have made
    every file.
    """
    sources = (str(settings.docs), str(settings.translations))
    log = ("-c", "core.quotePath=false", "log", f"--format={_COMMIT}%cs", "--name-only")
    try:
        if _git(settings.root, "rev-parse", "--is-shallow-repository").strip() != "false":
            return {}
        said = _git(settings.root, *log, "--relative", "--", *sources)
    except UsageError:
        return {}
    days: dict[Path, list[str]] = {}
    day = ""
    for line in said.splitlines():
        if line.startswith(_COMMIT):
            day = line.removeprefix(_COMMIT)
        elif line:
            days.setdefault(settings.root / line, []).append(day)  # git begins with the newest
    return days


def changes_since(root: Path, base: str) -> tuple[Change, ...]:
    """List what differs from the point where this branch left `base`, committed or not.

    All of the repository counts, and not the folder `root` alone.
    """
    book = _git(root, "rev-parse", "--show-prefix").removesuffix("\n")
    origin = _git(root, "merge-base", "--end-of-options", base, "HEAD").strip()
    diff = ("diff", "--raw", "--no-abbrev", "--no-renames", "--no-relative", "-z")
    raw = _git(root, *diff, origin).split("\0")
    # `:<mode before> <mode now> <id> <id> <status>` and then the path
    pairs = zip(raw[0::2], raw[1::2], strict=False)
    found = [Change(_relative(path, book), head.split(" ")[1]) for head, path in pairs]
    others = ("ls-files", "--others", "--exclude-standard", "--full-name", "-z")
    new = _git(root, *others, "--", ":/").split("\0")
    paths = (_relative(path, book) for path in new if path)
    found += [Change(path, _mode(root / path)) for path in paths]
    return tuple(sorted(found, key=lambda change: change.path))


def text_at(root: Path, commit: str, path: str) -> str | None:
    """Return what a file, named from `root`, held in a commit; None where it was not there."""
    _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    try:
        return _git(root, "show", "--end-of-options", f"{commit}:./{path}")
    except UsageError:
        return None


def _relative(path: str, book: str) -> str:
    """Return a path from the book, given where both lie in the repository."""
    return posixpath.relpath(f"/{path}", f"/{book}")


def _mode(path: Path) -> str:
    """Return the mode that git would record; anything but a file counts as a link."""
    if path.is_symlink() or not path.is_file():
        return _LINK
    return _EXECUTABLE if path.stat().st_mode & stat.S_IXUSR else PLAIN_FILE


def _git(root: Path, *words: str) -> str:
    """Run git; raise `UsageError` where it fails or is not there."""
    command = ["git", "-C", str(root), *words]
    try:
        ran = subprocess.run(
            command, check=True, capture_output=True, encoding="utf-8", errors="surrogateescape"
        )  # a path may be any bytes; `Path` spells them in the same way
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}", hint="install git") from None
    except subprocess.CalledProcessError as error:
        said = f"git {words[0]}: {error.stderr.strip()}"
        raise UsageError(said, hint="name a commit or a branch") from None
    return ran.stdout
