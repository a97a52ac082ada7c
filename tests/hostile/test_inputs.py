"""Whatever a stranger's file holds, reading it starts nothing and writes nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.trap import KINDS

ROOT = Path(__file__).parent.parent.parent


def _trapped(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", "-m", "tests.hostile.trap", *words]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_gets_our_error_or_none_and_does_nothing(kind: str, tmp_path: Path) -> None:
    done = _trapped(kind, str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert done.stdout.startswith("refused ")
    if kind in {"script", "settings", "recording"}:  # for the others, findings are the answer
        assert int(done.stdout.removeprefix("refused ")) > 30


_SPRING = """
import subprocess, sys, socket
from pathlib import Path
from tests.hostile.trap import Trap
trap = Trap(Path(sys.argv[1]) / "_build")
with trap.set():
    {act}
print(*trap.noted, sep="\\n")
"""


@pytest.mark.parametrize(
    ("act", "heard"),
    [
        ("subprocess.run(['true'])", "subprocess.Popen"),
        ("__import__('os').system('true')", "os.system"),
        ("socket.socket()", "socket.__new__"),
        ("open(sys.argv[1] + '/x', 'w')", "open"),
        ("Path(sys.argv[1], 'y').mkdir()", "os.mkdir"),
        ("Path(sys.argv[1], '_build', '..', 'z').write_text('x')", "open"),
        ("Path(sys.argv[1], '_build', 'fine').write_text('x')", ""),
        ("Path(sys.argv[0]).exists()", ""),
    ],
)
def test_the_trap_springs(act: str, heard: str, tmp_path: Path) -> None:
    (tmp_path / "_build").mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-B", "-c", _SPRING.format(act=act), str(tmp_path)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.partition(" ")[0].strip() == heard
