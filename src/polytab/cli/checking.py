"""The verbs that look and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.changes import changes_since, kind_of, kind_of_one
from polytab.cli.console import err, list_findings, say
from polytab.model import CPU, Finding
from polytab.plan import find
from polytab.snippets import load_scripts

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from polytab.settings import Settings


def changes(settings: Settings, options: Namespace) -> int:
    """Tell the kind of the change since a commit."""
    found = changes_since(settings.root, options.base)
    for change in found:
        err.print(f"{kind_of_one(settings, change)}: {change.path}", markup=False)
    say(kind_of(settings, found))
    return 0


def check(settings: Settings, _: Namespace) -> int:
    """Check pages, scripts and recordings against each other."""
    findings = [*_pages(settings), *_recordings(settings)]
    list_findings(findings)
    say(f"{len(findings)} findings")
    return int(bool(findings))


def _pages(settings: Settings) -> Iterator[Finding]:
    from polytab.pages.allowed import find_refused
    from polytab.pages.check import check as check_pages
    from polytab.pages.claims import claims_of
    from polytab.translations.lint import lint_source

    findings = list(check_pages(settings))
    yield from findings
    unreadable = {finding.file for finding in findings if finding.rule == "utf-8"}
    for path in sorted(set(settings.docs.glob("*.md")) - unreadable):
        yield from find_refused(settings.docs, path)
        yield from claims_of(path, path.read_text(encoding="utf-8"))
        yield from lint_source(path)


def _recordings(settings: Settings) -> Iterator[Finding]:
    """Say what is stale and what varies; complain of what is broken or belongs to nothing."""
    scripts = load_scripts(settings)
    own = {(script.page, f"{script.framework}.{CPU}.ipynb") for script in scripts}
    for path in sorted(settings.recordings.glob("*/*.ipynb")):
        if path.parts[-2:] not in own:
            yield Finding(path, None, "orphan", "it has no script; remove it")
    for script in scripts:
        found = find(settings, script, stores=(settings.recordings,))
        if found.error is not None:
            said = f"{found.error.message}; {found.error.hint}"
            yield Finding(found.error.file or script.path, None, "recording", said)
        elif found.job.reason:
            say(f"stale: {found.job.name}: {found.job.reason}")
        for cell in script.cells:
            if cell.varies:
                say(f"varies: {script.name} `{cell.label}`: {cell.varies}: {cell.why}")
