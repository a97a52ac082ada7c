"""Build the pages of every language in processes of their own, then the root page."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.model import Language
    from polytab.settings import Settings

_ROOT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; }}
body {{ margin: 20vh auto 0; max-width: 30rem; padding: 0 1.5rem; }}
h1 {{ font-size: 1.75rem; line-height: 1.2; }}
ul {{ list-style: none; padding: 0; }}
a {{ display: block; padding: 0.6rem 0; color: LinkText; }}
</style>
<main>
<h1>{title}</h1>
<ul>
{links}
</ul>
</main>
</html>
"""


def build(
    settings: Settings,
    languages: Sequence[Language],
    *,
    strict: bool,
    report: Callable[[str], None],
) -> int:
    """Build these languages; return 0, or 1 where any of them had something to complain of."""

    def one(language: Language) -> bool:
        started = time.monotonic()
        report(f"{language.code}: building")
        good = _sphinx(settings, language, strict=strict)
        seconds = time.monotonic() - started
        where = settings.site / language.code
        report(
            f"{language.code}: built in {seconds:.0f} s, open {where / 'index.html'}"
            if good
            else f"{language.code}: built with complaints, see above"
        )
        return good

    with ThreadPoolExecutor(max_workers=len(languages)) as pool:
        results = list(pool.map(one, languages))
    _write_root(settings)
    return int(not all(results))


def _sphinx(settings: Settings, language: Language, *, strict: bool) -> bool:
    """Run Sphinx in a process of its own; it keeps doctrees per language."""
    command = [
        *(sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"),
        *("-c", str(settings.root), "-D", f"language={language.locale}"),
        *("-D", f"polytab_strict={int(strict)}"),
        *("-d", str(settings.build / "doctrees" / language.code)),
        *(str(settings.docs), str(settings.site / language.code)),
    ]
    return subprocess.run(command, check=False, cwd=settings.root).returncode == 0


def _write_root(settings: Settings) -> None:
    """Write the page that offers the languages that are built."""
    links = "\n".join(
        f'<li><a href="{each.code}/index.html" hreflang="{each.tag}" lang="{each.tag}">'
        f"{escape(each.name)}</a></li>"
        for each in settings.languages
        if (settings.site / each.code / "index.html").is_file()
    )
    page = _ROOT.format(title=escape(settings.title), links=links)
    settings.site.mkdir(parents=True, exist_ok=True)
    (settings.site / "index.html").write_text(page, encoding="utf-8")
