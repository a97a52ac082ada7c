"""Digests of texts, files and folders, and of the engine itself."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path


def digest(data: str | bytes) -> str:
    """Return the SHA-256 of text or bytes, in hexadecimal."""
    # The name of a file may hold half a character: whatever was no UTF-8.
    encoded = data.encode(errors="surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(encoded).hexdigest()


def digest_path(path: Path) -> str:
    """Return a digest of a file, or of all the files in a folder with their names."""
    if path.is_file():
        return digest(path.read_bytes())
    files = (Path(above, name) for above, _, names in os.walk(path) for name in names)
    found = sorted(each for each in files if each.is_file() and each.suffix != ".pyc")
    return digest("".join(f"{each.relative_to(path)} {digest_path(each)}\n" for each in found))


@cache
def engine_digest() -> str:
    """Return a digest of this package: what another engine has made is made anew."""
    return digest_path(Path(__file__).parents[1])
