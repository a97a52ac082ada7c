"""The helper that tells how much memory a call needs, on the Linux that the test runs on."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from polytab.scripts.helpers import KIT

if TYPE_CHECKING:
    from collections.abc import Callable

PATH = KIT / "peak.py"
MIB = 2**20


@pytest.fixture
def peak() -> Callable[[Callable[[], object]], int]:
    spec = importlib.util.spec_from_file_location("peak", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[[Callable[[], object]], int] = module.peak
    return function


def test_the_result_of_a_call_counts(peak: Callable[[Callable[[], object]], int]) -> None:
    found = peak(lambda: b"x" * (32 * MIB))
    assert 31 * MIB < found < 34 * MIB


def test_what_is_dropped_on_the_way_counts(peak: Callable[[Callable[[], object]], int]) -> None:
    found = peak(lambda: len(b"x" * (32 * MIB)) + len(b"y" * (48 * MIB)))
    assert 47 * MIB < found < 50 * MIB


def test_what_was_needed_before_does_not_count(
    peak: Callable[[Callable[[], object]], int],
) -> None:
    before = b"x" * (64 * MIB)
    del before
    assert peak(lambda: None) < 2 * MIB


def test_what_another_thread_needed_before_does_not_hide_the_result(
    peak: Callable[[Callable[[], object]], int],
) -> None:
    before = b"x" * (31 * MIB)
    del before  # From now on glibc would keep arrays of such a size in its heaps.
    with ThreadPoolExecutor(1) as pool:
        found = [
            peak(lambda: pool.submit(bytes.__mul__, b"x", 16 * MIB).result()) for _ in range(3)
        ]
    assert all(15 * MIB < each < 18 * MIB for each in found), found
