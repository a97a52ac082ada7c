"""A disk that is full, a real one of one MiB: one error, and nothing half written."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.runner.cluster.machines import recorded
from tests.support.disk import fill
from tests.support.handbook import record, write
from tests.support.sealed import seal
from tests.support.traces import processes
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

FILLS = """\
# %% last
with open("everything", "wb", buffering=0) as file:
    while file.write(bytes(4096)):
        pass
"""


def _record(
    settings: Settings, scratch: Path | None = None, store: Path | None = None
) -> subprocess.CompletedProcess[str]:
    named = {"TMPDIR": scratch, "POLYTAB_STORE": store}
    variables = {name: str(path) for name, path in named.items() if path}
    return recorded(settings, variables, "--jobs", "1")


def test_no_room_for_recordings(handbook: Settings, disk: Path) -> None:
    seal(handbook, "python", "torch", "mxnet")
    handbook.recordings.symlink_to(disk, target_is_directory=True)
    record(handbook)
    stale = {"snippets/tour/torch.py": '# %% add\nprint("x" * 9_000)\n'}
    write(handbook.root, stale)
    fill(disk)
    earlier = {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}
    ended = _record(handbook)
    assert ended.returncode == 1
    assert "the recording cannot be written: No space left on device" in ended.stderr
    assert "the earlier recording is as it was" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()} == earlier
    (disk / "filling").unlink()
    again = _record(handbook)
    assert again.returncode == 0
    assert "4 scripts: 1 recorded, 3 reused, 0 failed" in again.stdout


def test_a_script_that_fills_the_disk_fails_alone(handbook: Settings, disk: Path) -> None:
    seal(handbook, "python", "torch", "mxnet")
    write(handbook.root, {"snippets/end/python.py": FILLS})
    ended = _record(handbook, disk)
    assert ended.returncode == 1
    assert "end/python: cell `last` raised OSError:" in ended.stderr
    assert "No space left on device" in ended.stderr
    assert "4 scripts: 3 recorded, 0 reused, 1 failed" in ended.stdout
    assert list(disk.iterdir()) == []
    assert processes(disk) == []
    write(handbook.root, {"snippets/end/python.py": "# %% last\n1\n"})
    assert "4 scripts: 1 recorded, 3 reused, 0 failed" in _record(handbook, disk).stdout


def test_no_room_for_an_environment(handbook: Settings, disk: Path) -> None:
    seal(handbook, "python", "mxnet")
    (handbook.build / "envs").rename(handbook.build / "good")
    envs = disk / "envs"
    envs.mkdir()
    for home in (handbook.build / "good").iterdir():
        (envs / home.name).symlink_to(home, target_is_directory=True)
    (handbook.build / "envs").symlink_to(envs, target_is_directory=True)
    fill(disk)
    files = sorted(path.name for path in envs.iterdir())
    ended = _record(handbook)
    assert ended.returncode == 1
    assert "the environment of `torch` c" in ended.stderr
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "4 scripts: 3 recorded, 0 reused, 1 failed" in ended.stdout
    left = [path.name for path in envs.iterdir() if path.suffix != ".lock"]
    assert sorted(left) == [name for name in files if not name.endswith(".lock")]


def test_no_room_in_the_store(handbook: Settings, disk: Path) -> None:
    seal(handbook, "python", "torch", "mxnet")
    fill(disk)
    ended = _record(handbook, store=disk / "store")
    assert ended.returncode == 0
    assert ended.stderr.count("\n") == 1
    assert f"warning: the store {disk / 'store'} is left alone: " in ended.stderr
    assert "No space left on device" in ended.stderr
    assert "4 scripts: 4 recorded, 0 reused, 0 failed" in ended.stdout
    assert list((disk / "store").iterdir()) == []


def test_no_room_for_catalogs(handbook: Settings, disk: Path) -> None:
    settings = with_languages(handbook)
    settings.translations.symlink_to(disk, target_is_directory=True)
    fill(disk)
    command = [sys.executable, "-m", "polytab", "translate"]
    ended = subprocess.run(
        command, cwd=settings.root, capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 1
    assert re.fullmatch(
        rf"error: {re.escape(str(settings.translations))}/\S+: No space left on device\n"
        r"  make room there, and run it again\n",
        ended.stderr,
    )
    assert [path for path in disk.rglob("*") if path.is_file()] == [disk / "filling"]
