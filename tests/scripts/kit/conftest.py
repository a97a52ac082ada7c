"""The kit is imported as a script imports it: by its own names, from its own folder."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from polytab.scripts.helpers import KIT

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test import the modules of the kit, each anew."""
    monkeypatch.syspath_prepend(KIT)
    yield
    for path in KIT.glob("*.py"):
        sys.modules.pop(path.stem, None)
