"""Script files -> `Script`, with the helper modules and data files that it needs."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from polytab.errors import ScriptError, UsageError
from polytab.model import Script, SideFile
from polytab.scripts.helpers import find_helpers
from polytab.scripts.percent import ScriptParser, read_python

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from polytab.settings import Settings

_MEASURE = "measure"


def load_scripts(
    settings: Settings, pages: Sequence[str] = (), frameworks: Sequence[str] = ()
) -> tuple[Script, ...]:
    """Read the scripts of these pages and frameworks (all where none are named), in order.

    Raises UsageError for names that nothing has, ScriptError for what cannot be read.
    """
    known = settings.pages_with_scripts()
    for page in pages:
        if page not in known:
            msg = f"no page `{page}` has snippets"
            raise UsageError(msg, hint=f"pages with snippets: {', '.join(known) or 'none'}")
    wanted = [settings.framework(name).name for name in frameworks]
    names = [framework.name for framework in settings.frameworks]
    scripts: list[Script] = []
    for page in dict.fromkeys(pages or known):
        for path in sorted((settings.snippets / page).glob("[!.]*.py")):  # editors make others
            if path.stem not in names:
                msg = f"`{path.stem}` is not a framework"
                hint = f"name the file after one of: {', '.join(names)}"
                raise ScriptError(msg, file=path, hint=hint)
        for name in names:
            path = settings.snippets / page / f"{name}.py"
            if path.is_file() and (not wanted or name in wanted):
                scripts.append(read_script(path))
    if wanted and not scripts:
        msg = f"{', '.join(pages or known)}: no script for {', '.join(wanted)}"
        raise UsageError(msg, hint="`polytab plan` lists the scripts there are")
    return tuple(scripts)


def read_script(path: Path) -> Script:
    """Read one `snippets/<page>/<framework>.py`; raises ScriptError, with the line."""
    parser = ScriptParser(path, read_python(path))
    cells, needs = parser.cells(), parser.needs()
    helpers = find_helpers(path, parser.text)
    imports_measure = any(helper.name == f"{_MEASURE}.py" for helper in helpers)
    if needs.measures != imports_measure:
        verb, hint = (
            ("says `measures = true` but does not import", "drop the line, or import it")
            if needs.measures
            else ("imports", "add `measures = true` to its inline block")
        )
        raise parser.error(f"the script {verb} `{_MEASURE}`", parser.block_line or 1, hint)
    data = tuple(_data_file(parser, name) for name in needs.data)
    return Script(path.parent.name, path.stem, path, cells, needs, helpers, data)


def _data_file(parser: ScriptParser, name: str) -> SideFile:
    """Read a data file, which must lie in or below the page's folder."""
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts:
        message = f"`data` names `{name}`, outside the page's folder"
        hint = "name a file in or below the script's own folder"
        raise parser.error(message, parser.block_line, hint)
    folder = parser.path.parent.resolve()
    try:
        path = (folder / pure).resolve(strict=True)
        if not path.is_relative_to(folder):
            raise PermissionError(0, "a link leads out of the page's folder")
        content = path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # not there, no name, links in a circle
        why = error.strerror if isinstance(error, OSError) else error
        message = f"the data file `{name}` cannot be read: {why}"
        raise parser.error(message, parser.block_line, "add the file, or drop its name") from None
    return SideFile(name, content)
