"""The verbs that look and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.changes import changes_since, kind_of, kind_of_one
from polytab.cli.console import err, list_findings, say
from polytab.model import CPU, CUDA, DEVICES, PLAIN, Finding
from polytab.pins import pins_path
from polytab.plan import find, has_place, recorded_on
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
    findings = [*_pages(settings), *_cuda(settings), *_recordings(settings)]
    list_findings(findings)
    say(f"{len(findings)} findings")
    return int(bool(findings))


def _pages(settings: Settings) -> Iterator[Finding]:
    from polytab.pages.check import check as check_pages
    from polytab.pages.claims import claims_of
    from polytab.translations.lint import lint_source

    findings = list(check_pages(settings))
    yield from findings
    unreadable = {finding.file for finding in findings if finding.rule == "utf-8"}
    for path in sorted(set(settings.docs.glob("*.md")) - unreadable):
        yield from claims_of(path, path.read_text(encoding="utf-8"))
        yield from lint_source(path)


def _cuda(settings: Settings) -> Iterator[Finding]:
    """Where one framework has CUDA or says why not, each has either its pins or a reason."""
    file = settings.root / "pyproject.toml"
    frameworks = [each for each in settings.frameworks if each.name != PLAIN]
    pinned = {each.name: pins_path(settings, each.name, CUDA).is_file() for each in frameworks}
    if not any(pinned[each.name] or each.no_cuda for each in frameworks):
        return
    for each in frameworks:
        if pinned[each.name] == bool(each.no_cuda):
            has = "both" if each.no_cuda else "neither"
            said = f"`{each.name}` has {has} environments/{each.name}.cuda.txt {{}} `no_cuda`"
            yield Finding(file, None, "cuda", said.format("and" if each.no_cuda else "nor"))


def _recordings(settings: Settings) -> Iterator[Finding]:
    """Say what is stale and what varies; complain of what is broken or belongs to nothing."""
    scripts = load_scripts(settings)
    own = {
        (script.page, f"{script.framework}.{device}.ipynb")
        for script in scripts
        for device in DEVICES
        if has_place(settings, script, device)
    }
    for path in sorted(settings.recordings.glob("*/*.ipynb")):
        if path.parts[-2:] not in own:
            said = "it has no script, or its script no such device; remove it"
            yield Finding(path, None, "orphan", said)
    stores = (settings.recordings,)
    for script in scripts:
        on_cuda = recorded_on(settings, script, CUDA, stores)
        for found in filter(None, (find(settings, script, CPU, stores), on_cuda)):
            if found.error is not None:
                said = f"{found.error.message}; {found.error.hint}"
                yield Finding(found.error.file or script.path, None, "recording", said)
            elif found.job.reason:
                say(f"stale: {found.job.name}: {found.job.reason}")
        for cell in script.cells:
            if cell.varies:
                say(f"varies: {script.name} `{cell.label}`: {cell.varies}: {cell.why}")
