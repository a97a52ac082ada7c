"""Scripts as bytes, and what reading them gives: cells and needs, or a complaint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.errors import ScriptError
from polytab.scripts.percent import ScriptParser, read_python

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.model import Cell, Needs

SHORT = "# %% a\nx = 1\n"


def script(folder: Path, content: str | bytes) -> ScriptParser:
    """Write a script and begin to read it."""
    path = folder / "torch.py"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return ScriptParser(path, read_python(path))


def complaint(folder: Path, content: str | bytes) -> ScriptError:
    """Return what is wrong with a script; it names the file and what to do."""
    with pytest.raises(ScriptError) as caught:
        everything(script(folder, content))
    assert caught.value.file == folder / "torch.py"
    assert caught.value.hint
    return caught.value


def everything(reader: ScriptParser) -> tuple[tuple[Cell, ...], Needs]:
    """Read all there is to read in a script."""
    return reader.cells(), reader.needs()
