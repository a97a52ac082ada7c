"""Runs pip, and what else fills an environment: it is heard, and ended once nobody waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.errors import InstallError, JobCancelledError
from polytab.runner.events import CANCEL_POLL_INTERVAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.model import Environment

CANCELLED = "nobody waits for the environment any more"


@dataclass(frozen=True)
class Installer:
    """Runs installers, reports what they do, and ends them once the job is cancelled."""

    environment: Environment
    report: Callable[[str], None]
    cancelled: Callable[[], bool]
    variables: dict[str, str]

    def run(self, command: Sequence[str], *, must: bool) -> None:
        """Run one installer, and tell its last words if it must not fail but does."""
        said: list[str] = []
        with subprocess.Popen(
            command,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for us, and we end it
            text=True,
            errors="replace",
        ) as process:
            watch = threading.Thread(target=self._end_when_cancelled, args=[process], daemon=True)
            watch.start()
            try:
                for line in process.stdout or ():
                    said.append(line.rstrip())
                    self._tell(line)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        watch.join()
        if self.cancelled():
            raise JobCancelledError(CANCELLED)
        if process.returncode and must:
            words = "\n    ".join([line for line in said if "WARNING" not in line][-6:])
            msg = f"the environment of `{self.environment.framework}` cannot be installed:"
            hint = "look at the network and at the pins; nothing was changed"
            raise InstallError(f"{msg}\n    {words}", file=self.environment.path, hint=hint)

    def _end_when_cancelled(self, process: subprocess.Popen[str]) -> None:
        while True:
            try:
                process.wait(CANCEL_POLL_INTERVAL)
            except subprocess.TimeoutExpired:
                if self.cancelled():
                    os.killpg(process.pid, signal.SIGKILL)
            else:
                return

    def _tell(self, line: str) -> None:
        verb, _, rest = line.strip().partition(" ")
        if verb in {"Collecting", "Processing"}:  # the second for a file on this machine
            self.report(f"fetching {rest.partition(' (from')[0].rpartition('/')[2]}")
        elif verb == "Installing":
            self.report("installing")
