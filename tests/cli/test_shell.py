"""Signals and pipes: polytab in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.handbook import record, write
from tests.sealed import seal
from tests.traces import eventually, processes

if TYPE_CHECKING:
    from polytab.settings import Settings

TORCH = "snippets/tour/torch.py"
COMMAND = [sys.executable, "-c", "import sys; from polytab.cli import main; sys.exit(main())"]
ENDLESS = '# %% add\nprint("torch")\n\n# %% twice\nimport time\ntime.sleep(1000)\n'


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("awaited", ["runs, because", "cell 2 of 2"])
def test_an_interrupt_leaves_no_process_no_file_and_every_recording(
    handbook: Settings, number: int, awaited: str
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
    assert process.returncode == 130
    assert errors == "interrupted: what was recorded before is kept\n"
    assert {path: path.read_bytes() for path in handbook.recordings.rglob("*")
            if path.is_file()} == before  # fmt: skip


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
