"""The verbs that make pages.

Where nothing has changed, `build` and `site` import no Sphinx and parse no script.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

from polytab.cli.console import list_findings, say
from polytab.settings import START, page_path
from polytab.site.last_build import unchanged

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from polytab.model import Language
    from polytab.settings import Settings


def build(settings: Settings, options: Namespace) -> int:
    """Run what is stale, then build the pages."""
    languages = _languages(settings, options)  # a wrong word is told before anything is run
    if options.no_record:
        return site(settings, options)
    if _is_unchanged(settings, languages, strict=options.strict, planned=True):
        return 0
    from polytab.cli.recording import run_stale
    from polytab.cli.run_options import run_config_of
    from polytab.recordings.plan import plan

    recorded = run_stale(settings, run_config_of(settings, options), plan(settings))
    return max(recorded, _build_site(settings, languages, options, planned=recorded == 0))


def site(settings: Settings, options: Namespace) -> int:
    """Build the pages from recordings."""
    languages = _languages(settings, options)
    if _is_unchanged(settings, languages, strict=options.strict):
        return 0
    return _build_site(settings, languages, options)


def _languages(settings: Settings, options: Namespace) -> Sequence[Language]:
    return [settings.language(code) for code in options.names] or settings.languages


def _is_unchanged(
    settings: Settings, languages: Sequence[Language], *, strict: bool, planned: bool = False
) -> bool:
    """Tell, and say, whether there is nothing to build."""
    if not unchanged(settings, languages, strict=strict, planned=planned):
        return False
    for each in languages:
        where = settings.site / page_path(each, START)
        say(f"{each.code}: nothing has changed, open {where}")
    return True


def _build_site(
    settings: Settings, languages: Sequence[Language], options: Namespace, *, planned: bool = False
) -> int:
    from polytab.cli.build_progress import BuildProgress
    from polytab.site.build import build

    with BuildProgress([each.code for each in languages]) as progress:
        code = build(
            settings,
            languages,
            strict=options.strict,
            planned=planned,
            report=progress.report,
            tell=progress.tell,
        )
        for note in _sleeping(settings):
            progress.report(f"note: {note}")
    return code


def _sleeping(settings: Settings) -> Iterator[str]:
    """Say what a site does not have because nobody has said where it is, or where its sources are.

    It is no finding: what is built to be read on this machine needs neither.
    """
    if settings.address is None:
        yield (
            "no address is known, so there are no canonical and alternate links, no sitemap and "
            "no feeds: set `address` in [tool.polytab] or POLYTAB_ADDRESS"
        )
    if settings.repository is None:
        yield (
            "no repository is known, so there are no links to sources, to Colab and to a new "
            "issue: set `repository` in [tool.polytab] or POLYTAB_REPOSITORY"
        )


def export(settings: Settings, options: Namespace) -> int:
    """Make e-books of the pages from recordings."""
    from polytab.export.books.ebooks import make_ebooks
    from polytab.export.books.one_framework import framework_of_book
    from polytab.site.build import compile_translations, lock_builds

    languages = _languages(settings, options)
    framework = framework_of_book(settings, options.framework)
    with lock_builds(settings):
        refused = list_findings(compile_translations(settings, languages))
        make_ebooks(settings, languages, say, framework, strict=options.strict)
    return refused


def live(settings: Settings, options: Namespace) -> int:
    """Serve one language and build it on every save, until interrupted."""
    from polytab.site.live.preview import live as serve

    language = settings.language(options.name or settings.source_language.code)
    record = partial(_record, settings, run=not options.no_record)
    serve(settings, language, record=record, report=say)
    return 0


def _record(settings: Settings, *, run: bool) -> None:
    """Run what is stale in a process of its own, which has no Sphinx; it says what is wrong."""
    if not run:
        return
    command = [sys.executable, "-m", "polytab", "record", "--overlay"]
    with subprocess.Popen(command, cwd=settings.root) as process:
        try:
            process.wait()
        except KeyboardInterrupt:
            process.terminate()  # it may not have received what interrupted us
            if process.wait() < 0:
                raise
            sys.exit(process.returncode)  # it has said so
