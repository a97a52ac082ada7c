"""The command that starts a kernel inside bubblewrap: what it sees of the machine is listed here.

The system read-only, its environment, its scratch folder to write in; no home, no other process, no
network but a loopback of its own, no rights. A GPU job has NVIDIA's devices besides.

Laws, guarded by tests/runner/kernel/test_confine.py: what is not listed is not there; outputs are
those of a kernel that is not confined.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.errors import ConfineError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from polytab.model import Job
    from polytab.runner.environments import Installed

_BWRAP = "bwrap"
_TRIAL_TIMEOUT = 30.0
"""Seconds until a bubblewrap that starts nothing counts as missing."""

_NOTHING = ("--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent")
_NO_RIGHTS = ("--cap-drop", "ALL")
_LINKS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
"""What a system has at its root as links into /usr, or as folders of its own."""

_ETC = (
    *("alternatives", "debian_version", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"),
    *("localtime", "mime.types", "OpenCL", "os-release", "protocols", "services"),
)
"""What of /etc a program reads that loads libraries or compiles; nothing that names a person."""

_SYS = ("/sys/devices/system/cpu", "/sys/devices/system/node")
"""From where frameworks know how many processors there are, and how they are connected."""

_NO_LIMITS = "no limits on memory and processes"

_HINT = "install bubblewrap, lift what the system forbids, or set `confine` in [tool.polytab]"


@dataclass(frozen=True)
class Confinement:
    """Whether a kernel is confined, and how or why not, in the words of its recording."""

    is_on: bool
    words: str


def confinement(job: Job) -> Confinement:
    """Return how a job's kernel is confined; ConfineError where it must be and cannot."""
    if job.confine == "off":
        return Confinement(is_on=False, words="no: switched off")
    missing = what_is_missing()
    if missing is None:
        network = ", with the machine's network" if job.script.needs.network else ""
        return Confinement(is_on=True, words=f"bubblewrap{network}; {_NO_LIMITS}")
    if job.confine == "required":
        msg = f"{job.name}: its kernel cannot be confined here: {missing}"
        raise ConfineError(msg, file=job.script.path, hint=_HINT)
    return Confinement(is_on=False, words=f"no: {missing}")


@cache
def what_is_missing() -> str | None:
    """Say what keeps this system from confining a kernel; None where it can."""
    if shutil.which(_BWRAP) is None:
        return f"there is no `{_BWRAP}`"
    command = [_BWRAP, *_NOTHING, *_NO_RIGHTS, *_system(), "/usr/bin/true"]
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=_TRIAL_TIMEOUT, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"`{_BWRAP}` cannot be run: {error}"
    said = ran.stderr.strip().partition("\n")[0][:200]
    return None if ran.returncode == 0 else f"`{_BWRAP}` fails: {said or ran.returncode}"


def confined(
    command: Sequence[str], job: Job, installed: Installed, root: Path, *, gpus: bool
) -> list[str]:
    """Return a command that runs another one confined; `root` is the scratch folder of the job."""
    etc = root / "etc"
    _write_etc(etc)
    words = [_BWRAP, *_NOTHING, *_NO_RIGHTS, *_system()]
    if job.script.needs.network:
        words += ["--share-net", *_read("/etc/resolv.conf", "/etc/ssl/certs")]
    for file in sorted(etc.iterdir()):
        if not (job.script.needs.network and file.name in {"hosts", "nsswitch.conf"}):
            words += ["--ro-bind", str(file), f"/etc/{file.name}"]
    if job.script.needs.network:
        words += _read("/etc/hosts", "/etc/nsswitch.conf")
    if gpus:
        words += [*_nvidia(), *_read("/sys")]
    words += _environment(installed)
    words += ["--bind", str(root), str(root), "--chdir", str(root / "work")]
    words += ["--remount-ro", "/"]  # where all these places hang
    words += ["--unsetenv", "JPY_PARENT_PID"]  # the kernel is alone with it, and would end at once
    return [*words, "--", *command]


def _system() -> list[str]:
    """Return the words for the system itself, read-only, and for empty places to write."""
    words = [*("--ro-bind", "/usr", "/usr"), *("--proc", "/proc"), *("--dev", "/dev")]
    for name in _LINKS:
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        else:
            words += _read(str(path))
    words += _read(*(f"/etc/{name}" for name in _ETC), *_SYS)
    for place in ("/tmp", "/var/tmp", "/dev/shm"):  # noqa: S108  # these are the kernel's own
        words += ["--tmpfs", place]
    return words


def _read(*paths: str) -> list[str]:
    return [word for path in paths for word in ("--ro-bind-try", path, path)]


def _nvidia() -> list[str]:
    devices = [*Path("/dev").glob("nvidia*"), Path("/dev/dri"), Path("/dev/infiniband")]
    return [word for each in devices for word in ("--dev-bind-try", str(each), str(each))]


def _write_etc(etc: Path) -> None:
    """Write what a program asks of the machine's names: its own, its user's, and no other."""
    etc.mkdir()
    name = socket.gethostname()
    hosts = f"127.0.0.1 localhost {name}\n::1 localhost\n::ffff:127.0.0.1 localhost\n"
    (etc / "hosts").write_text(hosts, encoding="utf-8")
    (etc / "nsswitch.conf").write_text(
        "passwd: files\ngroup: files\nhosts: files\n", encoding="utf-8"
    )
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = "user"
    home = etc.parent / "home"
    line = f"{user}:x:{os.getuid()}:{os.getgid()}::{home}:/bin/sh\n"
    (etc / "passwd").write_text(line, encoding="utf-8")
    (etc / "group").write_text(f"{user}:x:{os.getgid()}:\n", encoding="utf-8")


def _environment(installed: Installed) -> list[str]:
    """Return the words for an environment, its Python, and the links that lead to them."""
    words: list[str] = []
    folders = [folder for folder in installed.folders() if not folder.is_relative_to("/usr")]
    for link, target in _links((installed.interpreter, *folders)):
        if not any(link.is_relative_to(each) for each in (*folders, Path("/usr"))):
            words += ["--symlink", str(target), str(link)]
    for folder in sorted(folders):
        words += ["--ro-bind", str(folder), str(folder)]
    return words


def _links(paths: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield the links that are met on the ways to these paths, each once, with its target."""
    waiting, seen = list(paths), set[Path]()
    while waiting:
        path = waiting.pop()
        for at in (*reversed(path.parents), path):
            if at in seen or not at.is_symlink():
                continue
            seen.add(at)
            target = at.readlink()
            yield at, target
            waiting.append(Path(os.path.normpath(at.parent / target)) / path.relative_to(at))
            break
