"""The machine is described as its maker writes it, and counted as we may use it."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

import pytest

from polytab.runner import devices
from polytab.runner.devices import this_machine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def cpuinfo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "cpuinfo"
    monkeypatch.setattr(devices, "_CPUINFO", file)
    return file


def test_the_processor_is_named_without_decoration(cpuinfo: Path) -> None:
    cpuinfo.write_text(
        "processor\t: 0\nmodel name\t: Maker(R) Brand(TM)  CPU @ 2.00GHz\n"
        "processor\t: 1\nmodel name\t: Another\n",
        encoding="utf-8",
    )
    assert this_machine().processor == "Maker Brand CPU @ 2.00GHz"


@pytest.mark.parametrize("text", [None, "", "model name\t:\n", "Hardware : A Board\n"])
def test_a_processor_without_a_name_is_called_by_its_kind(cpuinfo: Path, text: str | None) -> None:
    if text is not None:
        cpuinfo.write_text(text, encoding="utf-8")
    assert this_machine().processor in {platform.processor(), platform.machine()}
    assert this_machine().processor


def test_the_system_is_named_with_its_architecture() -> None:
    assert this_machine().system == f"{platform.system()} {platform.machine()}"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only some systems can bind cores")
def test_only_the_cores_we_may_use_are_counted() -> None:
    allowed = os.sched_getaffinity(0)
    assert this_machine().cores == len(allowed)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert this_machine().cores == 1
    finally:
        os.sched_setaffinity(0, allowed)
