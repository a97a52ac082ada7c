"""The verbs that look and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.cli.changes import kind_of, kind_of_one
from polytab.cli.console import err, escape, list_findings, say
from polytab.errors import one_line
from polytab.git import changes_since
from polytab.recordings.check import check_recordings, find_unreadable
from polytab.recordings.compare import compare_to_commit
from polytab.scripts.pins import check_pins
from polytab.translations.catalogs import find_stray_catalogs, glossary_path

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from polytab.model import Finding
    from polytab.settings import Settings


def changes(settings: Settings, options: Namespace) -> int:
    """Tell the kind of the change since a commit."""
    root = options.folder.resolve() if options.folder else settings.root
    found = changes_since(root, options.base)
    for change in found:
        err.print(f"{kind_of_one(settings, change)}: {escape(one_line(change.path))}")
    recordings = f"{settings.recordings.relative_to(settings.root).as_posix()}/"
    if any(change.path.startswith(recordings) for change in found):
        err.print("note: leave recordings out; a maintainer has them made once the change is read")
    say(kind_of(settings, found))
    return 0


def compare_(settings: Settings, options: Namespace) -> int:
    """Show what differs between the recordings here and those of a commit."""
    paths = sorted(settings.recordings.glob("*/*.ipynb"))
    differ = 0
    for path in paths:
        if difference := compare_to_commit(settings.root, path, options.base):
            say(difference)
            differ += 1
    say(f"{len(paths)} recordings, {differ} say something else")
    return int(differ > 0)


def check(settings: Settings, _: Namespace) -> int:
    """Check pages, scripts, pins, recordings, and that they agree; of catalogs, no translation.

    Findings come first; then notes, of what is stale, varies, is not known yet or not in a catalog.
    """
    from polytab.pages.markdown.check import check_pages
    from polytab.pages.markdown.missing_cases import check_cases
    from polytab.pages.markdown.missing_cells import check_cells
    from polytab.pages.markdown.toctrees import find_unlisted
    from polytab.pages.translated.behind import find_behind

    findings = [*check_cells(settings), *check_pages(settings), *find_unlisted(settings)]
    findings += [*find_stray_catalogs(settings), *check_pins(settings)]
    cases, recordings = check_cases(settings), check_recordings(settings)
    notes = [*cases.notes, *recordings.notes, *find_behind(settings)]
    return _told([*findings, *cases.findings, *recordings.findings], notes)


def lint(settings: Settings, options: Namespace) -> int:
    """Check the words of pages and catalogs, here or in another checkout; nothing of it runs.

    What rules there are, which languages, and the terms of each, is said here and not there.
    """
    from polytab.interface.messages import check_words
    from polytab.pages.markdown.check import check_pages
    from polytab.translations.compiled import check_language

    theirs = settings.with_root(options.folder.resolve()) if options.folder else settings
    findings = [*check_pages(theirs), *find_stray_catalogs(theirs)]
    for language in settings.languages[1:]:
        terms = glossary_path(settings, language)
        findings += check_language(theirs, language, terms).findings
    for language in settings.languages:
        findings += check_words(language.locale, theirs.words_file(language.locale))
    return _told([*findings, *find_unreadable(theirs)])


def links(settings: Settings, _: Namespace) -> int:
    """Ask other hosts for every address that the pages link to."""
    from polytab.site.links import ask_hosts

    code = ask_hosts(settings)
    say("some addresses are broken, see above" if code else "every address answers")
    return code


def _told(findings: Sequence[Finding], notes: Sequence[str] = ()) -> int:
    """List findings, each once, then notes, and return the exit code."""
    once = list(dict.fromkeys(findings))
    list_findings(once)
    for note in notes:
        say(note)
    counts = [_counted(len(once), "finding")]
    if notes:
        counts.append(_counted(len(notes), "note"))
    say(", ".join(counts))
    return int(bool(once))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
