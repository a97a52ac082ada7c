"""Someone who has the wheel and an empty folder, and has never seen this checkout."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

CHECKOUT = Path(__file__).parents[2]
PATIENCE = 600
"""Seconds for one command: the longest makes three environments and runs scripts in them."""

PINS = {"PIP_CONSTRAINT": str(CHECKOUT / "environments" / "engine.txt")}
"""With them a release of tomorrow fails no change of today."""

_OURS = ("PYTHON", "POLYTAB_", "NOX_", "COVERAGE_", "VIRTUAL_ENV")
"""Variables that would lead back to this checkout."""

_COMPLAINT = re.compile(r"warning|error|traceback", re.IGNORECASE)


@dataclass
class Stranger:
    """Types commands as a manual prints them, in a folder; remembers which.

    Each command must end well, and those of polytab without a complaint.
    """

    home: Path
    """The environment that the wheel is installed in."""

    folder: Path
    ran: set[str] = field(default_factory=set)

    def __call__(self, command: str) -> str:
        """Run a command; return what it printed."""
        ended = subprocess.run(
            self._words(command),
            cwd=self.folder,
            env=self.variables | (PINS if command.startswith("pip ") else {}),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        said = f"$ {command}\n{ended.stdout}{ended.stderr}"
        assert ended.returncode == 0, said
        assert not (command.startswith("polytab ") and _COMPLAINT.search(said)), said
        self.ran.add(command)
        return ended.stdout

    def look_at(self, command: str, page: str) -> str:
        """Run a command that serves pages until it is interrupted; return one of them."""
        with subprocess.Popen(
            self._words(command),
            cwd=self.folder,
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as server:
            assert server.stdout is not None
            said = ""
            while (address := re.search(r"open (http://\S+),", said)) is None:
                line = server.stdout.readline()
                assert line, said
                said += line
            with urlopen(f"{address[1].rstrip('/')}/{page}") as answer:  # noqa: S310  # our own
                text = str(answer.read(), "utf-8")
            server.send_signal(signal.SIGINT)
        assert not _COMPLAINT.search(said), said
        self.ran.add(command)
        return text

    def edit(self, name: str, before: str, after: str) -> None:
        """Replace a text that stands in a file once."""
        text = self.read(name)
        assert text.count(before) == 1, (name, before)
        (self.folder / name).write_text(text.replace(before, after), encoding="utf-8")

    def read(self, name: str) -> str:
        """Return the text of a file."""
        return (self.folder / name).read_text(encoding="utf-8")

    @property
    def variables(self) -> dict[str, str]:
        """The variables of a shell that finds the wheel's programs first."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        path = f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}"
        offered = f"{os.environ.get('PIP_FIND_LINKS', '')} {self.home.parents[1]}".strip()
        return kept | {"PATH": path, "PIP_FIND_LINKS": offered, "BROWSER": "true"}

    def _words(self, command: str) -> list[str]:
        program, *words = shlex.split(command)
        found = shutil.which(program, path=self.variables["PATH"])
        assert found is not None, program
        return [found, *words]


def settle(folder: Path) -> Stranger:
    """Build the wheel of this checkout, and install it in an environment as `nox` calls its own."""
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    make = [*pip, "wheel", "--no-deps", "-w", str(folder), str(CHECKOUT)]
    subprocess.run(make, check=True, env={**os.environ, **PINS})
    stranger = Stranger(folder / "envs" / "build", folder / "empty")
    stranger.folder.mkdir()
    subprocess.run([sys.executable, "-m", "virtualenv", "-q", stranger.home], check=True)
    stranger('pip install "polytab[book]"')
    return stranger
