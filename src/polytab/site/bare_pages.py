"""The entrance `index.html`, `404.html`, and a redirect at each old address.

The first two bear the title of the book in every language. All work without JavaScript, and are
filled from the templates of this package. Each brings its style and its JavaScript along, because
one of them is served at any depth, and a policy that allows these and no others. Law, guarded by
tests/site/test_published.py: a page that moved is found at its old address in every language.
"""

from __future__ import annotations

from pathlib import Path
from posixpath import dirname, relpath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from polytab.interface.messages import messages_of
from polytab.pages.frame.head import ICON, icon_and_colours
from polytab.settings import START, link_to_page, page_path
from polytab.site.page import previews
from polytab.site.policy import digest_source

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from polytab.model import Language
    from polytab.settings import Settings

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = "bare.css"


def root_pages(
    settings: Settings, languages: Sequence[Language], files: Mapping[str, Path]
) -> dict[str, bytes]:
    """Return both pages, by their paths in the site, for the languages that are built.

    `files` are those of all languages, by their paths in the site.
    """
    return {
        "index.html": root_page(settings, languages, files),
        "404.html": not_found_page(settings, languages, files),
    }


def root_page(
    settings: Settings, languages: Sequence[Language], files: Mapping[str, Path]
) -> bytes:
    """Return the page that says in the languages that are built what the book is, and offers each.

    What a start page says of itself in previews is told here.
    """
    offered = [
        {
            "link": link_to_page(each, START),
            "tag": each.tag,
            "name": each.name,
            "about": _about(page_path(each, START), files),
        }
        for each in languages
    ]
    icon = _icon(languages, files, ".")
    return _page(settings, "root.html", icon, titles=_titles(languages), languages=offered)


def _about(path: str, files: Mapping[str, Path]) -> str:
    """Return the description of a page; "" where it has none."""
    file = files.get(path)
    return "" if file is None else previews(path, file.read_bytes()).get("og:description", "")


def not_found_page(
    settings: Settings, languages: Sequence[Language], files: Container[str]
) -> bytes:
    """Return the page for addresses that lead nowhere, in all languages that are built.

    One page for the whole site, because static hosts look for no other. It is served at any depth,
    so its links start at the root of the host, where the settings tell what lies between.
    """
    top = "." if settings.address is None else urlsplit(settings.address).path
    said = [_not_found(settings, each, f"{top}/") for each in languages]
    icon = None if settings.address is None else _icon(languages, files, top)
    return _page(settings, "404.html", icon, titles=_titles(languages), languages=said)


def _not_found(settings: Settings, language: Language, top: str) -> dict[str, str]:
    """Say in one language that there is no page, with the words its build has compiled."""
    _ = messages_of(language.locale, settings.words_file(language.locale)).gettext
    return {
        "code": language.code,
        "tag": language.tag,
        "link": link_to_page(language, START, top),
        "said": _("There is no page at this address."),
        "words": _("To the start page"),
    }


def _icon(languages: Sequence[Language], files: Container[str], top: str) -> str | None:
    """Address the icon that the first language has among its static files."""
    found = (f"{each.code}/_static/{ICON}" for each in languages)
    return next((f"{top}/{each}" for each in found if each in files), None)


def _titles(languages: Sequence[Language]) -> list[dict[str, str]]:
    """Return the title of the book in each language, without those that repeat another."""
    found: dict[str, str] = {}
    for each in languages:
        found.setdefault(each.title, each.tag)
    return [{"title": title, "tag": tag} for title, tag in found.items()]


def _page(
    settings: Settings, name: str, icon: str | None, **said: Sequence[dict[str, str]]
) -> bytes:
    return _fill(
        name,
        tag=settings.source_language.tag,
        head=Markup(icon_and_colours(icon)),  # noqa: S704  # it escapes what it is given
        **said,
    )


def redirects(settings: Settings, languages: Iterable[Language]) -> dict[str, bytes]:
    """Return the page at each address that a page has left, by their paths in the site."""
    return {
        page_path(language, old): _redirect(settings, language, old, new)
        for language in languages
        for old, new in settings.moved.items()
    }


def _redirect(settings: Settings, language: Language, old: str, new: str) -> bytes:
    _ = messages_of(language.locale, settings.words_file(language.locale)).gettext
    page, sign, anchor = new.partition("#")
    here, there = link_to_page(language, old), link_to_page(language, page)
    link = relpath(there, dirname(here)) + sign + anchor
    return _fill(
        "moved.html",
        tag=language.tag,
        link=link,
        canonical=settings.page_address(language, page) or link,
        said=_("This page has moved."),
        words=_("To its new address"),
    )


def _fill(name: str, **values: object) -> bytes:
    """Fill the template of this name; text is escaped, and a value that lacks is an error.

    A script that lies beside it, under the same name with `.js`, is put into the page.
    """
    style = (_TEMPLATES / _STYLE).read_text(encoding="utf-8")
    beside = (_TEMPLATES / name).with_suffix(".js")
    script = beside.read_text(encoding="utf-8") if beside.is_file() else ""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    text = environment.get_template(name).render(
        policy=Markup(_policy(style, script)),  # noqa: S704  # made of digests alone
        style=Markup(style),  # noqa: S704  # ours, from this folder
        script=Markup(script),  # noqa: S704  # the same
        **values,
    )
    return text.encode()


def _policy(style: str, script: str) -> str:
    """Write the policy of a page that loads nothing but its icon."""
    programs = digest_source(script) if script else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {programs}",
            f"style-src {digest_source(style)}",
            "img-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
