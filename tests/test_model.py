"""What passes between the stages derives its own names and digests, and cannot be changed."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab import model
from polytab.model import Finding, Key, digest, digest_path
from polytab.scripts.load import load_scripts
from tests.support.handbook import job, recording

if TYPE_CHECKING:
    from polytab.settings import Settings

CLASSES = [each for each in vars(model).values() if dataclasses.is_dataclass(each)]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_everything_is_frozen(kind: type) -> None:
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]  # dataclasses keep it here


def test_a_digest_is_the_sha_256_of_text_or_bytes() -> None:
    assert digest("é") == digest("é".encode()) == hashlib.sha256("é".encode()).hexdigest()


def test_the_digest_of_a_folder_is_that_of_its_files_and_their_names(tmp_path: Path) -> None:
    def digests(folder: str, *files: tuple[str, str]) -> str:
        for name, text in files:
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / name).write_text(text)
        return digest_path(tmp_path / folder)

    one = digests("one", ("a", "1"), ("deep/b", "2"))
    assert one == digests("same", ("deep/b", "2"), ("a", "1"), ("deep/b.pyc", "3"))
    others = [digests("text", ("a", "1"), ("deep/b", "3")), digests("name", ("a", "1"), ("b", "2"))]
    others += [digests("less", ("a", "1")), digests("none"), digest_path(tmp_path / "one" / "a")]
    assert len({one, *others}) == 6


def test_a_script_a_job_and_a_recording_name_each_other(handbook: Settings) -> None:
    [script] = load_scripts(handbook, ["tour"], ["torch"])
    made = job(handbook)
    assert script.name == made.name == "tour/torch"
    assert recording(made).name == "tour/torch.cpu"
    on_cuda = dataclasses.replace(made.environment, device="cuda")
    assert dataclasses.replace(made, environment=on_cuda).name == "tour/torch (cuda)"


def test_a_cell_is_found_by_its_label(handbook: Settings) -> None:
    made = job(handbook)
    again = recording(made)
    for whole in (made.script, again):
        assert [whole.cell(label) for label in ("add", "twice")] == list(whole.cells)
        assert whole.cell("none") is None


def test_the_digest_of_a_key_is_that_of_all_its_parts_in_order() -> None:
    key = Key((("a", "1"), ("b", "2")))
    assert key.digest == Key((("a", "1"), ("b", "2"))).digest
    for other in ((("a", "1"),), (("b", "2"), ("a", "1")), (("a", "1"), ("b", "3"))):
        assert Key(other).digest != key.digest


def test_a_finding_as_a_terminal_shows_it() -> None:
    assert str(Finding(Path("a.md"), 3, "rule", "so")) == "a.md:3: [rule] so"
    assert str(Finding(Path("a.md"), None, "rule", "so")) == "a.md: [rule] so"
