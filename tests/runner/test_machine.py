"""The machine is described as its makers write it, counted as we may use it, and handed out."""

from __future__ import annotations

import os
import platform
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.errors import DeviceError
from polytab.model import Accelerator
from polytab.runner import machine
from polytab.runner.machine import Gpu, Machine, accelerator_of, choose_gpus, this_machine
from tests.support.gpus import H100, ROWS, pretend
from tests.support.handbook import job, with_cuda, write
from tests.support.traces import eventually, processes

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.model import Job
    from polytab.settings import Settings


@pytest.fixture
def cpuinfo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "cpuinfo"
    monkeypatch.setattr(machine, "_CPUINFO", file)
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


def test_only_the_cores_we_may_use_are_counted() -> None:
    allowed = os.sched_getaffinity(0)
    assert this_machine().cores == len(allowed)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert this_machine().cores == 1
    finally:
        os.sched_setaffinity(0, allowed)


# GPUs

FIRST, SECOND = (
    Gpu(name, index, H100, 81559, "580.159.04", "13.0")
    for index, name in enumerate(("GPU-aaaa0000", "GPU-bbbb1111"))
)
CUT_UP = f"0, GPU-aaaa0000, {H100}, 81559, 580.159.04, Enabled"
SLICES = f"""\
GPU 0: {H100} (UUID: GPU-aaaa0000)
  MIG 1g.10gb     Device  0: (UUID: MIG-1)
  MIG 2g.20gb     Device  1: (UUID: MIG-2)
GPU 1: {H100} (UUID: GPU-bbbb1111)"""


def test_gpus_are_listed_as_their_driver_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, monkeypatch, *ROWS)
    assert this_machine("cuda").gpus == (FIRST, SECOND)
    assert this_machine().gpus == ()


def test_what_mig_has_cut_up_is_listed_by_its_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, monkeypatch, CUT_UP, ROWS[1], listed=SLICES)
    gpus = this_machine("cuda").gpus
    assert [(gpu.id, gpu.index) for gpu in gpus] == [("MIG-1", 0), ("MIG-2", 0), (SECOND.id, 1)]
    assert gpus[0].name == f"{H100} MIG 1g.10gb"


def test_what_a_driver_does_not_know_is_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "0, [N/A], Old, [Not Supported], 470.1, [N/A]"
    pretend(tmp_path, monkeypatch, row, said="no version here")
    assert this_machine("cuda").gpus == (Gpu("0", 0, "Old", None, "470.1", ""),)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("0,1", [FIRST, SECOND]),
        (" 1 ,0", [SECOND, FIRST]),
        ("GPU-bbbb", [SECOND]),
        ("1,9,0", [SECOND]),  # as CUDA does: what names none hides all that follow
        ("0,-1,1", [FIRST]),
        ("0,0,1", [FIRST]),
        ("", []),
        ("NoDevFiles", []),
    ],
)
def test_only_the_gpus_we_may_see_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: str, expected: list[Gpu]
) -> None:
    pretend(tmp_path, monkeypatch, *ROWS)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
    machine = this_machine("cuda")
    assert list(machine.gpus) == expected
    assert (machine.no_gpu == "CUDA_VISIBLE_DEVICES hides all of them") is (not expected)


@pytest.mark.parametrize(
    ("before", "rows", "why"),
    [
        ("echo 'No devices were found'; exit 6", (), "fails: No devices were found"),
        ("exit 9", (), "fails: exit status 9"),
        ("", (), "lists no GPU"),
        ("", ("what is this",), "answers oddly: what is this"),
        ("", ("x, GPU-1, A, 1, 5, Disabled",), "answers oddly: x, GPU-1"),
        ("head -c 300 /dev/urandom; exit 1", (), "fails: "),
    ],
)
def test_a_driver_that_does_not_tell_is_a_machine_without_gpus_and_the_reason(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: str,
    rows: tuple[str, ...],
    why: str,
) -> None:
    pretend(tmp_path, monkeypatch, *rows, before=before)
    machine = this_machine("cuda")
    assert machine.gpus == ()
    assert machine.no_gpu.startswith(f"`nvidia-smi` {why}")


def test_without_a_driver_there_are_no_gpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert this_machine("cuda").no_gpu == "`nvidia-smi` cannot be run: No such file or directory"


def test_a_driver_that_hangs_is_not_waited_for_and_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_NVIDIA_SMI_TIMEOUT", 0.3)
    pretend(tmp_path, monkeypatch, before=f"export MARK={tmp_path}; sleep 1000 & sleep 1000")
    assert this_machine("cuda").no_gpu == "`nvidia-smi` does not answer"
    assert eventually(lambda: processes(tmp_path) == [])


# Handing out


def _job(handbook: Settings, gpus: int) -> Job:
    block = f"# /// polytab\n# gpus = {gpus}\n# ///\n\n# %% add\n1\n"
    write(handbook.snippets, {"tour/torch.py": block})
    return job(with_cuda(handbook), device="cuda")


TWO = Machine("A Processor", 2, "Linux", (FIRST, SECOND))


@pytest.mark.parametrize(("wanted", "given"), [(0, (FIRST,)), (1, (FIRST,)), (2, (FIRST, SECOND))])
def test_a_job_gets_what_it_asks_for_and_one_at_least(
    handbook: Settings, wanted: int, given: tuple[Gpu, ...]
) -> None:
    assert choose_gpus(_job(handbook, wanted), TWO) == given


def test_no_gpu_is_shared(handbook: Settings) -> None:
    assert choose_gpus(_job(handbook, 1), TWO, taken=(FIRST,)) == (SECOND,)
    with pytest.raises(DeviceError, match="asks for 2 GPU, 1 of 2 are free"):
        choose_gpus(_job(handbook, 2), TWO, taken=(FIRST,))


def test_on_the_cpu_no_gpu_is_given(handbook: Settings) -> None:
    assert choose_gpus(job(handbook), TWO) == ()


@pytest.mark.parametrize(
    ("wanted", "machine", "has"),
    [
        (3, TWO, f"2: {H100}, {H100}"),
        (2, replace(TWO, gpus=(FIRST,)), f"1: {H100}"),
        (0, replace(TWO, gpus=(), no_gpu="for a reason"), "none: for a reason"),
    ],
)
def test_a_job_that_asks_for_more_than_there_is_fails_and_says_both(
    handbook: Settings, wanted: int, machine: Machine, has: str
) -> None:
    asking = _job(handbook, wanted)
    with pytest.raises(DeviceError) as caught:
        choose_gpus(asking, machine)
    asks = f"tour/torch (cuda): asks for {max(1, wanted)} GPU"
    assert caught.value.message == f"{asks}, this machine has {has}"
    assert caught.value.file == asking.script.path


def test_what_was_given_is_written_down_with_the_makers_libraries() -> None:
    packages = {"torch": "2.13.0", "nvidia-nccl-cu13": "2.29", "nvidia-cudnn-cu13": "9.20"}
    libraries = (("nvidia-cudnn-cu13", "9.20"), ("nvidia-nccl-cu13", "2.29"))
    written = Accelerator(H100, 2, "580.159.04", "13.0", libraries)
    assert accelerator_of((FIRST, SECOND), packages) == written
    assert accelerator_of((), packages) is None
