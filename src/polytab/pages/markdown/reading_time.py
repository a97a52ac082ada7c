"""How long a page takes to read, by its source: the same number in every language.

Of what stands in tabs a reader reads one framework; the longest counts. It is an estimate, in whole
minutes. An author who knows better says so in the `:minutes:` of an `{opening}`.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from polytab.pages.markdown.walk import walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polytab.pages.markdown.walk import Block

_WORDS, _CHARACTERS, _LINES = 200, 350, 20
"""How many words, Chinese or Japanese characters, and lines of code are read in a minute."""

_CHARACTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_WORD = re.compile(r"\w+")
_CODE = frozenset({"code", "code-block"})


def minutes_to_read(text: str, cells: Mapping[tuple[str, str], int]) -> int:
    """Return the minutes that a page takes, at least one.

    `cells` counts lines by framework's title and label. The title of plain Python, which stands
    outside of tabs, is "".
    """
    minutes: dict[str, float] = defaultdict(float)
    for block in walk(text):
        tab = _tab(block)
        if block.token.type == "inline":
            minutes[tab] += _prose(block.token.content)
        elif block.directive and block.directive.name == "snippet":
            label = block.directive.argument.strip()
            for (title, name), lines in cells.items():
                if name == label and tab in {"", title}:
                    minutes[title] += lines / _LINES
        elif _is_code(block):
            minutes[tab] += block.token.content.count("\n") / _LINES
    common = minutes.pop("", 0.0)
    whole = common + max(minutes.values(), default=0.0)
    return max(1, math.ceil(whole))


def _tab(block: Block) -> str:
    """Return the title of the framework whose tab a block stands in, or ""."""
    tabs = (each.argument for each in reversed(block.within) if each.name == "group-tab")
    return next(tabs, "").strip()


def _is_code(block: Block) -> bool:
    if block.directive:
        return block.directive.name in _CODE
    return block.token.type in {"fence", "code_block"}


def _prose(text: str) -> float:
    rest, characters = _CHARACTER.subn(" ", text)
    return characters / _CHARACTERS + len(_WORD.findall(rest)) / _WORDS
