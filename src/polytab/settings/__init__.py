"""The settings of a book: what `[tool.polytab]` says, and what holds where it says nothing."""

from polytab.settings.book import (
    CONFINE,
    START,
    Settings,
    link_to_page,
    page_path,
    store_address_problem,
)
from polytab.settings.read import load_settings

__all__ = [
    "CONFINE",
    "START",
    "Settings",
    "link_to_page",
    "load_settings",
    "page_path",
    "store_address_problem",
]
