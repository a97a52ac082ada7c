"""A file is the old one or the new one, and nothing is left beside it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.atomic import remove_unfinished, write_atomic

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


_WRITES = """
import sys
from pathlib import Path
from polytab.recordings.atomic import write_atomic
replace = Path.replace
def wait(*paths):
    print(flush=True)
    sys.stdin.read()
    return replace(*paths)
Path.replace = wait
write_atomic(Path(sys.argv[1]), b"whole")
"""


@pytest.mark.parametrize("killed", [True, False])
def test_what_a_killed_writer_left_is_removed_and_not_what_one_is_writing(
    tmp_path: Path, *, killed: bool
) -> None:
    path = tmp_path / "page.po"
    (tmp_path / "theirs.part").write_bytes(b"no file of ours")
    with subprocess.Popen(
        [sys.executable, "-c", _WRITES, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()  # it has written all, and not yet moved it
        if killed:
            writer.kill()
            writer.wait()
        assert len(list(tmp_path.glob(".*"))) == 1
        remove_unfinished(tmp_path)
        assert len(list(tmp_path.glob(".*"))) == (0 if killed else 1)
        writer.communicate()
    assert writer.returncode == (-signal.SIGKILL if killed else 0)
    assert path.exists() is not killed
    assert sorted(tmp_path.glob("*.part")) == [tmp_path / "theirs.part"]


def test_a_pipe_of_that_name_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".x.part")
    remove_unfinished(tmp_path)
