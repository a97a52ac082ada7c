"""A disk that is full while Sphinx reads or writes: one error, and the next build is right."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.disk import fill
from tests.support.handbook import record

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

SITE = (sys.executable, "-m", "polytab", "site")


def _site(settings: Settings) -> subprocess.CompletedProcess[str]:
    return subprocess.run(SITE, cwd=settings.root, capture_output=True, text=True, check=False)


def _published(settings: Settings) -> dict[str, bytes]:
    files = (path for path in settings.site.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


@pytest.mark.parametrize("folder", ["doctrees", "html"])
def test_no_room_for_what_sphinx_writes(handbook: Settings, disk: Path, folder: str) -> None:
    record(handbook)
    assert _site(handbook).returncode == 0
    before = _published(handbook)
    end = handbook.docs / "end.md"
    text = end.read_text("utf-8")
    full = handbook.build / folder
    full.rename(handbook.build / "whole")
    full.symlink_to(disk, target_is_directory=True)
    fill(disk)
    end.write_text(f"{text}\nOnce more.\n", "utf-8")
    ended = _site(handbook)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stdout + ended.stderr
    first, hint = ended.stderr.splitlines()
    assert first.startswith(f"error: {handbook.build}")
    assert first.endswith(": No space left on device")
    assert hint == "  make room there, and run it again"
    (disk / "filling").unlink()
    end.write_text(text, "utf-8")
    again = _site(handbook)
    assert again.returncode == 0, again.stdout + again.stderr
    assert _published(handbook) == before
