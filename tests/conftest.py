"""What every test may ask for: a tiny real handbook; and how hypothesis searches."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from polytab.interface.messages import set_language
from tests.support.disk import mounted
from tests.support.handbook import write_handbook

pytest_plugins = ["tests.support.soak"]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from polytab.settings import Settings

hypothesis_settings.register_profile(
    "polytab",
    deadline=None,  # a test never times anything
    max_examples=60,
    derandomize="CI" in os.environ,  # a pull request fails for what it changes, not by chance
    suppress_health_check=[HealthCheck.too_slow],  # two busy cores are no fault of a strategy
)
hypothesis_settings.load_profile("polytab")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as a shell leaves it to what it runs with `&`
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # else no test could interrupt anything

os.environ.pop("POLYTAB_STORE", None)  # no test shares what it makes with a real one
for _name in ("POLYTAB_ADDRESS", "POLYTAB_REPOSITORY"):  # nor is it published where we are
    os.environ.pop(_name, None)
os.environ.pop("NOX_CURRENT_SESSION", None)  # hints name the engine's own verbs


@pytest.fixture(autouse=True)
def english() -> None:
    """Begin each test in English: a process has one language at a time, and tests share theirs."""
    set_language("en")


@pytest.fixture
def handbook(tmp_path: Path) -> Settings:
    """Write a tiny real handbook and return its settings."""
    return write_handbook(tmp_path)


@pytest.fixture
def disk() -> Iterator[Path]:
    """Mount a small disk that a test may fill."""
    with mounted() as path:
        yield path
