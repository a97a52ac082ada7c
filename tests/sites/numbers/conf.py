"""Settings of a tiny handbook about speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.benchmark import setup_benchmark
from polytab.pages.numbers import setup_numbers
from polytab.pages.verdict import setup_verdict

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Numbers"
extensions = ["polytab.pages"]
root_doc = "index"
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
html_theme = "furo"
html_copy_source = False


def setup(app: Sphinx) -> None:
    """Set up what is tested."""
    for set_up in (setup_numbers, setup_verdict, setup_benchmark):
        set_up(app)
