"""Measurements on a page: ratios, verdicts, benchmarks, rooflines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.numbers.benchmark import setup_benchmark
from polytab.pages.numbers.roles import setup_roles
from polytab.pages.numbers.roofline import setup_roofline
from polytab.pages.numbers.verdict import setup_verdict

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_numbers(app: Sphinx) -> None:
    """Add `{ratio}`, `{measured}`, `{verdict}`, `{benchmark}` and `{roofline}`."""
    setup_roles(app)
    setup_verdict(app)
    setup_benchmark(app)
    setup_roofline(app)
