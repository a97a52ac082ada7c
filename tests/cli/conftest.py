"""A person types commands in the tiny handbook; kernels are real only where a test says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab import cli
from polytab.runner import perform as runner
from tests.cli.said import Said
from tests.support.handbook import recording
from tests.support.sealed import seal

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.model import Job, Recording
    from polytab.settings import Settings


@pytest.fixture
def polytab(
    handbook: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Type a command in the handbook's folder."""
    monkeypatch.chdir(handbook.root)

    def type_in(*words: str) -> Said:
        try:
            code = cli.main(words)
        except SystemExit as ended:  # argparse's way to end
            code = int(ended.code or 0)
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    return type_in


@pytest.fixture
def kernels(handbook: Settings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand for the kernels: each script repeats what `record` saved; who ran is remembered."""
    ran: list[str] = []

    def run(job: Job, *_: object) -> Recording:
        ran.append(job.name)
        return recording(job)

    monkeypatch.setattr(runner, "run", run)
    seal(handbook, "python", "torch", "mxnet")
    return ran
