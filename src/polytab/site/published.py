"""What makes a folder of pages a published site: redirects, and a list of all files.

Laws, guarded by tests/site/test_published.py: the same inputs give the same bytes, in any folder
and any time zone; a page that moved is found at its old address in every language.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from posixpath import dirname, relpath
from typing import TYPE_CHECKING

from polytab.interface.words import words_of
from polytab.model import digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polytab.model import Language
    from polytab.settings import Settings

MANIFEST = "manifest.json"
_PAGE = Path(__file__).parents[1] / "pages" / "templates" / "moved.html"


def write_redirects(settings: Settings, languages: Iterable[Language]) -> None:
    """Write a page at each address that a page has left, in each of these languages."""
    template = _PAGE.read_text(encoding="utf-8")
    for language in languages:
        _ = words_of(language.locale).gettext
        for old, new in settings.moved.items():
            page, sign, anchor = new.partition("#")
            link = f"{relpath(f'{page}.html', dirname(old) or '.')}{sign}{anchor}"
            values = {
                "tag": language.tag,
                "link": link,
                "canonical": _canonical(settings, language, page) or link,
                "said": _("This page has moved."),
                "words": _("To its new address"),
            }
            text = template
            for name, value in values.items():
                text = text.replace(f"{{{{ {name} }}}}", escape(value))
            path = settings.site / language.code / f"{old}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def write_manifest(settings: Settings) -> None:
    """List every file of the site with the SHA-256 of its bytes."""
    files = sorted(path for path in settings.site.rglob("*") if path.is_file())
    listed = {
        path.relative_to(settings.site).as_posix(): digest(path.read_bytes())
        for path in files
        if path != settings.site / MANIFEST
    }
    text = json.dumps({"files": listed}, indent=1, ensure_ascii=False) + "\n"
    (settings.site / MANIFEST).write_text(text, encoding="utf-8")


def _canonical(settings: Settings, language: Language, page: str) -> str | None:
    if settings.address is None:
        return None
    return f"{settings.address}/{language.code}/{page}.html"
