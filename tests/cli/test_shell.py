"""Signals and pipes: polytab in a process of its own."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.files import load_recording
from polytab.recordings.plan import plan
from tests.support.handbook import record, write, write_handbook
from tests.support.sealed import seal
from tests.support.traces import eventually, processes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

TORCH = "snippets/tour/torch.py"
COMMAND = [sys.executable, "-m", "polytab"]
ENDLESS = '# %% add\nprint("torch")\n\n# %% twice\nimport time\ntime.sleep(1000)\n'


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("awaited", ["runs, because", "cell 2 of 2"])
def test_an_interrupt_leaves_no_process_no_file_and_every_recording(
    handbook: Settings, number: int, code: int, awaited: str
) -> None:
    record(handbook)
    write(handbook.root, {TORCH: ENDLESS})
    seal(handbook, "torch")
    before = {path: path.read_bytes() for path in handbook.recordings.rglob("*.ipynb")}
    with tempfile.TemporaryDirectory(prefix="pt-") as scratch:
        with subprocess.Popen(
            [*COMMAND, "record", "torch"],
            cwd=handbook.root,
            env={**os.environ, "TMPDIR": scratch},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert any(awaited in line for line in process.stdout)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        assert eventually(lambda: processes(Path(scratch)) == [])
        assert list(Path(scratch).iterdir()) == []
    assert process.returncode == code
    assert errors == "interrupted: what was recorded before is kept\n"
    assert {path: path.read_bytes() for path in handbook.recordings.rglob("*")
            if path.is_file()} == before  # fmt: skip


def _interrupted(settings: Settings, number: int, seconds: float, often: int) -> tuple[int, str]:
    """Interrupt a recorder so often after so many seconds; return how it ended and what it said.

    It leaves no process, no scratch folder, and whole recordings only.
    """
    with tempfile.TemporaryDirectory(prefix="pt-") as scratch:
        with subprocess.Popen(
            [*COMMAND, "record"],
            cwd=settings.root,
            env={**os.environ, "TMPDIR": scratch},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            time.sleep(seconds)
            for _ in range(often):
                process.send_signal(number)
                time.sleep(0.1)
            _, errors = process.communicate(timeout=60)
        assert eventually(lambda: processes(Path(scratch)) == [])
        assert eventually(lambda: list(Path(scratch).iterdir()) == [])
    if number != signal.SIGKILL:  # then nobody is left to remove what was half written
        assert list(settings.recordings.rglob(".*")) == []
    for path in settings.recordings.glob("*/[!.]*"):
        load_recording(path)
    return process.returncode, errors


def _endless(settings: Settings) -> None:
    """Give every framework an environment, and one of them a script that never ends."""
    write(settings.root, {TORCH: ENDLESS, "snippets/end/python.py": "# %% last\nx = 1\n"})
    seal(settings, "torch", "python", "mxnet")


@pytest.mark.parametrize(("tenths", "often"), [(4, 1), (7, 3), (14, 1)])
def test_an_interrupt_at_any_point_is_one_message_and_no_mess(
    handbook: Settings, tenths: int, often: int
) -> None:
    _endless(handbook)
    code, errors = _interrupted(handbook, signal.SIGINT, tenths / 10, often)
    if code == 130:
        kept = "interrupted: what was recorded before is kept\n"
        assert errors in {kept, "interrupted: nothing had begun\n"}  # on a busy machine
    else:  # Python itself had not begun to run us
        assert code in {1, -signal.SIGINT}
        assert "polytab" not in errors


@pytest.mark.soak
def test_no_signal_at_any_moment_leaves_a_process_or_half_a_file(
    tmp_path: Path, seeds: Iterator[int]
) -> None:
    """It takes long because each moment needs a recorder of its own, with real kernels."""
    for seed in seeds:
        source = random.Random(seed)  # noqa: S311  # must repeat
        settings = write_handbook(tmp_path / str(seed))
        _endless(settings)
        number = source.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        code, errors = _interrupted(settings, number, source.uniform(0, 4), source.randint(1, 3))
        assert code in {128 + number, 1, -number}, (seed, code, errors)
        assert code != 130 or errors == "interrupted: what was recorded before is kept\n", seed


def test_a_recorder_that_is_killed_leaves_no_process_and_no_file(handbook: Settings) -> None:
    write(handbook.root, {TORCH: ENDLESS})
    seal(handbook, "torch")
    with tempfile.TemporaryDirectory(prefix="pt-") as scratch:
        with subprocess.Popen(
            [*COMMAND, "record", "torch"],
            cwd=handbook.root,
            env={**os.environ, "TMPDIR": scratch},
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert any("cell 2 of 2" in line for line in process.stdout)
            process.kill()
        assert eventually(lambda: processes(Path(scratch)) == [])
        assert eventually(lambda: list(Path(scratch).iterdir()) == [])
    assert not handbook.recordings.exists()


def test_two_recorders_on_one_checkout_both_end_well(handbook: Settings) -> None:
    seal(handbook, "python", "torch", "mxnet")
    recorders = [
        subprocess.Popen([*COMMAND, "record"], cwd=handbook.root, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [recorder.wait(120) for recorder in recorders] == [0, 0]
    assert [each.reason for each in plan(handbook)] == [None] * 4
    assert len([path for path in handbook.recordings.rglob("*") if path.is_file()]) == 4


def test_a_reader_that_has_gone_is_no_reason_for_a_traceback(handbook: Settings) -> None:
    with subprocess.Popen(
        [*COMMAND, "plan"],
        cwd=handbook.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert process.returncode == 1
    assert errors == ""
