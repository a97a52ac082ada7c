"""`pytest --minutes N`: what searches goes on searching until its share of N minutes is over.

Property tests are repeated with other seeds. A test that is marked `soak` asks for `seeds` and does
one round for each. The minutes are shared out evenly among all tests that a run has selected.
"""

from __future__ import annotations

import itertools
import os
import random
import time
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

SHARE = pytest.StashKey[float]()
"""The seconds that each test of this run may search."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--minutes",
        type=float,
        default=0.0,
        metavar="N",
        help="repeat what searches, with other seeds, for about N minutes in all",
    )


def pytest_collection_finish(session: pytest.Session) -> None:
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    seconds = 60 * workers * session.config.getoption("--minutes")
    session.config.stash[SHARE] = seconds / max(1, len(session.items))


def seeds_for(config: pytest.Config) -> Iterator[int]:
    """Give at least one seed, then others until the share of one test is over.

    In CI they are the same each time: a pull request fails for what it changes, not by chance.
    """
    end = time.monotonic() + config.stash[SHARE]
    for seed in itertools.count(0 if "CI" in os.environ else random.getrandbits(32)):
        yield seed
        if time.monotonic() >= end:
            return


@pytest.fixture
def seeds(pytestconfig: pytest.Config) -> Iterator[int]:
    """Give the seeds of a test that is marked `soak`; it does one round for each."""
    return seeds_for(pytestconfig)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    result = yield
    if item.get_closest_marker("hypothesis") and item.config.getoption("--minutes"):
        assert isinstance(item, pytest.Function)
        for seed in seeds_for(item.config):
            hypothesis.seed(seed)(item.obj)
            item.runtest()
    return result
