"""Build the pages of every language in processes of their own, then the root page."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.translations.compiled import compile_catalogs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.model import Finding, Language
    from polytab.settings import Settings

_ROOT = Path(__file__).parent / "pages" / "templates" / "root.html"


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
        command = ["-b", "html", "-q", "-W", "--keep-going", *arguments(settings, language)]
        command += ["-D", f"polytab_strict={int(strict)}"]
        ran = subprocess.run(
            [sys.executable, "-m", "sphinx", *command], check=False, cwd=settings.root
        )
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
    return int(bool(findings) or not all(results))


def compile_translations(settings: Settings, languages: Sequence[Language]) -> tuple[Finding, ...]:
    """Compile what passed the lint, for Sphinx to read; return what did not."""
    translated = [each for each in languages if each != settings.source_language]
    return tuple(each for language in translated for each in compile_catalogs(settings, language))


def live(settings: Settings, language: Language) -> int:
    """Serve one language and rebuild it on every save, until interrupted."""
    inputs = (
        settings.snippets,
        settings.environments,
        settings.recordings,
        settings.translations,
    )
    watched = [word for path in inputs if path.is_dir() for word in ("--watch", str(path))]
    polytab = f"{sys.executable} -m polytab"
    verbs = ("record --overlay", "translate --compile")
    before = [word for verb in verbs for word in ("--pre-build", f"{polytab} {verb}")]
    command = [*arguments(settings, language), *watched, *before, "--port", "0", "--open-browser"]
    ran = subprocess.run(
        [sys.executable, "-m", "sphinx_autobuild", *command], check=False, cwd=settings.root
    )
    return ran.returncode


def arguments(settings: Settings, language: Language) -> list[str]:
    """Return what Sphinx must be told to build one language; doctrees are never shared."""
    return [
        *("-c", str(settings.root), "-D", f"language={language.locale}"),
        *("-d", str(settings.build / "doctrees" / language.code)),
        *(str(settings.docs), str(settings.site / language.code)),
    ]


def _write_root(settings: Settings) -> None:
    """Write the page that offers the languages that are built."""
    links = "\n".join(
        f'<li><a href="{each.code}/index.html" hreflang="{each.tag}" lang="{each.tag}">'
        f"{escape(each.name)}</a></li>"
        for each in settings.languages
        if (settings.site / each.code / "index.html").is_file()
    )
    page = _ROOT.read_text(encoding="utf-8").replace("{{ title }}", escape(settings.title))
    settings.site.mkdir(parents=True, exist_ok=True)
    page = page.replace("{{ links }}", links)
    (settings.site / "index.html").write_text(page, encoding="utf-8")
