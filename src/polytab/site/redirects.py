"""A page at each address that a page has left, in each language; it works without a script.

Law, guarded by tests/site/test_published.py: a page that moved is found at its old address in every
language.
"""

from __future__ import annotations

from posixpath import dirname, relpath
from typing import TYPE_CHECKING

from polytab.interface.messages import messages_of
from polytab.settings import link_to_page, page_path
from polytab.site.render import render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polytab.model import Language
    from polytab.settings import Settings


def redirects(settings: Settings, languages: Iterable[Language]) -> dict[str, bytes]:
    """Return the page at each address that a page has left, by their paths in the site."""
    return {
        page_path(language, old): _redirect(settings, language, old, new)
        for language in languages
        for old, new in settings.moved.items()
    }


def _redirect(settings: Settings, language: Language, old: str, new: str) -> bytes:
    _ = messages_of(language.locale).gettext
    page, sign, anchor = new.partition("#")
    here, there = link_to_page(language, old), link_to_page(language, page)
    link = relpath(there, dirname(here)) + sign + anchor
    return render(
        "moved.html",
        tag=language.tag,
        link=link,
        canonical=settings.page_address(language, page) or link,
        said=_("This page has moved."),
        words=_("To its new address"),
    )
