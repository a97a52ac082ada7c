"""A site that is built a second time is the site that would be built at first, to the byte.

Slow: each test builds several sites, because what an earlier build has left is the point.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from polytab.settings import load_settings
from polytab.site.publish import MANIFEST
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from polytab.settings import Settings

SITE = (sys.executable, "-m", "polytab", "site")
WAIT = """
from time import sleep

def wait(app, builder):
    (app.outdir / "now").touch()
    sleep(600)

def setup(app):
    app.connect("write-started", wait)
"""
ORPHAN = {"docs/orphan.md": "---\norphan: true\n---\n\n# Orphan\n\nWords.\n"}


def published(settings: Settings) -> Mapping[str, str]:
    """Build a site in a process of its own, as a person does; return its files and digests."""
    done = subprocess.run(SITE, cwd=settings.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, str] = json.loads((settings.site / MANIFEST).read_text())["files"]
    return found


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write_handbook(tmp_path / "book")
    return load_settings(tmp_path / "book")


def built_at_first(settings: Settings, folder: Path) -> Mapping[str, str]:
    """Build a copy of a book, without anything that was built before."""
    shutil.copytree(settings.root, folder, ignore=shutil.ignore_patterns("_build"))
    return published(load_settings(folder))


def test_nothing_is_left_of_a_page_that_is_gone(settings: Settings, tmp_path: Path) -> None:
    write(settings.root, ORPHAN)
    first = published(settings)
    assert "en/orphan.html" in first
    assert published(settings) == first
    (settings.docs / "orphan.md").unlink()
    assert published(settings) == built_at_first(settings, tmp_path / "again")


def test_a_build_that_is_interrupted_leaves_nothing_wrong(
    settings: Settings, tmp_path: Path
) -> None:
    """After Sphinx has noted the page as read, and before it has written it."""
    drawing = settings.docs / "drawing.svg"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>before</text></svg>'
    )
    page = "# End\n\n:::{figure} drawing.svg\n:alt: A drawing\n\nIts caption.\n:::\n"
    write(settings.root, {"docs/end.md": page})
    published(settings)
    drawing.write_text(drawing.read_text().replace("before", "after"))
    conf = settings.root / "conf.py"
    usual = conf.read_text()
    conf.write_text(usual + WAIT)
    reached = settings.build / "html" / "en" / "now"
    with subprocess.Popen(SITE, cwd=settings.root, start_new_session=True) as building:
        while not reached.exists():
            assert building.poll() is None
            time.sleep(0.05)
        os.killpg(building.pid, signal.SIGINT)
    assert building.returncode not in {0, 1}
    conf.write_text(usual)
    again = published(settings)
    assert "after" in (settings.site / "en" / "end.html").read_text()
    assert again == built_at_first(settings, tmp_path / "again")


def test_a_fault_is_told_until_it_is_mended(settings: Settings, tmp_path: Path) -> None:
    whole = (settings.docs / "end.md").read_text("utf-8")
    write(settings.root, {"docs/end.md": f"{whole}\n:::{{snippet}} nowhere\n:::\n"})
    for _ in range(2):
        done = subprocess.run(SITE, cwd=settings.root, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "no script" in done.stderr
    write(settings.root, {"docs/end.md": whole})
    assert published(settings) == built_at_first(settings, tmp_path / "again")
