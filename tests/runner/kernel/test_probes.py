"""What computes for a process is found by its files, and by what libraries say of themselves."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

from polytab.runner.kernel import probes

if TYPE_CHECKING:
    import pytest

MAPS = """\
7f00-7f01 r-xp 00000000 08:01 123    /env/numpy.libs/libopenblas64_p-r0-15028c96.3.21.so
7f01-7f02 r--p 00000000 08:01 123    /env/numpy.libs/libopenblas64_p-r0-15028c96.3.21.so
7f02-7f03 r-xp 00000000 08:01 124    /env/torch/lib/libgomp-a34b3233.so.1
7f03-7f04 r-xp 00000000 08:01 125    /env/paddle/libs/libdnnl.so.3
7f04-7f05 r-xp 00000000 08:01 126    /env/paddle/libs/libiomp5.so
7f05-7f06 r-xp 00000000 08:01 127    /usr/lib/libc.so.6
7f06-7f07 rw-p 00000000 00:00 0      [heap]
"""
BUILT = """\
PyTorch built with:
  - Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build 20240605
  - Intel(R) MKL-DNN v3.7.1 (Git Hash 8d263e69)
  - OpenMP 201511 (a.k.a. OpenMP 4.5)
"""


def test_the_libraries_that_are_loaded_are_told_once() -> None:
    assert {*probes.loaded(MAPS)} == {"OpenBLAS", "libgomp", "oneDNN", "libiomp5"}
    versioned = "1-2 r-xp 0 0 1 /env/libopenblasp-r0-0.3.27.so\n"
    assert [*probes.loaded(versioned)] == ["OpenBLAS 0.3.27"]


def test_a_library_that_says_it_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    torch, mxnet = ModuleType("torch"), ModuleType("mxnet")
    torch.__config__ = SimpleNamespace(show=lambda: BUILT)  # type: ignore[attr-defined]  # as it has
    features = SimpleNamespace(is_enabled=lambda name: name == "BLAS_OPEN")
    mxnet.runtime = SimpleNamespace(Features=lambda: features)  # type: ignore[attr-defined]  # same
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "mxnet", mxnet)
    for name in ("torch", "mxnet"):
        monkeypatch.delitem(sys.modules, f"{probes.__name__}.{name}", raising=False)
    said = probes.libraries_used().split(", ")
    assert {"MKL 2024.2", "oneDNN 3.7.1", "OpenMP 201511"} <= {*said}
    assert any(each.startswith("OpenBLAS") for each in said)
    assert said == sorted(said)
