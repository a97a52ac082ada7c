"""Read `environments/<framework>[.cuda].txt`: the pinned packages and the Python they need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from polytab.errors import PinsError
from polytab.model import CPU, Environment

if TYPE_CHECKING:
    from polytab.settings import Settings

_PYTHON = re.compile(r"# python: (?P<version>3\.\d+)")
_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9.+!]+)")


def read_environment(settings: Settings, framework: str, device: str = CPU) -> Environment:
    """Read the pinned file of one framework and device; each line is `name==version`."""
    suffix = "" if device == CPU else f".{device}"
    path = settings.environments / f"{framework}{suffix}.txt"
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        msg = f"the pinned file of `{framework}` cannot be read: {why}"
        raise PinsError(msg, file=path, hint="write `name==version`, one a line") from None
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
