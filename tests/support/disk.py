"""A disk of its own that can be filled: a real one, of one MiB."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def mounted() -> Iterator[Path]:
    """Mount the disk while the block lasts; the test is skipped where that is not allowed."""
    with tempfile.TemporaryDirectory(prefix="pt-") as name:
        command = ["mount", "-t", "tmpfs", "-o", "size=1m", "polytab", name]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no disk may be mounted here: {done.stderr.strip()}")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", name], check=True)


def fill(disk: Path) -> None:
    """Leave no room on the disk."""
    with (disk / "filling").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return
