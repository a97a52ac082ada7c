"""The corpus of messages: each case carries the rules that it expects."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab.translations.rules.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FIXTURES = Path(__file__).parent / "fixtures"
_KEYS = {
    *("name", "locale", "source", "translation", "translation_times", "rules"),
    *("previous", "previous_times", "outdated", "passes", "plain"),
}


@dataclass(frozen=True)
class Case:
    """A message and the names of the rules that refuse it; none for a good one."""

    name: str
    message: Message
    rules: tuple[str, ...]
    passes: bool
    plain: bool


def cases() -> tuple[Case, ...]:
    """Read every case of every file, named `file: case`."""
    files = sorted((FIXTURES / "messages").glob("*.toml"))
    return tuple(case for file in files for case in _read(file))


def _read(file: Path) -> Iterator[Case]:
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    shared = {name: value for name, value in table.items() if name != "case"}
    for entry in table["case"]:
        given = {**shared, **entry}
        assert given.keys() <= _KEYS, given.keys() - _KEYS
        yield _case(file, given)


def _case(file: Path, given: Mapping[str, Any]) -> Case:
    previous = given.get("previous")
    message = Message(
        given["source"],
        given["translation"] * given.get("translation_times", 1),
        Path(file.stem).with_suffix(".po"),
        1,
        given["locale"],
        previous and previous * given.get("previous_times", 1),
        given.get("outdated", previous is not None),
    )
    rules = tuple(given.get("rules", ()))
    name = f"{file.stem}: {given.get('name', message.source)}"
    return Case(name, message, rules, given.get("passes", not rules), given.get("plain", False))
