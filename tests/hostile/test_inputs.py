"""Whatever a stranger's file holds, reading it starts nothing and writes nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.hostile.trap import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parent.parent.parent
REFUSED = 30
"""At least so many of the inputs are refused; where findings are the answer, none is."""


def _python(*words: str) -> Any:  # noqa: ANN401  # what the program prints is JSON
    """Run a program in a process of its own: an audit hook cannot be taken off again."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-B", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return json.loads(done.stdout)


def _check(kind: str, found: Mapping[str, Any]) -> None:
    assert found.get("raised") is None, found["raised"]
    assert found["noted"] == []
    if kind in {"script", "settings", "recording"}:
        assert found["refused"] > REFUSED


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Feed inputs of all kinds to the engine."""
    found: dict[str, Any] = _python(
        "-m", "tests.hostile.trap", str(tmp_path_factory.mktemp("fed")), "0"
    )
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_gets_our_error_or_none_and_does_nothing(
    trapped: Mapping[str, Any], kind: str
) -> None:
    _check(kind, trapped[kind])


@pytest.mark.soak
def test_other_inputs_get_our_error_or_none_and_do_nothing(
    tmp_path: Path, seeds: Iterator[int]
) -> None:
    """It takes long because each round feeds some hundred new inputs of every kind."""
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        found = _python("-m", "tests.hostile.trap", str(folder), str(seed))
        assert set(found) == set(KINDS)
        for kind in KINDS:
            _check(kind, found[kind])


_SPRING = """
import json, os, subprocess, socket, sys
from pathlib import Path
from tests.hostile.trap import Trap
here = Path(sys.argv[1])
trap = Trap(here / "_build")
heard = []
for act in json.loads(sys.argv[2]):
    trap.noted.clear()
    with trap.set():
        eval(act)
    heard.append([each.partition(" ")[0] for each in trap.noted[:1]])
print(json.dumps(heard))
"""
ACTS = {
    "subprocess.run(['true'])": "subprocess.Popen",
    "os.system('true')": "os.system",
    "socket.socket()": "socket.__new__",
    "open(here / 'x', 'w')": "open",
    "(here / 'y').mkdir()": "os.mkdir",
    "(here / '_build' / '..' / 'z').write_text('x')": "open",
    "(here / '_build' / 'fine').write_text('x')": None,
    "Path(sys.argv[0]).exists()": None,
}
"""What may be done in the trap, and what it must have heard first."""


def test_the_trap_springs(tmp_path: Path) -> None:
    (tmp_path / "_build").mkdir()
    heard = _python("-c", _SPRING, str(tmp_path), json.dumps(list(ACTS)))
    assert heard == [[event] if event else [] for event in ACTS.values()]
