"""Build the pages of every language in processes of their own, then the pages above them all.

What is made here is published: it can be searched, and each page has its policy.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from polytab.interface.words import words_of
from polytab.pages.frame.head import ICON, icon_and_colours
from polytab.search.index import index_pages
from polytab.site.bundle import bundle
from polytab.site.feed import write_feeds
from polytab.site.links import broken_links
from polytab.site.policy import protect
from polytab.site.published import write_manifest, write_redirects
from polytab.site.sitemap import write_sitemap
from polytab.translations.compiled import compile_catalogs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.model import Finding, Language
    from polytab.settings import Settings

_TEMPLATES = Path(__file__).parents[1] / "pages" / "templates"


def build(
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    report: Callable[[str], None],
) -> int:
    """Build these languages; return 0, or 1 where any of them had something to complain of.

    A translation that the lint refuses counts as missing and is told; all else is still built.
    """
    findings = compile_translations(settings, languages)
    for finding in findings:
        report(str(finding))

    def one(language: Language) -> bool:
        started = time.monotonic()
        report(f"{language.code}: building")
        command = ["-b", "html", "-q", "-W", "--keep-going"]
        written = settings.build / "html" / language.code
        command += arguments(settings, language, written)
        command += ["-D", f"polytab_strict={int(strict)}", "-D", "polytab_published=1"]
        ran = subprocess.run(
            [sys.executable, "-m", "sphinx", *command], check=False, cwd=settings.root
        )
        bundle(written, settings.site / language.code)
        index_pages(settings.site / language.code, language.tag)
        seconds = time.monotonic() - started
        where = settings.site / language.code / "index.html"
        report(
            f"{language.code}: built in {seconds:.0f} s, open {where}"
            if ran.returncode == 0
            else f"{language.code}: built with complaints, see above"
        )
        return ran.returncode == 0

    with ThreadPoolExecutor(max_workers=len(languages)) as pool:
        results = list(pool.map(one, languages))
    _write_root(settings)
    write_not_found(settings)
    write_sitemap(settings, _built(settings))
    write_feeds(settings, _built(settings))
    write_redirects(settings, _built(settings))
    wrong = [*protect(settings.site), *broken_links(settings)]
    for finding in wrong:
        report(str(finding))
    write_manifest(settings)  # last: it lists all that is there
    return int(bool(findings or wrong) or not all(results))


def compile_translations(settings: Settings, languages: Sequence[Language]) -> tuple[Finding, ...]:
    """Compile what passed the lint, for Sphinx to read; return what of these languages did not.

    The other languages are compiled too: the table of coverage tells of all, in each of them.
    """
    findings = {each: compile_catalogs(settings, each) for each in settings.languages[1:]}
    return tuple(each for language in languages for each in findings.get(language, ()))


def live(settings: Settings, language: Language) -> int:
    """Serve one language and rebuild it on every save, until interrupted.

    It has a folder of its own: the server writes a script into pages, which a policy would stop.
    """
    inputs = (
        settings.snippets,
        settings.environments,
        settings.recordings,
        settings.translations,
    )
    watched = [word for path in inputs if path.is_dir() for word in ("--watch", str(path))]
    # It complains, but never fails: a page must not freeze because another has a fault.
    before = ("--pre-build", shlex.join([sys.executable, "-m", "polytab", "prepare"]))
    folder = settings.build / "live" / language.code
    command = [*arguments(settings, language, folder), *watched, *before]
    command += ["--port", "0", "--open-browser"]
    ran = subprocess.run(
        [sys.executable, "-m", "sphinx_autobuild", *command], check=False, cwd=settings.root
    )
    return ran.returncode


def arguments(settings: Settings, language: Language, folder: Path) -> list[str]:
    """Return what Sphinx must be told to build one language; doctrees are never shared."""
    return [
        *("-c", str(settings.root), "-D", f"language={language.locale}"),
        *("-d", str(settings.build / "doctrees" / language.code)),
        *(str(settings.docs), str(folder)),
    ]


def _write_root(settings: Settings) -> None:
    """Write the page that offers the languages that are built."""
    links = "\n".join(
        f'<li><a href="{each.code}/index.html" hreflang="{each.tag}" lang="{each.tag}">'
        f"{escape(each.name)}</a></li>"
        for each in _built(settings)
    )
    title, head = escape(settings.title), icon_and_colours(_icon(settings, "."))
    _write(settings, "index.html", "root.html", title=title, links=links, head=head)


def write_not_found(settings: Settings) -> None:
    """Write the page for addresses that lead nowhere, in all languages that are built.

    One page for the whole site, because static hosts look for no other. It is served at any depth,
    so its links start at the root of the host, where the settings tell what lies between.
    """
    top = "." if settings.address is None else urlsplit(settings.address).path
    items = "\n".join(_not_found(each, top) for each in _built(settings))
    icon = None if settings.address is None else _icon(settings, top)
    title, head = escape(settings.title), icon_and_colours(icon)
    _write(settings, "404.html", "404.html", title=title, languages=items, head=head)


def _not_found(language: Language, top: str) -> str:
    """Say in one language that there is no page, with the words its build has compiled."""
    _ = words_of(language.locale).gettext
    said, link = _("There is no page at this address."), _("To the start page")
    return (
        f'<li lang="{language.tag}" data-code="{language.code}">{escape(said)}'
        f'<a href="{escape(top)}/{language.code}/index.html">{escape(link)}</a></li>'
    )


def _icon(settings: Settings, top: str) -> str | None:
    """Address the icon that the first language has among its static files."""
    found = (f"{each.code}/_static/{ICON}" for each in _built(settings))
    return next((f"{top}/{each}" for each in found if (settings.site / each).is_file()), None)


def _built(settings: Settings) -> list[Language]:
    """List the languages that have a start page."""
    return [
        each for each in settings.languages if (settings.site / each.code / "index.html").is_file()
    ]


def _write(settings: Settings, name: str, template: str, **values: str) -> None:
    """Fill a template and write it above the languages."""
    page = (_TEMPLATES / template).read_text(encoding="utf-8")
    for key, value in values.items():
        page = page.replace(f"{{{{ {key} }}}}", value)
    settings.site.mkdir(parents=True, exist_ok=True)
    (settings.site / name).write_text(page, encoding="utf-8")
