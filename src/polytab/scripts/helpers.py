"""The helpers of a script: what it imports of `snippets/` and of the kit, and theirs in turn.

The kit comes with polytab: modules that scripts measure with. A module of the same name in the
book's own `snippets/` is taken in its place, also by the modules of the kit that import it.
A helper is part of the key of every script that imports it, wherever it lies.

Laws, guarded by tests/scripts/test_helpers.py.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from polytab.model import SideFile
from polytab.scripts.canonical import canonical
from polytab.scripts.percent import parse, read_python

KIT = Path(__file__).with_name("kit")
"""Where the modules of the kit lie; the engine never imports them."""


def find_helpers(script: Path, source: str) -> tuple[SideFile, ...]:
    """Collect the helpers of a script, as canonical code; raises ScriptError, with the line."""
    found: dict[str, SideFile] = {}
    waiting = imported_modules(source, script)
    while waiting:
        name = waiting.pop()
        path = helper_path(script, f"{name}.py")
        if name in found or not path.is_file():
            continue
        found[name], imported = _read_helper(path, read_python(path))
        waiting.extend(imported)
    return tuple(found[name] for name in sorted(found))


def helper_path(script: Path, name: str) -> Path:
    """Return where a helper of a script lies: in the book, or else in the kit."""
    own = script.parent.parent / name
    return own if own.is_file() else KIT / name


@lru_cache(maxsize=64)
def _read_helper(path: Path, source: str) -> tuple[SideFile, tuple[str, ...]]:
    """Return a helper as canonical code, and what it imports; many scripts share it."""
    code = canonical(source) + "\n"
    return SideFile(path.name, code.encode()), tuple(imported_modules(code, path))


def imported_modules(source: str, path: Path) -> list[str]:
    """Return the top names of the modules a source imports; raises ScriptError, with the line."""
    names: list[str] = []
    waiting: list[ast.AST] = [parse(source, path)]
    while waiting:
        node = waiting.pop()
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):  # where statements stand
            inner = getattr(node, part, [])
            waiting.extend(inner if isinstance(inner, list) else [])
        if isinstance(node, ast.Import):
            names.extend(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module.partition(".")[0])
    return names
