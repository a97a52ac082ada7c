"""Given every page of the handbook and of a small site, then vnu finds no fault in its HTML."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.served import Server

JAR = Path(os.environ.get("POLYTAB_VNU", ""))

NEWER = "Expecting source-expression but found \"'wasm-unsafe-eval'\"."
"""The validator's own list of what a policy may say is older than CSP 3, which has this word."""


def faults(folder: Path) -> list[str]:
    """Ask the validator about every page in a folder."""
    java = shutil.which("java")
    if java is None or not JAR.is_file():
        pytest.fail("run `nox -s browser`, which brings the validator; it needs `java` and `npm`")
    pages = sorted(str(page) for page in folder.rglob("*.html"))
    assert pages
    command = [java, "-Xss8m", "-jar", str(JAR), "--format", "json", "--exit-zero-always", *pages]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        f"{each['url']}:{each.get('lastLine')}: {each['message']}"
        for each in json.loads(ran.stderr)["messages"]
        if each["type"] != "info" and NEWER not in each["message"]
    ]


def test_no_page_of_the_handbook_has_a_fault(handbook: Server) -> None:
    assert faults(handbook.folder) == []


def test_no_page_of_the_small_site_has_a_fault(site: Server) -> None:
    assert faults(site.folder) == []


def test_a_fault_is_found(tmp_path: Path) -> None:
    page = '<!doctype html><html lang="en"><title>x</title><p id="a"><p id="a"><input type="radio" '
    (tmp_path / "page.html").write_text(f'{page}autocomplete="off">', encoding="utf-8")
    said = " ".join(faults(tmp_path))
    assert "Duplicate ID" in said
    assert "autocomplete" in said
