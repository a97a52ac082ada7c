"""What goes into the key of a recording: the script, its helpers and data, and the environment.

A recording is fresh while its key is that of its script now. A script's page and framework are
part of it. Comments, blank lines, the time a script may take and where the book lies are not.

Laws, guarded by tests/scripts/test_keys.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.model import Key, digest
from polytab.scripts.percent import OPTIONS

if TYPE_CHECKING:
    from polytab.model import Environment, Script

SCHEMA = 1
"""Raised when the meaning of a key changes, so that every recording is made again."""

_ENVIRONMENT = "environment"
_FOUND = "found "
_IN_WORDS = {
    "schema": "the meaning of keys",
    "script": "the script's place",
    "needs": "what the script needs",
    "environment": "the environment",
    "order": "the order of the cells",
}


def make_key(script: Script, environment: Environment) -> Key:
    """Return the key of a script in an environment, with one part for each thing it depends on."""
    needs = f"gpus={script.needs.gpus} measures={script.needs.measures}"
    if script.needs.network:
        needs += " network=True"
    parts = [
        ("schema", str(SCHEMA)),
        ("script", f"{script.name} {environment.device}"),
        ("needs", needs),
        (_ENVIRONMENT, environment.digest),
        ("order", digest("\n".join(cell.label for cell in script.cells))),
    ]
    for cell in script.cells:
        options = "\n".join(f"{name}={getattr(cell, name)}" for name in OPTIONS)
        parts.append((f"cell {cell.label}", digest(f"{options}\n\n{cell.code}")))
    parts.extend((f"helper {helper.name}", digest(helper.content)) for helper in script.helpers)
    parts.extend((f"data {file.name}", digest(file.content)) for file in script.data)
    return Key(tuple(parts))


def with_found_versions(key: Key, versions: tuple[tuple[str, str], ...]) -> Key:
    """Return the key of what ran in an environment as it was found: versions in place of pins.

    Such a recording is fresh for as long as everything else is the same.
    """
    found = _FOUND + digest("\n".join(f"{name}=={version}" for name, version in versions))
    return _with_environment(key, found)


def expected_key(recorded: Key, now: Key) -> Key:
    """Return the key that a fresh recording would have, made in the kind of environment it was."""
    before = dict(recorded.parts).get(_ENVIRONMENT, "")
    return _with_environment(now, before) if before.startswith(_FOUND) else now


def _with_environment(key: Key, environment: str) -> Key:
    parts = ((name, environment if name == _ENVIRONMENT else part) for name, part in key.parts)
    return Key(tuple(parts))


def difference(old: Key, new: Key) -> str:
    """Say in words what changed between two keys; "" where they are equal."""
    before, after = dict(old.parts), dict(new.parts)
    parts = {**after, **before}
    if any(part.startswith("cell ") and (part in before) != (part in after) for part in parts):
        parts.pop("order", None)  # a cell that is new or gone says it better
    said: list[str] = []
    for part in parts:
        if before.get(part) != after.get(part):
            kind, _, name = part.partition(" ")
            what = f"{kind} `{name}`" if name else _IN_WORDS.get(kind, kind)
            verb = "is new" if part not in before else "is gone" if part not in after else "changed"
            said.append(f"{what} {verb}")
    return ", ".join(said)
