"""What a person reads on the terminal.

Text from outside is never taken for markup, nor for commands to the terminal or to a forge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape as escape_markup

from polytab.errors import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.errors import PolytabError
    from polytab.model import Finding, Job

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def escape(text: str) -> str:
    """Make a text fit to stand between our own markup."""
    return escape_markup(visible(text))


def say(text: str) -> None:
    """Print a line as it is."""
    out.print(visible(text), markup=False)


def report(job: Job, text: str) -> None:
    """Say how far a job is."""
    out.print(f"[bold]{escape(job.name)}[/]: {escape(text)}")


def complain(error: PolytabError) -> None:
    """Say what went wrong, where, and what to do."""
    err.print(f"[bold red]error[/]: {escape(str(error))}")


def list_findings(findings: Sequence[Finding]) -> int:
    """Print what checks complain of; return the exit code."""
    for finding in findings:
        say(str(finding))
    return int(bool(findings))
