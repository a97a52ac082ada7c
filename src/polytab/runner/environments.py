"""One virtual environment per pinned file, made on demand, once, and reused.

Law, guarded by tests/runner/test_environments.py: an environment without its seal is never used;
a half-made one is removed and made again; two makers never meet.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab.errors import InstallError, JobCancelledError
from polytab.runner.events import never_cancelled
from polytab.runner.guard import guarded, sweep
from polytab.runner.installer import CANCELLED, Installer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from polytab.model import Environment

_SEAL = "polytab.json"
_INSTALLERS = {"pip", "setuptools", "wheel"}
"""What an environment may have before anything is installed."""

_ONE_AT_A_TIME = threading.Lock()
"""virtualenv does not say that it may be called in several threads at once."""
_FACTS = """
import importlib.metadata, json, platform, sys
packages = {each.name.lower().replace("_", "-"): each.version
            for each in importlib.metadata.distributions()}
named = getattr(importlib.metadata, "packages_distributions", dict)()
modules = {module: each[0].lower().replace("_", "-")
           for module, each in named.items() if len(set(each)) == 1}
folders = [sys.prefix, sys.base_prefix, *sys.path]
facts = {"python": platform.python_version(), "packages": packages, "folders": folders,
         "modules": modules}
print(json.dumps({**facts, "executable": sys.executable}))
"""


@dataclass(frozen=True)
class Installed:
    """An environment that is ready: its interpreter, and the versions of its packages.

    `existing`: it was not made from pins, and is used as it is.
    """

    interpreter: Path
    python: str
    packages: dict[str, str]
    existing: bool = False
    found_in: tuple[str, ...] = ()
    """The folders that the interpreter names as its own; it may not have been asked."""

    modules: Mapping[str, str] = field(default_factory=dict)
    """The package of each module that can be imported, as far as the interpreter was asked."""

    def imported(self, modules: Iterable[str], but: str | None) -> tuple[tuple[str, str], ...]:
        """Return the packages of these modules with their versions, without one that is named."""
        names = {self.modules.get(each, each.lower().replace("_", "-")) for each in modules}
        there = names.intersection(self.packages) - {but}
        return tuple((name, self.packages[name]) for name in sorted(there))

    def folders(self) -> tuple[Path, ...]:
        """Return the folders with all that it consists of, none within another."""
        own = [self.interpreter.parent.parent, self.interpreter.resolve().parent.parent]
        named = [Path(each) for each in self.found_in] or own
        there = {each for each in named if each.is_absolute() and each.exists()}
        return tuple(sorted(each for each in there if there.isdisjoint(each.parents)))

    def differences(self, environment: Environment) -> str:
        """Say in words how its packages differ from the pins they were made of; "" if they agree.

        The local part of a version (`2.13.0+cpu`) names a build of it, and is no difference.
        """
        pins = dict(pin.split("==") for pin in environment.pins)
        there = {re.sub(r"[-_.]+", "-", name): each for name, each in self.packages.items()}
        said = [
            f"{name} is {there.get(name, 'missing')}, pinned is {version}"
            for name, version in pins.items()
            if there.get(name, "").partition("+")[0] != version.partition("+")[0]
        ]
        beside = sorted(there.keys() - pins.keys() - _INSTALLERS)
        said += [f"{name} {there[name]} is not pinned" for name in beside]
        return ", ".join(said)

    def versions(self, environment: Environment) -> tuple[tuple[str, str], ...]:
        """Return the versions of what would be pinned, of NVIDIA's libraries, and of Python."""
        pinned = {pin.partition("==")[0] for pin in environment.pins}
        named = {
            name: version
            for name, version in self.packages.items()
            if name in pinned or name.startswith("nvidia-")
        }
        return tuple(sorted({**named, "python": self.python}.items()))


def existing_environment(interpreter: Path, package: str | None) -> Installed:
    """Return the environment of an interpreter as it is; InstallError if a package is missing."""
    hint = "install what is missing there, or leave out `--environment`"
    try:
        facts = _facts(str(interpreter))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        msg = f"`{interpreter}` is no Python that runs: {error}"
        raise InstallError(msg, hint=hint) from None
    for each in ("ipykernel", package):
        if each is not None and each not in facts["packages"]:
            msg = f"`{each}` is not among the packages of {interpreter}"
            raise InstallError(msg, hint=hint)
    return Installed(
        Path(facts["executable"] or interpreter),  # not the script that may stand before it
        facts["python"],
        facts["packages"],
        existing=True,
        found_in=tuple(facts["folders"]),
        modules=facts["modules"],
    )


def ensure(
    environment: Environment,
    folder: Path,
    report: Callable[[str], None],
    cancelled: Callable[[], bool] = never_cancelled,
) -> Installed:
    """Return the environment, made first where it is not there yet.

    Raises InstallError if it cannot be made, JobCancelledError if nobody waits for it any more.
    """
    from filelock import Timeout  # noqa: PLC0415  # what exists needs no lock

    home = home_of(environment, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(environment, home, report, cancelled):
            if _sealed(home) is None:
                sweep(_token(home))  # of a maker that was killed
                try:
                    _make(environment, home, report, cancelled)
                finally:
                    if _sealed(home) is None:
                        shutil.rmtree(home, ignore_errors=True)
        installed = _sealed(home)
    except Timeout:  # the lock's own, an OSError
        raise JobCancelledError(CANCELLED) from None
    except (OSError, subprocess.SubprocessError) as error:
        msg = f"the environment of `{environment.framework}` cannot be made: {error}"
        hint = f"look at the disk and at {folder}"
        raise InstallError(msg, file=environment.path, hint=hint) from None
    if installed is None:
        msg = f"the environment of `{environment.framework}` cannot be made"
        raise InstallError(msg, file=environment.path, hint=f"remove {home} and try again")
    return installed


@contextmanager
def _alone(
    environment: Environment,
    home: Path,
    report: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> Iterator[None]:
    """Keep other makers of an environment out; who has to wait for one says so."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  # the same

    lock = FileLock(home.with_suffix(".lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        report(f"waiting for the environment of {environment.framework}, which another run makes")
        lock.acquire(cancel_check=cancelled)
    try:
        yield
    finally:
        lock.release()


def _sealed(home: Path) -> Installed | None:
    """Return what a whole environment says of itself; None where it is not whole, or not there."""
    try:
        facts = json.loads((home / _SEAL).read_text(encoding="utf-8"))
        found_in = tuple(facts.get("folders", ()))  # earlier seals have none
        modules = facts.get("modules", {})  # the same
        known = (_interpreter(home), facts["python"], facts["packages"])
        installed = Installed(*known, found_in=found_in, modules=modules)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return installed if installed.interpreter.exists() else None


def home_of(environment: Environment, folder: Path) -> Path:
    """Return where an environment lies: another pin is another folder."""
    return folder / f"{environment.framework}-{environment.device}-{environment.digest[:12]}"


def _interpreter(home: Path) -> Path:
    return home / "bin" / "python"


def _token(home: Path) -> str:
    """Return what the variables of all that make this environment begin with."""
    return f"POLYTAB_MAKES={home}:"


def _make(
    environment: Environment,
    home: Path,
    report: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> None:
    making = f"making the environment of {environment.framework}"
    count = "1 package" if len(environment.pins) == 1 else f"{len(environment.pins)} packages"
    report(f"{making}, the first time; it may take minutes: Python {environment.python}, {count}")

    def tell(step: str) -> None:
        report(f"{making}: {step}")

    make_venv(environment, home)
    interpreter = str(_interpreter(home))
    pins = home / "pins.txt"
    pins.write_text("\n".join(environment.pins) + "\n", encoding="utf-8")
    pip = [interpreter, "-m", "pip", "install", "--disable-pip-version-check"]
    token = f"{_token(home)}{uuid.uuid4().hex}"
    name, _, value = token.partition("=")
    maker = Installer(environment, tell, cancelled, {**os.environ, name: value})
    with guarded(token):
        maker.run([*pip, "--progress-bar", "off", "-r", str(pins)], must=True)
        tell("compiling")
        maker.run([interpreter, "-m", "compileall", "-q", str(home / "lib")], must=False)
    unsealed = home / f"{_SEAL}.part"
    unsealed.write_text(json.dumps(_facts(interpreter)), encoding="utf-8")
    unsealed.replace(home / _SEAL)


def make_venv(environment: Environment, home: Path) -> None:
    """Make a virtual environment of the Python that an environment names, with pip alone in it.

    Raises InstallError where this machine has no such Python.
    """
    import virtualenv  # noqa: PLC0415  # an existing environment needs none

    try:
        with _ONE_AT_A_TIME:
            virtualenv.cli_run(
                [str(home), "--python", environment.python, "--no-periodic-update", "--clear"],
                setup_logging=False,
            )
    except (RuntimeError, SystemExit) as error:
        msg = f"the environment of `{environment.framework}` needs Python {environment.python}"
        hint = f"install Python {environment.python} so that it is on the PATH ({error})"
        raise InstallError(msg, file=environment.path, hint=hint) from None


def _facts(interpreter: str) -> dict[str, Any]:
    """Ask an interpreter for its version and its packages."""
    command = [interpreter, "-c", _FACTS]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    facts: dict[str, Any] = json.loads(ran.stdout)
    return facts
