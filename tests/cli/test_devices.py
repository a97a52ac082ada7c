"""What the verbs do, say and refuse where CUDA is the device."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.files import load_recording, save_recording
from tests.support.gpus import ROWS, pretend
from tests.support.handbook import NO_CUDA, PYTHON, job, record, recording, with_cuda, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.settings import Settings
    from tests.cli.said import Said

EDITED = "# %% add\nx = 2 + 2\n\n# %% twice\nprint(2 * x)\n"


def test_a_plan_for_cuda_says_who_is_not_in_it_and_why(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    with_cuda(handbook)
    assert polytab("plan", "--device", "cuda").lines == [
        "tour/torch (cuda): there is no recording yet",
        f"mxnet is not recorded on cuda: {NO_CUDA}",
        "1 scripts, 1 to run",
    ]


def test_what_is_stale_on_cuda_is_listed_and_need_not_run(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    settings = with_cuda(handbook)
    save_recording(settings.recordings, recording(job(settings, device="cuda")))
    record(settings)
    assert polytab("plan").lines[-2:] == ["tour/mxnet: fresh", "4 scripts, 0 to run"]
    write(settings.snippets, {"tour/torch.py": EDITED})
    record(settings)
    assert polytab("plan").lines[-2:] == [
        "tour/torch (cuda): left out of its page, cell `add` changed",
        "4 scripts, 0 to run",
    ]
    said = polytab("check")
    assert "stale: tour/torch (cuda): cell `add` changed" in said.lines
    assert not [line for line in said.lines if "stray" in line]


@pytest.mark.parametrize("verb", ["record", "verify"])
def test_a_machine_without_gpus_records_nothing_for_cuda(
    handbook: Settings, polytab: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    settings = with_cuda(handbook)
    kept = recording(job(settings, device="cuda"))
    path = save_recording(settings.recordings, kept)
    monkeypatch.setenv("PATH", str(handbook.root))
    said = polytab(verb, "--device", "cuda", *(["--all"] if verb == "record" else []))
    assert said.code == 1
    asked = "tour/torch (cuda): asks for 1 GPU, this machine has none: `nvidia-smi` cannot be run"
    assert asked in said.err
    assert load_recording(path) == kept


def test_a_framework_without_cuda_cannot_be_asked_for_it(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    with_cuda(handbook)
    said = polytab("record", "--device", "cuda", "mxnet")
    assert said.code == 2
    assert f"`mxnet` is not recorded on cuda: {NO_CUDA}" in said.err


def test_a_check_wants_pins_or_a_reason_of_every_framework(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    settings = with_cuda(handbook)
    record(settings)
    (settings.environments / "torch.cuda.txt").unlink()
    write(settings.environments, {"mxnet.cuda.txt": f"# python: {PYTHON}\nipykernel==7.4.0\n"})
    save_recording(settings.recordings, replace(recording(job(settings)), device="cuda"))
    said = polytab("check")
    path = settings.recordings / "tour" / "torch.cuda.ipynb"
    for finding in (
        "[cuda] `torch` has neither environments/torch.cuda.txt nor `no_cuda`",
        "[cuda] `mxnet` has both environments/mxnet.cuda.txt and `no_cuda`",
        f"{path}: [stray] no recording of a script and a device it runs on",
    ):
        assert any(finding in line for line in said.lines)


@pytest.mark.usefixtures("kernels")
def test_a_new_recording_for_cuda_hides_no_older_one_of_the_authors(
    handbook: Settings,
    polytab: Callable[..., Said],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(tmp_path / "machine", monkeypatch, *ROWS)
    settings = with_cuda(handbook)
    record(settings, overlay=True)
    own = save_recording(settings.overlay, recording(job(settings, device="cuda")))
    said = polytab("record", "--device", "cuda", "--environment", "current", "--all")
    assert "1 scripts: 1 recorded, 0 reused, 0 failed" in said.lines
    assert not own.exists()
    assert (settings.overlay / "tour" / "torch.cpu.ipynb").exists()
    made = load_recording(settings.recordings / "tour" / "torch.cuda.ipynb")
    assert made is not None
    assert made.provenance.found


@pytest.mark.parametrize(
    "words", [("--jobs", "2"), ("--scheduler", "tcp://127.0.0.1:8786")], ids=lambda each: each[0]
)
def test_an_environment_that_is_found_is_of_this_machine_and_of_one_job_at_a_time(
    polytab: Callable[..., Said], words: tuple[str, str]
) -> None:
    for verb in ("record", "verify"):
        said = polytab(verb, "--environment", "current", *words)
        assert said.code == 2
        assert "with `--environment` jobs run one after another, on this machine" in said.err
