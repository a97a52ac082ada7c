"""A set of changed paths -> the kind of change, which says who may run what.

A translation or a text is built from committed recordings: nothing of it is executed. All else is
code, and so is whatever this module does not know: a new kind of file is never trusted by default.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from polytab.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from polytab.settings import Settings

_PLAIN_FILE = "100644"
_GONE = "000000"


class Kind(StrEnum):
    """What a change may do, least first."""

    TRANSLATION = "translation"
    TEXT = "text"
    CODE = "code"


@dataclass(frozen=True)
class Change:
    """A path, relative to the root, and the mode git gives it now."""

    path: str
    mode: str


def changes_since(root: Path, base: str) -> tuple[Change, ...]:
    """List what differs from the point where this branch left `base`, committed or not."""
    origin = _git(root, "merge-base", "--end-of-options", base, "HEAD").strip()
    raw = _git(root, "diff", "--raw", "--no-abbrev", "--no-renames", "-z", origin).split("\0")
    # `:<mode before> <mode now> <id> <id> <status>` and then the path
    pairs = zip(raw[0::2], raw[1::2], strict=False)
    found = [Change(path, head.split(" ")[1]) for head, path in pairs]
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    found += [Change(path, _mode(root / path)) for path in new if path]
    return tuple(sorted(found, key=lambda change: change.path))


def text_at(root: Path, commit: str, path: str) -> str | None:
    """Return what a file held in a commit; nothing where it was not there."""
    _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    try:
        return _git(root, "show", "--end-of-options", f"{commit}:{path}")
    except UsageError:
        return None


def kind_of(settings: Settings, changes: Iterable[Change]) -> Kind:
    """Return the kind of the most powerful change."""
    kinds = [kind_of_one(settings, change) for change in changes]
    order = list(Kind)
    return max(kinds, key=order.index, default=Kind.TRANSLATION)


def kind_of_one(settings: Settings, change: Change) -> Kind:
    """Return the kind of one change; a link or an executable file is code wherever it lies."""
    if change.mode not in {_PLAIN_FILE, _GONE}:
        return Kind.CODE
    translations, docs = (
        path.relative_to(settings.root).as_posix()
        for path in (settings.translations, settings.docs)
    )
    locales = "|".join(re.escape(language.locale) for language in settings.languages)
    catalog = rf"{re.escape(translations)}/(?:{locales})/LC_MESSAGES/(?:snippets/)?[\w-]+\.po"
    if re.fullmatch(catalog, change.path):
        # These two are read by Sphinx and by us as the interface's own words.
        reserved = change.path.endswith(("/sphinx.po", "/polytab.po"))
        return Kind.CODE if reserved else Kind.TRANSLATION
    text = rf"(?:{re.escape(docs)}/(?:[\w-]+/)*[\w-]+\.(?:md|svg)|[A-Z]+\.md)"
    return Kind.TEXT if re.fullmatch(text, change.path) else Kind.CODE


def _mode(path: Path) -> str:
    return _PLAIN_FILE if path.is_file() and not path.is_symlink() else "120000"


def _git(root: Path, *words: str) -> str:
    """Run git; a base it does not know is wrong usage."""
    ran = subprocess.run(
        ["git", "-C", str(root), *words],  # noqa: S607  # git as the person has it
        check=False,
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        raise UsageError(f"git {words[0]}: {ran.stderr.strip()}", hint="name a commit or a branch")
    return ran.stdout
