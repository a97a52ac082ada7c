"""One error base: what went wrong, where, and what to do about it; how text is quoted in it.

Law, guarded by tests/test_errors.py: whatever a quoted text held, a terminal obeys none of it, and
no line of it is a command to a forge that reads the log.
"""

from __future__ import annotations

import errno
import os
import pathlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

_SYSTEM_HINTS = {
    errno.ENOSPC: "make room there, and run it again",
    errno.EDQUOT: "make room there, and run it again",
    errno.EACCES: "mend its permissions, and run it again",
    errno.EPERM: "mend its permissions, and run it again",
    errno.EROFS: "it cannot be written to; mount it so that it can, or work elsewhere",
}

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FAULTS = frozenset({*_SYSTEM_HINTS, errno.ENOENT, errno.EIO})
"""Faults of the system that may befall any file."""

_FORGE_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#\[)", re.MULTILINE)
"""What begins a command in the log of a job on a forge: `::error::` in front, `##[` anywhere."""


def visible(text: str) -> str:
    """Spell out what a terminal or a forge's log would obey or hide; lines stay lines.

    That is escapes, returns, changes of direction, bytes that are not UTF-8, and `::error::`.
    """
    lines = "".join(
        each if each.isprintable() or each in "\n\t" else f"\\u{ord(each):04x}" for each in text
    )
    return _FORGE_COMMAND.sub(_spell_command, lines)


def one_line(text: str) -> str:
    """Spell out the same, and ends of lines: for names and whatever else is one line."""
    return visible("".join(f"\\u{ord(each):04x}" if each in "\n\t" else each for each in text))


def _spell_command(match: re.Match[str]) -> str:
    return r"\u0023" if match[0] == "#" else rf"{match[1]}\u003a"


def command(verb: str, *words: str) -> str:
    """Spell a command for a hint, in backquotes: by nox where nox has started this process."""
    if "NOX_CURRENT_SESSION" in os.environ:
        return f"`{' '.join(['nox -s', verb, *(('--', *words) if words else ())])}`"
    return f"`{' '.join(['polytab', verb, *words])}`"


class PolytabError(Exception):
    """A complaint a person can act on; the command line prints it and exits."""

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        file: Path | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        """Say what is wrong, where, and in `hint` what to do."""
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.hint = hint

    @property
    def place(self) -> str:
        """`file:line`, as far as it is known."""
        parts = (str(part) for part in (self.file, self.line) if part is not None)
        return one_line(":".join(parts))

    @property
    def in_a_line(self) -> str:
        """The message and the hint, for a list of findings that have their places already."""
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def __str__(self) -> str:
        """Spell the complaint as a terminal shows it."""
        first = f"{self.place}: {self.message}" if self.place else self.message
        return f"{first}\n  {self.hint}" if self.hint else first


def system_error(error: OSError, folder: Path | None = None) -> PolytabError:
    """Tell an error of the operating system with the path it names, or else with this folder."""
    named = error.filename2 or error.filename
    file = pathlib.Path(named) if isinstance(named, str) else folder
    message = error.strerror or str(error) or type(error).__name__
    return PolytabError(message, file=file, hint=_SYSTEM_HINTS.get(error.errno or 0))


def full_disk(error: BaseException | None) -> OSError | None:
    """Return the error of a full disk from which this error comes, if it does."""
    return _cause(error, _FULL)


def fault_of_system(error: BaseException | None) -> OSError | None:
    """Return the same of any fault of the system: the disk, a permission, a file that is gone."""
    return _cause(error, _FAULTS)


def _cause(error: BaseException | None, numbers: Collection[int]) -> OSError | None:
    while error:
        if isinstance(error, OSError) and error.errno in numbers:
            return error
        error = error.__cause__ or error.__context__
    return None


class UsageError(PolytabError):
    """The command was called with words that name nothing."""

    exit_code = 2


class SettingsError(PolytabError):
    """`[tool.polytab]` does not say what it must; `others` are the further complaints of it."""

    others: tuple[SettingsError, ...] = ()

    def __str__(self) -> str:
        """Spell all complaints, one after the other."""
        return "\n".join([super().__str__(), *map(str, self.others)])


class ScriptError(PolytabError):
    """A script, its inline block or what it imports is not as it must be."""


class PinsError(PolytabError):
    """A requirements file of `environments/` is missing, malformed or not fully pinned."""


class InstallError(PolytabError):
    """An environment cannot be had on this machine."""


class DeviceError(PolytabError):
    """A job asks for devices that the machine does not have, or no machine has."""


class ConfineError(PolytabError):
    """A kernel must be confined, and this system cannot do it."""


class PlatformError(PolytabError):
    """Scripts were to be run on a system where that is not supported."""


class WorkerError(PolytabError):
    """The workers of a scheduler cannot be reached, or were lost."""


class JobCancelledError(PolytabError):
    """A job did not end by itself: nobody waits for its recording, or its worker was lost."""


class RunError(PolytabError):
    """A script did not run to its end as it said it would."""


class RecordingError(PolytabError):
    """A recording cannot be trusted or cannot be written."""


class MeasurementError(PolytabError):
    """A measurement cannot be read, or measurements cannot be compared."""
