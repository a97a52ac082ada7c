"""What Linux tells of a machine is kept where it can be read and has the form that is allowed."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.recordings.limits import check_machine
from polytab.runner import processor
from polytab.runner.processor import machine_facts
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

X86 = """\
processor\t: {number}
vendor_id\t: AuthenticAMD
cpu family\t: 25
model\t\t: 17
model name\t: AMD EPYC
stepping\t: 1
physical id\t: {socket}
core id\t\t: {core}
flags\t\t: fpu sse2 avx f16c fma avx2 avx512f avx512_vnni {more}

"""
ARM = """\
processor\t: 0
Features\t: fp asimd asimddp sve
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x1
CPU part\t: 0xd40
CPU revision\t: 1
"""
CACHE = "sys/devices/system/cpu/cpu0/cache"


@pytest.fixture(autouse=True)
def four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})


def _cpuinfo(*places: tuple[int, int], more: str = "") -> str:
    return "".join(
        X86.format(number=number, socket=socket_, core=core, more=more)
        for number, (socket_, core) in enumerate(places)
    )


def test_a_processor_is_told_from_others_of_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"proc/cpuinfo": _cpuinfo((0, 0), (0, 0), (1, 0), (1, 0), (2, 9))})
    assert dict(machine_facts(tmp_path)) == {
        "vendor": "AuthenticAMD",
        "family": "25",
        "model": "17",
        "stepping": "1",
        "instructions": "AVX F16C FMA AVX2 AVX-512 VNNI",
        "sockets": "2",
        "cores": "2",
    }


def test_an_arm_processor_says_the_same_in_its_own_words(tmp_path: Path) -> None:
    write(tmp_path, {"proc/cpuinfo": ARM})
    assert dict(machine_facts(tmp_path)) == {
        "vendor": "0x41",
        "family": "8",
        "model": "0xd40",
        "stepping": "1",
        "instructions": "NEON DOTPROD SVE",
    }


def test_what_the_system_tells_beside_it_is_kept(tmp_path: Path) -> None:
    caches = [("1", "Data", "48K"), ("1", "Instruction", "32K"), ("2", "Unified", "2048K")]
    files = {
        f"{CACHE}/index{at}/{name}": f"{text}\n"
        for at, each in enumerate(caches)
        for name, text in zip(("level", "type", "size"), each, strict=True)
    }
    write(
        tmp_path,
        {
            **files,
            "proc/cpuinfo": _cpuinfo((0, 0), more="hypervisor"),
            "proc/meminfo": "MemTotal:       24684096 kB\nMemFree: 1 kB\n",
            "sys/fs/cgroup/cpu.max": "150000 100000\n",
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
        },
    )
    facts = dict(machine_facts(tmp_path, threads="2", libraries="MKL 2024.2"))
    assert facts["caches"] == "L1d 48 KiB, L1i 32 KiB, L2 2 MiB"
    assert (facts["memory"], facts["quota"]) == ("23.5 GiB", "1.5")
    assert (facts["governor"], facts["virtual"]) == ("performance", "yes")
    assert (facts["threads"], facts["libraries"]) == ("2", "MKL 2024.2")


def test_a_group_without_a_limit_and_an_older_one_with_a_limit(tmp_path: Path) -> None:
    write(tmp_path, {"sys/fs/cgroup/cpu.max": "max 100000\n"})
    assert machine_facts(tmp_path) == ()
    (tmp_path / "sys/fs/cgroup/cpu.max").unlink()
    folder = "sys/fs/cgroup/cpu"
    write(
        tmp_path,
        {f"{folder}/cpu.cfs_quota_us": "200000\n", f"{folder}/cpu.cfs_period_us": "100000\n"},
    )
    assert machine_facts(tmp_path) == (("quota", "2"),)


def test_where_nothing_can_be_read_nothing_is_said(tmp_path: Path) -> None:
    assert machine_facts(tmp_path) == ()


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_a_system_says_what_is_kept_may_be_recorded(name: str, libraries: str) -> None:
    for fact, text in machine_facts(processor.ROOT / "nowhere", vendor=name, libraries=libraries):
        check_machine(fact, text)


def test_this_very_machine_is_told_without_its_name() -> None:
    facts = machine_facts()
    assert socket.gethostname() not in {text for _, text in facts}
    for fact, text in facts:
        check_machine(fact, text)
    assert dict(facts)["memory"].endswith(" GiB")
