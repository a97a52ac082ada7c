"""A file is the old one or the new one, and nothing is left beside it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_written_only_where_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "new" / "page.po"
    assert write_atomic(path, b"one")
    os.utime(path, (1, 1))
    assert not write_atomic(path, b"one")
    assert path.stat().st_mtime == 1
    assert write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert [each.name for each in path.parent.iterdir()] == ["page.po"]


@pytest.mark.parametrize("durable", [False, True])
def test_everybody_may_read_what_is_written(tmp_path: Path, *, durable: bool) -> None:
    write_atomic(tmp_path / "page.po", b"one", durable=durable)
    assert (tmp_path / "page.po").stat().st_mode & 0o777 == 0o644


def test_a_write_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "page.po").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomic(tmp_path / "page.po", b"one")
    assert [each.name for each in tmp_path.iterdir()] == ["page.po"]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder").write_bytes(b"")
    with pytest.raises(OSError, match="folder"):
        write_atomic(tmp_path / "folder" / "page.po", b"one")
