"""Scripts are run on Linux only; all else that needs no kernel works on any system."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

import pytest

from tests.support.handbook import record, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.settings import Settings
    from tests.cli.said import Said

REFUSED = "error: scripts are run on Linux only, this is Darwin\n  record there, or in a container"
STALE = {"snippets/tour/torch.py": "# %% add\nx = 2\n\n# %% twice\nprint(x)\n"}


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Darwin")


@pytest.mark.parametrize(
    "words", [["record"], ["verify", "mxnet"], ["worker", "tcp://127.0.0.1:8786"]]
)
def test_elsewhere_than_on_linux_nothing_is_run(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str], words: list[str]
) -> None:
    record(handbook)
    write(handbook.root, STALE)
    said = polytab(*words)
    assert said.code == 1
    assert said.err.startswith(REFUSED)
    assert said.err.count("\n") == 2
    assert kernels == []


def test_an_author_elsewhere_goes_on_without_what_is_stale(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    assert polytab("record").lines == ["4 scripts: 0 recorded, 4 reused, 0 failed"]
    write(handbook.root, STALE)
    said = polytab("record", "--overlay")
    assert said.code == 0
    assert said.err.startswith(REFUSED)
    assert said.lines[0] == "4 scripts: 0 recorded, 3 reused, 0 failed"
    assert kernels == []
