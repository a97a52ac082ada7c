"""What a book calls things: a page of its terms, and the sections that introduce them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.terms.introduced import setup_introduced
from polytab.pages.terms.listed import setup_listed

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_terms(app: Sphinx) -> None:
    """Add `{terms}`, and tell the search by what names readers look for a section."""
    setup_listed(app)
    setup_introduced(app)
