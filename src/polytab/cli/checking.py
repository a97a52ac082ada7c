"""The verbs that look and change nothing."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from polytab.cli.changes import kind_of, kind_of_one
from polytab.cli.console import err, escape, list_findings, say
from polytab.errors import RecordingError
from polytab.git import changes_since, text_at
from polytab.model import CPU, CUDA, DEVICES, PLAIN, Finding
from polytab.recordings.compare import compare
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.plan import find, has_place, recorded_on
from polytab.recordings.strays import find_strays
from polytab.scripts.load import load_scripts
from polytab.scripts.pins import pins_path
from polytab.translations.catalogs import find_stray_catalogs, glossary_path

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from polytab.settings import Settings


def changes(settings: Settings, options: Namespace) -> int:
    """Tell the kind of the change since a commit."""
    root = options.folder.resolve() if options.folder else settings.root
    found = changes_since(root, options.base)
    for change in found:
        err.print(f"{kind_of_one(settings, change)}: {escape(change.path)}")
    recordings = f"{settings.recordings.relative_to(settings.root).as_posix()}/"
    if any(change.path.startswith(recordings) for change in found):
        err.print("note: leave recordings out; a maintainer has them made once the change is read")
    say(kind_of(settings, found))
    return 0


def compare_(settings: Settings, options: Namespace) -> int:
    """Show what differs between the recordings here and those of a commit."""
    differ = 0
    paths = sorted(settings.recordings.glob("*/*.ipynb"))
    for path in paths:
        name = path.relative_to(settings.root).as_posix()
        before = text_at(settings.root, options.base, name)
        with TemporaryDirectory() as folder:
            copy = Path(folder, *path.parts[-2:])
            copy.parent.mkdir()
            copy.write_text(before or "", encoding="utf-8")
            old = load_recording(copy) if before is not None else None
        new = load_recording(path)
        if old is None or new is None:
            continue
        if difference := compare(old, new):
            say(difference)
            differ += 1
    say(f"{len(paths)} recordings, {differ} say something else")
    return int(differ > 0)


def check(settings: Settings, _: Namespace) -> int:
    """Check pages, scripts, catalogs and recordings against each other."""
    from polytab.pages.markdown.cells import check as check_pages

    findings = [*check_pages(settings), *_texts(settings), *find_stray_catalogs(settings)]
    findings += _cuda(settings)
    findings = list(dict.fromkeys([*findings, *_recordings(settings)]))
    list_findings(findings)
    say(f"{len(findings)} findings")
    return int(bool(findings))


def lint(settings: Settings, options: Namespace) -> int:
    """Check the words of pages and catalogs, here or in another checkout; nothing of it runs.

    What rules there are, which languages, and the terms of each, is said here and not there.
    """
    from polytab.translations.compiled import check_language

    theirs = settings.moved_to(options.folder.resolve()) if options.folder else settings
    findings = [*_texts(theirs), *find_stray_catalogs(theirs)]
    for language in settings.languages[1:]:
        terms = glossary_path(settings, language)
        findings += check_language(theirs, language, terms).findings
    for path in sorted(theirs.recordings.glob("*/*.ipynb")):
        try:
            load_recording(path)
        except RecordingError as error:
            findings.append(Finding(path, None, "recording", f"{error.message}; {error.hint}"))
    list_findings(findings)
    say(f"{len(findings)} findings")
    return int(bool(findings))


def links(settings: Settings, _: Namespace) -> int:
    """Ask other hosts for every address that the pages link to."""
    from polytab.site.sphinx import ask_hosts

    code = ask_hosts(settings)
    say("some addresses are broken, see above" if code else "every address answers")
    return code


def _texts(settings: Settings) -> Iterator[Finding]:
    """Check what pages say, and with what."""
    from polytab.pages.drawing import DrawingError, read_drawing
    from polytab.pages.markdown.allowed import find_refused, page_files
    from polytab.pages.markdown.claims import claims_of
    from polytab.pages.markdown.translatable import lint_source

    for path in sorted(settings.docs.rglob("*.svg")):
        try:
            read_drawing(path, "checked")
        except (OSError, DrawingError) as error:
            yield Finding(path, None, "drawing", str(error))
    for path in page_files(settings):
        if path.is_symlink():
            yield Finding(path, None, "outside", "it is a link: put the file itself there")
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            yield Finding(path, None, "utf-8", f"the page is not UTF-8: {error.reason}")
            continue
        yield from find_refused(settings.docs, path)
        yield from claims_of(path, text)
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
        recording_path(settings.recordings, script.page, script.framework, device)
        for script in scripts
        for device in DEVICES
        if has_place(settings, script, device)
    }
    kind = "recording of a script and a device it runs on"
    yield from find_strays(settings.recordings, own, kind, "rename it with its script")
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
