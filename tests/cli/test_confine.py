"""Whether kernels are confined: the settings say so, and a variable for one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.runner.kernel import confine
from tests.support.handbook import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.settings import Settings
    from tests.cli.said import Said

MISSING = "there is no `bwrap`"


@pytest.fixture(autouse=True)
def _without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine, "what_is_missing", lambda: MISSING)


def _require(settings: Settings) -> None:
    text = (settings.root / "pyproject.toml").read_text(encoding="utf-8")
    changed = text.replace('confine = "off"', 'confine = "required"')
    assert changed != text
    write(settings.root, {"pyproject.toml": changed})


@pytest.mark.parametrize("by", ["settings", "variable"])
def test_what_must_be_confined_and_cannot_be_is_not_run(
    handbook: Settings,
    polytab: Callable[..., Said],
    monkeypatch: pytest.MonkeyPatch,
    by: str,
) -> None:
    if by == "settings":
        _require(handbook)
    else:
        monkeypatch.setenv("POLYTAB_CONFINE", "required")
    said = polytab("record", "end", "python", "--environment", "current")
    assert said.code == 1
    assert f"end/python: its kernel cannot be confined here: {MISSING}" in said.err
    assert not list(handbook.recordings.rglob("*.ipynb"))


def test_a_variable_lifts_what_the_settings_require(
    handbook: Settings, polytab: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    _require(handbook)
    monkeypatch.setenv("POLYTAB_CONFINE", "off")
    assert polytab("record", "end", "python", "--environment", "current").code == 0
    [made] = handbook.recordings.rglob("*.ipynb")
    assert '"confined": "no: switched off"' in made.read_text(encoding="utf-8")


def test_another_word_is_wrong_usage(
    handbook: Settings, polytab: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYTAB_CONFINE", "always")
    said = polytab("record", "end", "python")
    assert said.code == 2
    assert "POLYTAB_CONFINE cannot be `always`" in said.err
    assert not list(handbook.recordings.rglob("*.ipynb"))
