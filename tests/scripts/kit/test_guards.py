"""What makes a number doubtful is found where it really happens."""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.traces import eventually

if TYPE_CHECKING:
    from types import ModuleType

MIB = 2**20


@pytest.fixture
def measure(kit: None) -> ModuleType:
    del kit
    return importlib.import_module("measure")


def rules(comparison: Any) -> list[tuple[str, str]]:  # noqa: ANN401  # the kit has no types
    return [(note["case"], note["rule"]) for note in comparison.data["notes"]]


def test_memory_fresh_from_the_system_is_seen(measure: ModuleType) -> None:
    known = ctypes.create_string_buffer(64 * MIB)
    made = measure.compare(
        "fill",
        fresh=lambda: bytearray(b"x") * (64 * MIB),
        there=lambda: ctypes.memset(known, 1, 64 * MIB),
    )
    assert ("fresh", "fresh memory") in rules(made)
    assert ("there", "fresh memory") not in rules(made)


def test_a_thread_that_works_on_is_seen_with_the_case_that_started_it(kit: None) -> None:
    del kit
    guards = importlib.import_module("guards")
    stop = threading.Event()

    def spin() -> None:
        while not stop.is_set():
            hashlib.sha256(bytes(MIB))  # beside other threads

    def spins() -> None:
        stop.clear()
        for _ in range(4):
            threading.Thread(target=spin).start()

    cases = [{"name": name, "samples": [[1e-3]]} for name in ("ends", "spins")]

    def found() -> bool:
        try:
            notes = guards.works_on({"ends": lambda: time.sleep(0.05), "spins": spins}, cases)
        finally:
            stop.set()
        return [(note["case"], note["rule"]) for note in notes] == [("spins", "works on")]

    assert eventually(found)


def test_a_case_that_does_nothing_is_seen(measure: ModuleType) -> None:
    def nothing() -> None:
        pass

    made = measure.compare("t", nothing=nothing, something=lambda: sum(range(1000)))
    assert rules(made) == [("nothing", "nothing done")]
    assert str(made).endswith(
        "note: nothing: nothing done: a call takes no longer than an empty one"
    )


def test_a_case_that_does_not_grow_with_the_size_is_seen(kit: None) -> None:
    del kit
    guards = importlib.import_module("guards")

    def point(name: str, at: int, seconds: float) -> dict[str, Any]:
        return {"name": name, "at": at, "samples": [[seconds] * 3]}

    grows = [point("all", at, at * 1e-6) for at in (10, 1000)]
    flat = [point("none", at, 2e-6) for at in (10, 1000)]
    [note] = guards.does_not_grow([*grows, *flat])
    assert (note["case"], note["rule"]) == ("none at 1000", "nothing done")
    assert note["detail"] == "a call takes as long as at 10; `all` takes 100 times as long"
    assert guards.does_not_grow(flat) == []
    assert guards.does_not_grow(grows) == []


@pytest.fixture
def openmp() -> ctypes.CDLL:
    try:
        return ctypes.CDLL("libgomp.so.1")
    except OSError:
        pytest.skip("this machine has no OpenMP")


def test_other_threads_are_seen_unless_a_script_says_why(
    measure: ModuleType, openmp: ctypes.CDLL
) -> None:
    def use(threads: int) -> None:
        openmp.omp_set_num_threads(threads)
        time.sleep(1e-4)

    cases = {"one": lambda: use(1), "two": lambda: use(2)}
    made = measure.compare("t", cases)
    assert rules(made) == [("two", "other threads")]
    assert made.data["notes"][0]["detail"] == "libgomp may use 2 threads, 1 in `one`"
    assert [case["threads"]["libgomp"] for case in made.data["cases"]] == [1, 2]
    told = measure.compare("t", cases, threads="it is what is compared")
    assert rules(told) == []
    assert told.data["threads"] == "it is what is compared"


def test_busy_cores_are_counted(measure: ModuleType) -> None:
    made = measure.compare("t", sleeps=lambda: time.sleep(0.01), works=lambda: sum(range(10_000)))
    sleeps, works = (case["cores"] for case in made.data["cases"])
    assert sleeps < 0.2 < works
