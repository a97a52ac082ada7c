"""Whether the site must be built again at all, found out without importing Sphinx.

`_build/last-build.json` keeps a digest of the files that the last build read, of their history,
of the installed packages by their names and versions, and of what was published. Variables of the
environment are not in it. It is removed before a build and written after one that had nothing to
complain of, so a build that was killed, or that failed, is done again.

Laws, guarded by tests/site/test_last_build.py: a change of anything that is read or published is
seen; a damaged or foreign file means that all is built.
"""

from __future__ import annotations

import json
import sys
import sysconfig
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.git import commit_days
from polytab.model import digest, digest_path, engine_digest
from polytab.recordings.atomic import write_atomic
from polytab.site.publish import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.model import Language
    from polytab.settings import Settings

_PACKAGES = Path(sysconfig.get_path("purelib"))


@dataclass(frozen=True)
class LastBuild:
    """What a build without a complaint has read and published."""

    read: str
    """The digest of the book's inputs, as they were when it began."""

    beside: Mapping[str, str]
    """The digest of each file or folder that it read beside those, by path."""

    languages: tuple[str, ...]
    strict: bool
    planned: bool
    """Whether no script was left to be run."""

    published: str | None = None
    """The digest of the list of what was published; `remember` sets it."""


def unchanged(
    settings: Settings, languages: Sequence[Language], *, strict: bool, planned: bool = False
) -> bool:
    """Tell whether a build of these languages would publish what lies there already.

    `strict` and `planned` say that the last build must have been strict, and must have left no
    script to run.
    """
    last = load_last(settings)
    return (
        last is not None
        and {each.code for each in languages} <= set(last.languages)
        and (last.strict or not strict)
        and (last.planned or not planned)
        and last.published is not None
        and last.published == digest_site(settings)
        and last.read == digest_inputs(settings)
        and all(digest_path(Path(path)) == found for path, found in last.beside.items())
    )


def load_last(settings: Settings) -> LastBuild | None:
    """Return what is known of the last build; None where there is nothing, or it is damaged."""
    try:
        last = LastBuild(**json.loads(_file(settings).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    whole = isinstance(last.beside, dict) and isinstance(last.languages, list)
    return last if whole else None


def forget(settings: Settings) -> LastBuild | None:
    """Remove what is known of the last build, and return it."""
    last = load_last(settings)
    _file(settings).unlink(missing_ok=True)
    return last


def remember(settings: Settings, last: LastBuild) -> None:
    """Keep what a build without a complaint has read, and what is published now."""
    known = replace(last, published=digest_site(settings))
    write_atomic(_file(settings), f"{json.dumps(asdict(known), indent=1)}\n".encode())


def digest_inputs(settings: Settings) -> str:
    """Return a digest of the book, its history, the engine and the packages that are installed."""
    days = sorted((str(path), *days) for path, days in commit_days(settings).items())
    parts = [
        sys.version,
        engine_digest(),
        repr(days),
        repr((settings.address, settings.repository)),  # the environment may have said them
        *sorted(path.name for path in _PACKAGES.glob("*-info")),
    ]
    return digest("\n".join([*parts, *map(digest_path, settings.sources)]))


def digest_site(settings: Settings) -> str | None:
    """Return a digest of the list of published files; None where they are not as listed."""
    try:
        text = (settings.site / MANIFEST).read_bytes()
        listed = json.loads(text)["files"]
        files = (path for path in settings.site.rglob("*") if path.is_file())
        found = {
            path.relative_to(settings.site).as_posix(): digest_path(path)
            for path in files
            if path.name != MANIFEST
        }
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return digest(text) if found == listed else None


def _file(settings: Settings) -> Path:
    return settings.build / "last-build.json"
