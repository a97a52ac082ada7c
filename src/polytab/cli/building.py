"""The verbs that make pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.cli.console import complain, list_findings, say
from polytab.cli.recording import run_stale
from polytab.cli.run_options import run_config_of, store_address
from polytab.errors import PolytabError
from polytab.export.books import make_books
from polytab.recordings.plan import plan
from polytab.runner.run_config import RunConfig
from polytab.site import build as pages
from polytab.site.sphinx import live as serve

if TYPE_CHECKING:
    from argparse import Namespace

    from polytab.settings import Settings


def build(settings: Settings, options: Namespace) -> int:
    """Run what is stale, then build the pages."""
    for code in options.names:
        settings.language(code)  # a wrong word is told before anything is run
    recorded = (
        0
        if options.no_record
        else run_stale(settings, run_config_of(settings, options), plan(settings))
    )
    return max(recorded, site(settings, options))


def prepare(settings: Settings, _: Namespace) -> int:
    """Run what is stale and compile the catalogs; complain, but never fail."""
    try:
        run_stale(
            settings, RunConfig(settings.build, store=store_address(settings)), plan(settings)
        )
        list_findings(pages.compile_translations(settings, settings.languages))
    except PolytabError as error:
        complain(error)
    return 0


def site(settings: Settings, options: Namespace) -> int:
    """Build the pages from recordings."""
    languages = [settings.language(code) for code in options.names] or settings.languages
    return pages.build(settings, languages, strict=options.strict, report=say)


def export(settings: Settings, options: Namespace) -> int:
    """Make books of the pages from recordings."""
    languages = [settings.language(code) for code in options.names] or settings.languages
    refused = list_findings(pages.compile_translations(settings, languages))
    make_books(settings, languages, say)
    return refused


def live(settings: Settings, options: Namespace) -> int:
    """Serve one language and rebuild on every save."""
    return serve(settings, settings.language(options.name or settings.source_language.code))
