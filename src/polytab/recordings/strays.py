"""Files in a folder that machines and translators share, where nothing reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.model import Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path


def find_strays(folder: Path, known: Collection[Path], kind: str, hint: str) -> Iterator[Finding]:
    """Find what lies in a folder and is no known file, and every link, known or not.

    The finding says that it is `no <kind>`, and `hint` what to do.
    """
    for path in sorted([folder, *folder.rglob("*")]):
        if path.is_symlink() or (path.exists() and not path.is_dir() and path not in known):
            yield Finding(path, None, "stray", f"no {kind}; {hint}, or take it out")
