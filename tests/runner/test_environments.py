"""An environment is made once, whole, by one maker at a time, and reused; or not at all."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock, Timeout

from polytab.errors import InstallError, JobCancelledError
from polytab.model import Environment
from polytab.runner import environments
from polytab.runner.environments import Installed, ensure, home_of
from polytab.runner.perform import equip
from tests.support.handbook import PYTHON, job
from tests.support.packages import offer
from tests.support.sealed import HERE
from tests.support.traces import eventually, processes

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

PIN = "tiny==1.0"
MAKING = "making the environment of torch"
BACKEND = '[build-system]\nrequires = []\nbuild-backend = "build"\nbackend-path = ["."]\n'
IMPOSSIBLE = "tiny==0.0.0.dev999"


@pytest.fixture(autouse=True)
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the installer one tiny package, and no network."""
    folder = tmp_path / "packages"
    offer(folder, "tiny", "1.0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


def _environment(settings: Settings, *pins: str, python: str = PYTHON) -> Environment:
    return Environment("torch", "cpu", settings.environments / "torch.txt", python, pins)


def _offer(folder: Path, build: str) -> None:
    """Offer a package that must be built first, by this module."""
    with tarfile.open(folder / "packages" / "slow-1.0.tar.gz", "w:gz") as archive:
        for name, text in {"pyproject.toml": BACKEND, "build.py": build}.items():
            info = tarfile.TarInfo(f"slow-1.0/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))


def _folders(settings: Settings) -> list[Path]:
    return [path for path in _envs(settings).glob("*") if path.is_dir()]


def _envs(settings: Settings) -> Path:
    return settings.build / "envs"


def test_an_environment_is_made_as_pinned_and_then_reused(handbook: Settings) -> None:
    environment = _environment(handbook, PIN)
    home = home_of(environment, _envs(handbook))
    home.mkdir(parents=True)
    (home / "half-made").touch()  # as a maker leaves it that was killed
    said: list[str] = []
    made = ensure(environment, _envs(handbook), said.append)
    assert made.packages["tiny"] == "1.0"
    assert made.python == HERE.python
    assert made.interpreter.is_relative_to(home)
    assert said == [
        f"{MAKING}, the first time; it may take minutes: Python {PYTHON}, 1 package",
        f"{MAKING}: fetching tiny-1.0-py3-none-any.whl",
        f"{MAKING}: installing",
        f"{MAKING}: compiling",
    ]
    assert not (home / "half-made").exists()
    code = "import tiny, sys; print(sys.prefix)"
    ran = subprocess.run([made.interpreter, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == str(home)
    assert made.imported(["sys", "tiny", "nowhere"], but=None) == (("tiny", "1.0"),)

    said.clear()
    assert ensure(environment, _envs(handbook), said.append) == made
    assert said == []


@pytest.mark.parametrize(
    ("python", "pin", "words"),
    [
        ("3.99", PIN, "the environment of `torch` needs Python 3.99"),
        (PYTHON, IMPOSSIBLE, "the environment of `torch` cannot be installed:"),
    ],
)
def test_what_cannot_be_had_is_one_error_and_leaves_nothing(
    handbook: Settings, python: str, pin: str, words: str
) -> None:
    environment = _environment(handbook, pin, python=python)
    with pytest.raises(InstallError) as caught:
        ensure(environment, _envs(handbook), lambda _: None)
    assert caught.value.message.startswith(words)
    assert caught.value.file == environment.path
    assert caught.value.hint
    assert "Traceback" not in str(caught.value)
    assert _folders(handbook) == []


def test_the_last_words_of_the_installer_are_told(handbook: Settings) -> None:
    environment = _environment(handbook, IMPOSSIBLE)
    with pytest.raises(InstallError, match="No matching distribution found for tiny"):
        ensure(environment, _envs(handbook), lambda _: None)


def test_an_interrupted_maker_leaves_nothing(
    handbook: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Environment, home: Path, *__: object) -> None:
        home.mkdir()
        (home / "half-made").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(environments, "_make", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ensure(_environment(handbook), _envs(handbook), lambda _: None)
    assert _folders(handbook) == []


def test_a_maker_that_nobody_waits_for_any_more_ends_and_leaves_nothing(
    handbook: Settings, tmp_path: Path
) -> None:
    _offer(tmp_path, build="import time\ntime.sleep(1000)\n")
    said: list[str] = []
    fetching = f"{MAKING}: fetching slow-1.0.tar.gz"
    with pytest.raises(JobCancelledError):
        ensure(
            _environment(handbook, "slow==1.0"),
            _envs(handbook),
            said.append,
            lambda: fetching in said,
        )
    assert _folders(handbook) == []
    assert processes(_envs(handbook)) == []


SLOW_ONCE = """\
import pathlib, time, zipfile
def build_wheel(folder, *_):
    marker = pathlib.Path(MARKER)
    if not marker.exists():
        marker.touch()
        time.sleep(1000)
    name = "slow-1.0-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w") as wheel:
        wheel.writestr("slow-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: slow\\n"
                       "Version: 1.0\\n")
        wheel.writestr("slow-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        wheel.writestr("slow-1.0.dist-info/RECORD", "")
    return name
"""

MAKER = """\
import sys
from pathlib import Path
from polytab.model import Environment
from polytab.runner.environments import ensure
pins, python, envs = sys.argv[1:]
ensure(Environment("torch", "cpu", Path(pins), python, ("slow==1.0",)), Path(envs), print)
"""


def test_what_a_maker_that_was_killed_left_is_removed_and_made_again(
    handbook: Settings, tmp_path: Path
) -> None:
    marker = tmp_path / "begun"
    _offer(tmp_path, build=SLOW_ONCE.replace("MARKER", repr(str(marker))))
    environment = _environment(handbook, "slow==1.0")
    words = [str(environment.path), environment.python, str(_envs(handbook))]
    with subprocess.Popen([sys.executable, "-c", MAKER, *words]) as maker:
        assert eventually(marker.exists, 120)
        maker.kill()
    assert eventually(lambda: processes(_envs(handbook)) == [])
    [half] = _folders(handbook)
    assert not (half / "polytab.json").exists()
    made = ensure(environment, _envs(handbook), lambda _: None)
    assert made.packages["slow"] == "1.0"
    assert _folders(handbook) == [half]


def test_what_a_script_imports_is_told_by_its_packages() -> None:
    packages = {"scikit-learn": "1.7", "numpy": "2.4", "py-module": "3.0", "pip": "26.0"}
    modules = {"sklearn": "scikit-learn", "numpy": "numpy"}
    known = Installed(HERE.interpreter, PYTHON, packages, modules=modules)
    names = ["numpy", "re", "sklearn", "measure", "numpy", "py_module"]
    said = (("numpy", "2.4"), ("py-module", "3.0"), ("scikit-learn", "1.7"))
    assert known.imported(names, but=None) == said
    assert known.imported(names, but="numpy") == said[1:]


def test_who_waits_for_another_maker_can_stop_waiting(handbook: Settings) -> None:
    environment = _environment(handbook, PIN)
    _envs(handbook).mkdir(parents=True)
    lock = FileLock(home_of(environment, _envs(handbook)).with_suffix(".lock"), thread_local=False)
    with ThreadPoolExecutor() as another:
        another.submit(lock.acquire).result()
    said: list[str] = []
    with pytest.raises(JobCancelledError):
        ensure(environment, _envs(handbook), said.append, lambda: True)
    assert said == ["waiting for the environment of torch, which another run makes"]
    lock.release()


def test_a_folder_that_cannot_be_written_is_an_error(handbook: Settings) -> None:
    handbook.build.write_text("a file where a folder must be", encoding="utf-8")
    with pytest.raises(InstallError, match="the environment of `torch` cannot be made"):
        ensure(_environment(handbook), _envs(handbook), lambda _: None)


def test_another_pin_device_or_python_is_another_environment(tmp_path: Path) -> None:
    path = tmp_path / "torch.txt"
    every = [
        Environment("torch", "cpu", path, "3.11", (PIN,)),
        Environment("torch", "cpu", path, "3.12", (PIN,)),
        Environment("torch", "cpu", path, "3.11", (PIN, "other==1")),
        Environment("torch", "cuda", path, "3.11", (PIN,)),
        Environment("jax", "cpu", path, "3.11", (PIN,)),
    ]
    assert len({home_of(environment, tmp_path) for environment in every}) == len(every)


def test_two_makers_never_meet(handbook: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = _environment(handbook, PIN)
    lock = home_of(environment, _envs(handbook)).with_suffix(".lock")
    calls: list[str] = []

    def make(_: Environment, home: Path, *__: object) -> None:
        calls.append("made")
        with pytest.raises(Timeout):
            FileLock(lock).acquire(blocking=False)
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "python").touch()
        facts = {"python": "3.11.0", "packages": {}}
        (home / "polytab.json").write_text(json.dumps(facts), encoding="utf-8")

    monkeypatch.setattr(environments, "_make", make)
    with ThreadPoolExecutor(max_workers=4) as pool:
        every = pool.map(lambda _: ensure(environment, _envs(handbook), lambda _: None), range(4))
    assert len({each.interpreter for each in every}) == 1
    assert calls == ["made"]


@pytest.mark.parametrize(
    ("packages", "words"),
    [
        ({"tiny": "1.0"}, ""),
        ({"tiny": "1.0+cpu", "pip": "1", "setuptools": "2"}, ""),
        ({"tiny": "1.1"}, "tiny is 1.1, pinned is 1.0"),
        ({}, "tiny is missing, pinned is 1.0"),
        ({"tiny": "1.0", "zope.more": "3"}, "zope-more 3 is not pinned"),
    ],
)
def test_what_differs_from_the_pins_is_told(
    handbook: Settings, packages: dict[str, str], words: str
) -> None:
    environment = _environment(handbook, PIN)
    home = home_of(environment, _envs(handbook))
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    facts = {"python": HERE.python, "packages": packages}
    (home / "polytab.json").write_text(json.dumps(facts), encoding="utf-8")
    said: list[str] = []
    asked = replace(job(handbook), environment=environment, package=None)
    equip(asked, _envs(handbook), said.append)
    assert said == ([f"its environment is not what is pinned: {words}"] if words else [])


def test_what_was_just_made_is_what_is_pinned(handbook: Settings) -> None:
    environment = _environment(handbook, PIN)
    made = ensure(environment, _envs(handbook), lambda _: None)
    assert made.differences(environment) == ""
    assert {"tiny"} < made.packages.keys()
