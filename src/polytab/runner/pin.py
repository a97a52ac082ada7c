"""Resolve packages to exact versions for one Python, and write them as an environment's pins."""

from __future__ import annotations

import json
import os
import re
import tempfile
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.recordings.atomic import write_atomic
from polytab.runner.environments import make_venv
from polytab.runner.events import never_cancelled
from polytab.runner.guard import guarded
from polytab.runner.installer import Installer
from polytab.scripts.pins import other_comments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.model import Environment


def resolve(
    environment: Environment, packages: Sequence[str], report: Callable[[str], None]
) -> Environment:
    """Return the environment with pins of all that these packages need, as pip chooses them.

    Nothing is installed. What the environment pins already keeps its version. Raises InstallError
    where the machine has no such Python, or pip finds no versions that agree.
    """
    with tempfile.TemporaryDirectory(prefix="polytab-pin-") as folder:
        home = Path(folder, "venv")
        make_venv(environment, home)
        kept, found = Path(folder, "kept.txt"), Path(folder, "found.json")
        kept.write_text("".join(f"{pin}\n" for pin in environment.pins), encoding="utf-8")
        name, value = "POLYTAB_RESOLVES", f"{folder}:{uuid.uuid4().hex}"
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--dry-run", "--report"]
        pip += [str(found), "--disable-pip-version-check", "--progress-bar", "off"]
        pip += ["--ignore-installed", "-c", str(kept), "--", *packages]
        with guarded(f"{name}={value}"):
            installer = Installer(environment, report, never_cancelled, {**os.environ, name: value})
            installer.run(pip, must=True)
        listed = json.loads(found.read_text(encoding="utf-8"))["install"]
    versions = {
        re.sub(r"[-_.]+", "-", each["metadata"]["name"]).lower(): each["metadata"]["version"]
        for each in listed
    }
    pins = sorted(f"{name}=={version}" for name, version in versions.items())
    return replace(environment, pins=tuple(pins))


def write_pins(environment: Environment, packages: Sequence[str]) -> None:
    """Write the pinned file of an environment, with the packages that were asked for.

    What people wrote into an earlier file stays.
    """
    head = [f"# python: {environment.python}", f"# packages: {' '.join(packages)}"]
    text = "\n".join([*head, *other_comments(environment.path), *environment.pins])
    write_atomic(environment.path, f"{text}\n".encode())
