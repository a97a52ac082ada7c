"""A page's last change is told by git, or not at all."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from polytab.git import last_commit_days
from polytab.settings import load_settings
from tests.support.commits import commit
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings


def test_a_file_has_the_day_of_its_last_commit(handbook: Settings) -> None:
    write(handbook.root, {"translations/pt_BR/LC_MESSAGES/tour.po": "1"})
    commit(handbook.root, "2026-01-02")
    write(handbook.root, {"docs/tour.md": "# Tour\n"})
    commit(handbook.root, "2026-03-04")
    write(handbook.root, {"docs/end.md": "# Not committed\n", "docs/new.md": "# New\n"})
    days = last_commit_days(handbook)
    assert days[handbook.docs / "tour.md"] == "2026-03-04"
    assert days[handbook.docs / "end.md"] == "2026-01-02"
    assert days[handbook.translations / "pt_BR" / "LC_MESSAGES" / "tour.po"] == "2026-01-02"
    assert handbook.docs / "new.md" not in days
    assert {path.suffix for path in days} == {".md", ".po"}


def test_a_handbook_below_the_root_of_its_repository_is_found(tmp_path: Path) -> None:
    settings = write_handbook(tmp_path / "书 & book")
    commit(tmp_path, "2026-01-02")
    assert last_commit_days(settings)[settings.docs / "tour.md"] == "2026-01-02"


def test_without_git_nothing_is_told(handbook: Settings) -> None:
    assert last_commit_days(handbook) == {}


def test_without_the_whole_history_nothing_is_told(tmp_path: Path) -> None:
    settings = write_handbook(tmp_path / "book")
    commit(settings.root, "2026-01-02")
    write(settings.root, {"docs/tour.md": "# Tour\n"})
    commit(settings.root, "2026-03-04")
    shallow, whole = tmp_path / "shallow", tmp_path / "whole"
    for to, words in ((shallow, ["--depth=1"]), (whole, [])):
        command = ["git", "clone", "-q", *words, settings.root.as_uri(), str(to)]
        subprocess.run(command, check=True)
    assert last_commit_days(load_settings(whole)) != {}
    assert last_commit_days(load_settings(shallow)) == {}
