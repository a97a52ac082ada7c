"""The folder that is published: the files that are given, each whole, listed, and no other."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from polytab.site.language_files import files_in
from polytab.site.publish import MANIFEST, publish
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path


def held(site: Path) -> dict[str, bytes]:
    files = (path for path in site.rglob("*") if path.is_file())
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes | Path]:
    write(tmp_path, {"written/dot.png": "dot"})
    return {"b.html": b"b", "en/a.html": b"a", "en/dot.png": tmp_path / "written" / "dot.png"}


def test_the_folder_holds_what_is_given_and_nothing_else(
    tmp_path: Path, files: dict[str, bytes | Path]
) -> None:
    site = tmp_path / "site"
    write(site, {"old.html": "", "gone/old.css": "", "b.html/was/a/folder": "", "en": "a file"})
    publish(site, files)
    found = held(site)
    assert found.pop(MANIFEST)
    assert found == {"b.html": b"b", "en/a.html": b"a", "en/dot.png": b"dot"}
    assert {path.name for path in site.rglob("*") if path.is_dir()} == {"en"}


def test_the_manifest_lists_every_file_with_its_digest_and_not_itself(
    tmp_path: Path, files: dict[str, bytes | Path]
) -> None:
    for _ in range(2):
        publish(tmp_path / "site", files)
    listed = json.loads((tmp_path / "site" / MANIFEST).read_text())["files"]
    found = held(tmp_path / "site")
    del found[MANIFEST]
    assert listed == {name: sha256(content).hexdigest() for name, content in found.items()}
    assert list(listed) == sorted(listed)


def test_what_is_as_it_was_is_not_touched(tmp_path: Path, files: dict[str, bytes | Path]) -> None:
    site = tmp_path / "site"
    publish(site, files)
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    publish(site, files)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    publish(site, files | {"b.html": b"other"})
    touched = {path.name for path in before if path.stat().st_mtime_ns != before[path]}
    assert touched == {"b.html", MANIFEST}


def test_what_was_published_before_can_be_published_again(
    tmp_path: Path, files: dict[str, bytes | Path]
) -> None:
    site = tmp_path / "site"
    publish(site, files)
    before = held(site)
    publish(site, {"b.html": b"b", **files_in(site / "en", "en")})
    assert held(site) == before
