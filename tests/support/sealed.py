"""Environments that need no installer: the interpreter that runs the tests, under a seal."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.model import CPU
from polytab.runner.environments import Installed, home_of
from polytab.scripts.pins import read_environment

if TYPE_CHECKING:
    from polytab.settings import Settings

VERSION = version("ipykernel")
"""The version of the package that the frameworks of the tiny handbook name."""

PYTHON = ".".join(str(part) for part in sys.version_info[:3])
HERE = Installed(Path(sys.executable), PYTHON, {"ipykernel": VERSION})


def seal(settings: Settings, *frameworks: str, device: str = CPU) -> None:
    """Put this interpreter where the environments of these frameworks would be made."""
    for framework in frameworks:
        environment = read_environment(settings, framework, device)
        home = home_of(environment, settings.build / "envs")
        interpreter = home / "bin" / "python"
        interpreter.parent.mkdir(parents=True)
        interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        interpreter.chmod(0o755)
        facts = {"python": HERE.python, "packages": HERE.packages}
        (home / "polytab.json").write_text(json.dumps(facts), encoding="utf-8")
