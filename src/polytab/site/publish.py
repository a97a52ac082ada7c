"""The folder that is published, brought up to date file by file.

Laws, guarded by tests/site/test_publish.py: the folder holds the files that are given and no other;
a file that is as it was is not touched; `manifest.json` lists each with the SHA-256 of its bytes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from polytab.model import digest
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MANIFEST = "manifest.json"


def publish(site: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make the folder hold these files, given as bytes or as where they lie, and their list."""
    _remove_others(site, {*files, MANIFEST})
    digests = {}
    for name, source in sorted(files.items()):
        content = source if isinstance(source, bytes) else source.read_bytes()
        write_atomic(site / name, content)
        digests[name] = digest(content)
    text = json.dumps({"files": digests}, indent=1, ensure_ascii=False) + "\n"
    write_atomic(site / MANIFEST, text.encode())


def _remove_others(site: Path, names: set[str]) -> None:
    for path in sorted(site.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(site).as_posix() not in names:
            path.unlink()
