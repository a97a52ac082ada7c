"""How far jobs are: live on a terminal, line by line elsewhere, as JSON for programs."""

from __future__ import annotations

import datetime as dt
import json
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from polytab.cli.console import err, escape, out
from polytab.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from polytab.runner.events import Event

    Report = Callable[[Event], None]

_ENDS = {"fetched", "recorded", "failed"}
_WARNINGS = {"store", "warned"}


@contextmanager
def progress(jobs: int, *, as_json: bool = False) -> Iterator[Report]:
    """Give what shows events while the block lasts."""
    if as_json:
        yield write_event
    elif out.is_terminal:
        board = _Board(jobs)
        with Live(get_renderable=board.drawn, console=out, transient=True) as live:
            yield board.hear
            live.refresh()
    else:
        yield print_event


def print_event(event: Event) -> None:
    """Print an event as a line."""
    where = f" on {event.worker}" if event.worker else ""
    who = f"[bold]{escape(event.job.name)}[/]{escape(where)}: " if event.job else ""
    if event.kind in _WARNINGS:
        err.print(f"[bold yellow]warning[/]: {who}{escape(event.text)}")
    else:
        out.print(f"{who}{escape(event.text)}")


def write_event(event: Event) -> None:
    """Write an event as one line of JSON."""
    job = event.job
    write_line(
        event.kind,
        job=job and job.name,
        key=job and job.key.digest,
        worker=event.worker,
        text=event.text,
        left=event.left,
    )


def write_line(event: str, **facts: Any) -> None:  # noqa: ANN401
    """Write what happened, when, as one line of JSON."""
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    sys.stdout.write(json.dumps({"event": event, "time": now, **facts}) + "\n")
    sys.stdout.flush()


@dataclass
class _Board:
    """What runs, where, since when, and what is left."""

    jobs: int
    done: int = 0
    running: dict[str, tuple[float, Event]] = field(default_factory=dict)
    due: float | None = None

    def hear(self, event: Event) -> None:
        """Take an event in; how a job ended stays on the terminal."""
        if event.left is not None:
            self.due = time.monotonic() + event.left
        if event.job is None or event.kind in _ENDS | _WARNINGS | {"lost"}:
            print_event(event)
        if event.job is None or event.kind in _WARNINGS:
            return
        if event.kind in _ENDS:
            self.done += 1
        since, _ = self.running.pop(event.job.name, (time.monotonic(), None))
        if event.kind in {"starts", "makes", "says"}:
            self.running[event.job.name] = (since, event)

    def drawn(self) -> Group:
        """Draw it as it is now."""
        now = time.monotonic()
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for name, (since, event) in list(self.running.items()):
            worker = event.worker or ""
            shown = (Text(one_line(worker)), _span(now - since), Text(one_line(event.text)))
            table.add_row(Text(one_line(name), "bold"), *shown)
        line = f"{self.done} of {self.jobs} done"
        if self.due is not None:
            line += f", about {_span(max(0.0, self.due - now))} left"
        return Group(table, Text(line))


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02} min" if minutes else f"{rest} s"
