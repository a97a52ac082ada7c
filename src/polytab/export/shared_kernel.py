"""Whether two scripts of a page can share one notebook, where each was recorded alone.

Each relies on nothing but what it binds itself and Python's own names. So a script may only follow
another that hides none of Python's names it uses; and where their cells stand between each other,
neither may bind a name that the other mentions, unless both import the same thing.
"""

from __future__ import annotations

import ast
import symtable
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Script


@dataclass(frozen=True)
class _Names:
    """The names of a script's modules: bound in it, mentioned in it, imported from where."""

    bound: frozenset[str]
    mentioned: frozenset[str]
    imported: frozenset[tuple[str, str]]


def can_share(first: Script, second: Script, order: Sequence[str]) -> bool:
    """Tell whether the cells of two scripts may run in one kernel; `order` holds frameworks."""
    turns = [name for name, _ in groupby(order)]
    names = {each.framework: _names(each) for each in (first, second)}
    if len(turns) == len(set(turns)):
        return not any(
            names[before].bound & (names[after].mentioned - names[after].bound)
            for before, after in pairwise(turns)
        )
    one, other = names.values()
    same = {name for name, _ in one.imported & other.imported}
    return not (one.bound & other.mentioned | other.bound & one.mentioned) - same


def _names(script: Script) -> _Names:
    bound: set[str] = set()
    mentioned: set[str] = set()
    imported: set[tuple[str, str]] = set()
    for cell in script.cells:
        table = symtable.symtable(cell.code, script.name, "exec")
        for symbol in table.get_symbols():
            mentioned.add(symbol.get_name())
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                bound.add(symbol.get_name())
        mentioned |= _globals(table)
        imported |= _imports(cell.code)
    return _Names(frozenset(bound), frozenset(mentioned), frozenset(imported))


def _globals(table: symtable.SymbolTable) -> set[str]:
    """Return the globals that a module and its functions use."""
    found = {each.get_name() for each in table.get_symbols() if each.is_global()}
    return found.union(*(_globals(inner) for inner in table.get_children()))


def _imports(code: str) -> set[tuple[str, str]]:
    """Return each imported name with what is imported under it."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {
                (each.asname or each.name.partition(".")[0], each.name) for each in node.names
            }
        elif isinstance(node, ast.ImportFrom):
            found |= {
                (each.asname or each.name, f"{node.module} {each.name}") for each in node.names
            }
    return found
