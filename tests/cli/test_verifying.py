"""`polytab verify` fails on what differs twice, and names what it had no time for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.model import Case, Measurement
from polytab.recordings.files import save_recording
from polytab.recordings.measurements import MIME, spell_measurement
from polytab.runner import perform as runner
from tests.support.handbook import job, record, recording
from tests.support.sealed import seal

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.model import Job, Recording
    from polytab.settings import Settings
    from tests.cli.said import Said


def _measured(of: Job, eager: float, spread: float = 1.01) -> Recording:
    """Return a recording in which `compiled` takes a second and `eager` so many."""
    rows = tuple((each, each * spread, each / spread) for each in (1.0, spread, 1 / spread))
    cases = tuple(
        Case(name, 30, (1.0,) * 3, tuple(tuple(takes * each for each in row) for row in rows))
        for name, takes in (("eager", eager), ("compiled", 1.0))
    )
    data = {MIME: spell_measurement(Measurement("forward", cases)), "text/plain": "a table"}
    return recording(of, {"add": [{"output_type": "display_data", "data": data, "metadata": {}}]})


@pytest.fixture
def verified(
    handbook: Settings, polytab: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Verify a recording of 13.6 times on a machine that measures these factors, in this order."""
    seal(handbook, "torch")
    save_recording(handbook.recordings, _measured(job(handbook), 13.6))

    def verify(*factors: float, words: tuple[str, ...] = ("torch",)) -> Said:
        left = list(factors)
        monkeypatch.setattr(runner, "run", lambda of, *_: _measured(of, left.pop(0)))
        said = polytab("verify", *words)
        assert left == []
        return said

    return verify


def test_a_factor_that_vanished_is_measured_again_and_fails(
    verified: Callable[..., Said],
) -> None:
    said = verified(1.0, 1.0, 1.0)
    assert said.code == 1
    name = "forward: compiled vs eager"
    assert f"tour/torch: is measured again, for these have moved: {name}" in said.lines
    assert sum(line.startswith("-compiled vs eager: 13.6 (") for line in said.lines) == 1
    assert said.lines[-2:] == ["tour/torch: does not repeat", "1 scripts: 0 repeat, 1 do not"]


def test_a_factor_that_moved_by_chance_repeats_and_is_told(verified: Callable[..., Said]) -> None:
    said = verified(1.0, 13.0, 13.0)
    assert said.code == 0
    assert said.lines[-2:] == [
        "tour/torch: repeats; by chance these had moved: forward: compiled vs eager",
        "1 scripts: 1 repeat, 0 do not",
    ]


def test_a_factor_that_moved_one_way_and_then_the_other_is_no_finding(
    verified: Callable[..., Said],
) -> None:
    assert verified(1.0, 400.0, 400.0).code == 0


def test_a_factor_that_stays_about_as_large_is_measured_once(
    verified: Callable[..., Said],
) -> None:
    assert verified(12.0).lines[-1] == "1 scripts: 1 repeat, 0 do not"


def test_on_a_machine_that_others_use_a_number_that_moved_is_named_and_does_not_fail(
    verified: Callable[..., Said],
) -> None:
    said = verified(1.0, words=("torch", "--numbers-may-move"))
    assert said.code == 0
    assert sum(line.startswith("-compiled vs eager: 13.6 (") for line in said.lines) == 1
    assert said.lines[-2:] == [
        "tour/torch: repeats, but these numbers have moved: forward: compiled vs eager",
        "1 scripts: 1 repeat, 0 do not",
    ]


def test_where_numbers_may_move_what_is_printed_may_not(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    save_recording(handbook.recordings, recording(job(handbook), {"twice": []}))
    assert polytab("verify", "torch", "--numbers-may-move").code == 1
    assert kernels == ["tour/torch"]


def test_what_cannot_be_held_is_named(verified: Callable[..., Said], handbook: Settings) -> None:
    save_recording(handbook.recordings, _measured(job(handbook), 13.6, spread=1.6))
    said = verified(13.6)
    assert said.code == 0
    assert "tour/torch cannot be held to: forward: compiled vs eager" in said.lines


@pytest.mark.usefixtures("kernels")
def test_what_does_not_fit_into_the_time_is_left_out_and_named(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    said = polytab("verify", "torch", "--minutes", "0.001")
    assert said.code == 0
    [named] = [line for line in said.lines if line.startswith("left out: ")]
    assert named.count(",") == 2
    assert "tour/torch" not in named
    assert said.lines[-1] == "4 scripts: 1 repeat, 0 do not, 3 are left out"
    said = polytab("verify", "--minutes", "60")
    assert said.lines[-1] == "4 scripts: 4 repeat, 0 do not"


def test_what_the_clock_leaves_no_time_for_is_left_out_too(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    for framework in ("torch", "mxnet"):
        of = job(handbook, framework=framework)
        slow = recording(of)
        save_recording(
            handbook.recordings, replace(slow, provenance=replace(slow.provenance, seconds=0.0))
        )
    said = polytab("verify", "torch", "mxnet", "--minutes", "1e-9")
    assert said.code == 0
    assert 1 <= len(kernels) <= 4
    assert "left out: " in "\n".join(said.lines)


@pytest.mark.parametrize("minutes", ["0", "-1", "inf", "nan", "soon"])
def test_minutes_that_are_none_are_refused(polytab: Callable[..., Said], minutes: str) -> None:
    said = polytab("verify", "--minutes", minutes)
    assert said.code == 2
    assert "it must be a number of minutes, above 0" in said.err


def test_a_script_that_says_something_else_is_not_run_twice(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    of = job(handbook)
    other = recording(of, {"twice": []})
    save_recording(handbook.recordings, other)
    assert polytab("verify", "torch").code == 1
    assert kernels == ["tour/torch"]
