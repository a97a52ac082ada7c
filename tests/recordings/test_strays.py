"""What lies in a folder and is not read is told, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.recordings.strays import find_strays
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path


def _found(folder: Path, *known: str) -> list[str]:
    findings = find_strays(folder, [folder / name for name in known], "cat", "feed it")
    return [f"{each.file.relative_to(folder.parent).as_posix()}: {each.message}"
            for each in findings]  # fmt: skip


def test_files_that_nobody_knows_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write(folder, {"known.txt": "", "deep/.hidden": "", "deep/known.txt": ""})
    assert _found(folder, "known.txt", "deep/known.txt") == [
        "folder/deep/.hidden: no cat; feed it, or take it out"
    ]


def test_a_link_is_told_wherever_it_stands(tmp_path: Path) -> None:
    write(tmp_path, {"real/known.txt": ""})
    (tmp_path / "real" / "link.txt").symlink_to("known.txt")
    (tmp_path / "folder").symlink_to("real")
    assert [each.partition(":")[0] for each in _found(tmp_path / "folder", "known.txt", "link.txt")
            ] == ["folder", "folder/link.txt"]  # fmt: skip


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert _found(tmp_path / "none") == []
