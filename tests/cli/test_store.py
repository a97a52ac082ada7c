"""Which store a command asks, when it asks none, and what an address may not hold."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.files import load_recording, recording_path
from polytab.runner.store import Store
from polytab.settings import load_settings
from tests.support.handbook import job, record, recording, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.settings import Settings
    from tests.cli.said import Said

SECRET = "wJalrXUtnFEMI/K7MDENG"  # noqa: S105  # the documentation's own


@pytest.fixture
def shared(handbook: Settings) -> Path:
    """Name a store in the settings, which already has the recording of torch."""
    _name(handbook, "shared")
    folder = handbook.root / "shared"
    _fill(folder, handbook)
    return folder


def _name(settings: Settings, address: str) -> None:
    file = settings.root / "pyproject.toml"
    text = file.read_text(encoding="utf-8")
    write(settings.root, {file.name: text.replace("docs =", f'store = "{address}"\ndocs =', 1)})


def _fill(folder: Path, settings: Settings) -> None:
    Store(str(folder), lambda event: pytest.fail(event.text)).keep(recording(job(settings)))


def _held(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.usefixtures("shared")
def test_what_the_store_has_is_not_run_and_the_rest_is_kept_there(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str], shared: Path
) -> None:
    said = polytab("record", "--jobs", "1")
    assert (said.code, said.err) == (0, "")
    first = "tour/torch: from the store, recorded on 2026-01-02 on A Processor"
    assert said.lines[0] == first
    assert said.lines[-2] == "4 scripts: 3 recorded, 1 from the store, 0 reused, 0 failed"
    assert said.lines[-1].endswith("reuse saved 2 s")
    assert sorted(kernels) == ["end/python", "tour/mxnet", "tour/python"]
    assert len(_held(shared)) == 4
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    assert load_recording(path) == recording(job(handbook))


def test_a_store_is_asked_before_any_scheduler(
    handbook: Settings, polytab: Callable[..., Said], shared: Path
) -> None:
    assert shared.is_dir()
    said = polytab("record", "tour", "torch", "--scheduler", "tcp://127.0.0.1:1")
    assert (said.code, said.err) == (0, "")
    assert said.lines[-2] == "1 scripts: 0 recorded, 1 from the store, 0 reused, 0 failed"
    assert not handbook.build.exists()


def test_an_author_fetches_into_the_overlay(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str], shared: Path
) -> None:
    assert polytab("record", "--overlay").code == 0
    assert sorted(kernels) == ["end/python", "tour/mxnet", "tour/python"]
    assert len(_held(shared)) == 4
    assert not handbook.recordings.exists()
    assert (handbook.overlay / "tour" / "torch.cpu.ipynb").is_file()


@pytest.mark.parametrize("words", [("record", "--all"), ("verify",)])
def test_what_must_run_is_not_fetched(
    handbook: Settings,
    polytab: Callable[..., Said],
    kernels: list[str],
    shared: Path,
    words: tuple[str, ...],
) -> None:
    if words == ("verify",):
        record(handbook)
    before = {path: path.stat().st_ino for path in shared.iterdir()}
    assert polytab(*words, "torch").code == 0
    assert kernels == ["tour/torch"]
    written = {path: path.stat().st_ino for path in shared.iterdir()} != before
    assert written == ("--all" in words)


def test_an_environment_that_is_found_shares_nothing(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str], shared: Path
) -> None:
    assert polytab("record", "--environment", "current").code == 0
    assert len(kernels) == 4
    assert len(_held(shared)) == 1
    made = load_recording(recording_path(handbook.recordings, "tour", "torch", "cpu"))
    assert made is not None
    assert made.provenance.found


def test_without_a_right_to_run_nothing_is_fetched(
    handbook: Settings, polytab: Callable[..., Said], shared: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in shared.iterdir()}
    assert polytab("build", "--no-record").code == 0
    assert not handbook.overlay.exists()
    assert {path: path.stat().st_mtime_ns for path in shared.iterdir()} == before


def test_a_variable_names_another_store_or_none(
    polytab: Callable[..., Said],
    kernels: list[str],
    shared: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    another = shared.parent / "another"
    monkeypatch.setenv("POLYTAB_STORE", "")
    assert polytab("record", "torch").code == 0
    (shared.parent / "recordings" / "tour" / "torch.cpu.ipynb").unlink()
    monkeypatch.setenv("POLYTAB_STORE", "another")
    assert polytab("record", "torch").code == 0
    assert kernels == ["tour/torch"] * 2
    assert _held(another) == _held(shared)


@pytest.mark.parametrize(
    "address", [f"s3://who:{SECRET}@shared/x", f"s3://shared/x?key={SECRET}", f"a::s3://{SECRET}"]
)
def test_an_address_that_could_hold_a_secret_is_refused_and_never_said(
    handbook: Settings,
    polytab: Callable[..., Said],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
) -> None:
    monkeypatch.setenv("POLYTAB_STORE", address)
    said = polytab("record")
    assert said.code == 2
    assert "the address of the store must have no `@`" in said.err
    assert "POLYTAB_STORE" in said.err
    monkeypatch.delenv("POLYTAB_STORE")
    _name(handbook, address)
    refused = polytab("plan")
    assert refused.code == 1
    assert f"{handbook.root / 'pyproject.toml'}:3: the address of the store must" in refused.err
    assert SECRET not in said.err + said.out + refused.err + refused.out


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("address", "reason"),
    [("foo://shared", "Protocol not known: foo"), ("gs://shared", "Please install gcsfs")],
)
def test_a_store_that_this_machine_cannot_speak_to_is_left_alone(
    handbook: Settings, polytab: Callable[..., Said], address: str, reason: str
) -> None:
    _name(handbook, address)
    said = polytab("record")
    assert said.code == 0
    assert said.err.startswith(f"warning: the store {address} is left alone: {reason}")
    assert said.err.count("\n") == 1


def test_who_names_no_store_needs_nothing_for_it(handbook: Settings) -> None:
    assert load_settings(handbook.root).store is None
    code = "import sys; sys.modules['fsspec'] = None; import polytab.runner.record"
    subprocess.run([sys.executable, "-c", code], check=True)
