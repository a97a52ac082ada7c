"""The examples that rules show in their docstrings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def examples(rules: Sequence[Callable[..., object]], kind: str) -> list[tuple[str, str]]:
    """Return a rule's name with each of its examples, `↵` for a line end and `·` for a space."""
    found = []
    for rule in rules:
        lines = re.findall(rf"^ *{kind}: +(.+)$", rule.__doc__ or "", re.MULTILINE)
        assert lines, f"{rule.__name__} shows nothing {kind.lower()}"
        for line in lines:
            longer = re.sub(r"\b(\d+)\*(\w+)", lambda times: int(times[1]) * times[2], line)
            name = rule.__name__.replace("_", "-")
            found.append((name, longer.replace("↵", "\n").replace("·", " ")))
    return found
