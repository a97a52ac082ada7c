"""Read `environments/<framework>[.cuda].txt`: pinned packages, and their Python.

Beside the pins, which `polytab pin` resolves, such a file says in comments what people asked for:
`# python: 3.11` and `# packages: torch ipykernel`.
"""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING

from polytab.errors import PinsError, command
from polytab.model import CPU, CUDA, PLAIN, Environment, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.settings import Settings

_PYTHON = re.compile(r"# python: (?P<version>3\.\d+)")
_PACKAGES = re.compile(r"# packages: (?P<packages>\S.*)")
_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9.+!]+)")


def why_not(settings: Settings, framework: str, device: str) -> str | None:
    """Say why a framework is not recorded on a device; None where it is."""
    if device == CPU:
        return None
    if framework == PLAIN:
        return "plain Python has nothing to run on a GPU"
    return settings.framework(framework).no_cuda


def pins_path(settings: Settings, framework: str, device: str) -> Path:
    """Return where the pinned file of a framework on a device lies."""
    suffix = "" if device == CPU else f".{device}"
    return settings.environments / f"{framework}{suffix}.txt"


def read_environment(settings: Settings, framework: str, device: str = CPU) -> Environment:
    """Read the pinned file of one framework and device; raises PinsError, with the line.

    Each line is `name==version`, and one comment names the Python.
    """
    path = pins_path(settings, framework, device)
    try:
        lines = _text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        msg = f"the pinned file of `{framework}` cannot be read: {why}"
        hint = f"{command('pin', framework)} makes it"
        if device == CUDA:
            hint += "; or state `no_cuda`, the reason, in [tool.polytab.frameworks]"
        raise PinsError(msg, file=path, hint=hint) from None
    python = ""
    pins: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if match := _PYTHON.fullmatch(line.strip()):
            if python:
                msg = "the file names its Python twice"
                raise PinsError(msg, file=path, line=number, hint="keep one of the two lines")
            python = match["version"]
        text = line.partition("#")[0].strip()
        if not text:
            continue
        pin = _PIN.fullmatch(text)
        if pin is None:
            msg = f"`{text}` is not pinned"
            raise PinsError(msg, file=path, line=number, hint="write `name==version`")
        name = re.sub(r"[-_.]+", "-", pin["name"]).lower()
        if name in pins:
            msg = f"`{name}` is pinned twice"
            raise PinsError(msg, file=path, line=number, hint="keep one of the two lines")
        pins[name] = pin["version"]
    if not python:
        msg = "the file does not name its Python"
        raise PinsError(msg, file=path, line=1, hint="add a line such as `# python: 3.11`")
    ordered = tuple(f"{name}=={pins[name]}" for name in sorted(pins))
    return Environment(framework, device, path, python, ordered)


def _text(path: Path) -> str:
    """Read a file; a pipe or a device, which would be read for ever, is none."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "it is no file")
    return path.read_text(encoding="utf-8-sig")


def wanted_packages(path: Path) -> tuple[str, ...]:
    """Return the packages that a pinned file says were asked for; none where it does not say."""
    for line in _comments(path):
        if match := _PACKAGES.fullmatch(line):
            return tuple(match["packages"].split())
    return ()


def other_comments(path: Path) -> tuple[str, ...]:
    """Return what people wrote into a pinned file beside its Python and its packages."""
    known = (_PYTHON, _PACKAGES)
    return tuple(
        line for line in _comments(path) if not any(each.fullmatch(line) for each in known)
    )


def _comments(path: Path) -> list[str]:
    """Return the lines of a file that are comments; none where there is no file."""
    lines = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    return [line.strip() for line in lines if line.startswith("#")]


def check_pins(settings: Settings) -> Iterator[Finding]:
    """Find frameworks that have neither pins for CUDA nor a reason for none, or both.

    A book in which no framework has either records nothing on CUDA, and nothing is found.
    """
    file = settings.root / "pyproject.toml"
    frameworks = [each for each in settings.frameworks if each.name != PLAIN]
    pinned = {each.name: pins_path(settings, each.name, CUDA).is_file() for each in frameworks}
    if not any(pinned[each.name] or each.no_cuda for each in frameworks):
        return
    for each in frameworks:
        if pinned[each.name] == bool(each.no_cuda):
            has = "both" if each.no_cuda else "neither"
            said = f"`{each.name}` has {has} environments/{each.name}.cuda.txt {{}} `no_cuda`"
            yield Finding(file, None, "cuda", said.format("and" if each.no_cuda else "nor"))
