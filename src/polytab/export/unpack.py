"""The helper modules and data files of a script -> code that writes them, for a download.

A helper module becomes a file in a temporary folder, so that nothing of the reader's is replaced;
a data file is put where the code looks for it, unless there is one already.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from polytab.model import SideFile

_LINE = 76
"""Characters of binary data on a line, as base64 has it in letters."""


def unpacking_code(helpers: Mapping[str, str], data: Iterable[SideFile]) -> str:
    """Return code that writes modules, given as texts by file name, and data; empty without any."""
    files = [_data(file) for file in data]
    lines = [line for text in files for line in text]
    imports = ["from pathlib import Path"] if helpers or files else []
    if any("base64." in line for line in lines):
        imports.insert(0, "import base64")
    if helpers:
        imports[-1:-1] = ["import sys", "import tempfile"]
        lines += ["", "sys.path.insert(0, tempfile.mkdtemp())"]
        for name, source in helpers.items():
            lines.append(f"_ = Path(sys.path[0], {name!r}).write_text({quoted(source)},")
            lines.append('    encoding="utf-8")')
    return "\n".join([*imports, *lines])


def _data(file: SideFile) -> list[str]:
    """Return the lines that write one data file."""
    try:
        text = file.content.decode("utf-8")
        write = f"_ = path.write_bytes({quoted(text)}.encode())"
    except UnicodeDecodeError:
        coded = base64.b64encode(file.content).decode()
        rows = "\n".join(coded[at : at + _LINE] for at in range(0, len(coded), _LINE))
        write = f'_ = path.write_bytes(base64.b64decode("""\n{rows}\n"""))'
    return [
        *("", f"path = Path({file.name!r})", "if not path.exists():"),
        "    path.parent.mkdir(parents=True, exist_ok=True)",
        f"    {write}",
    ]


def quoted(text: str) -> str:
    """Return a string literal of a text, one that shows it as it reads where that can be."""
    readable = text.replace("\n", "").replace("\t", "").isprintable()
    if "'''" in text or not readable or text.endswith(("'", "\\")):
        return repr(text)
    return f"r'''{text}'''"
