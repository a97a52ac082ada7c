"""Recordings are held against their scripts: what is wrong is found, what is stale is noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.recordings.check import check_recordings, find_unreadable
from polytab.recordings.files import recording_path, save_recording
from tests.support.handbook import job, record, recording, write

if TYPE_CHECKING:
    from polytab.settings import Settings


def test_nothing_is_said_of_recordings_that_are_fresh(handbook: Settings) -> None:
    record(handbook)
    checked = check_recordings(handbook)
    assert (checked.findings, checked.notes) == ((), ())
    assert list(find_unreadable(handbook)) == []


def test_what_is_not_recorded_is_noted(handbook: Settings) -> None:
    checked = check_recordings(handbook)
    assert checked.findings == ()
    assert "stale: tour/torch: there is no recording yet" in checked.notes


def test_a_recording_that_was_changed_by_hand_is_found(handbook: Settings) -> None:
    record(handbook)
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    path.write_text(path.read_text(encoding="utf-8").replace("x = 1", "x = 2"), encoding="utf-8")
    [finding] = check_recordings(handbook).findings
    assert (finding.file, finding.rule) == (path, "recording")
    assert list(find_unreadable(handbook)) == [finding]


def test_recordings_of_no_script_and_other_files_are_found(handbook: Settings) -> None:
    record(handbook)
    made = save_recording(handbook.recordings, recording(job(handbook)))
    other = made.with_name("torch.cuda.ipynb")
    made.rename(other)
    write(handbook.recordings, {"notes.txt": ""})
    found = check_recordings(handbook).findings
    assert [(each.file, each.rule) for each in found] == [
        (handbook.recordings / "notes.txt", "stray"),
        (other, "stray"),
    ]
