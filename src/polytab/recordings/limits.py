"""How much a recording may hold. The recorder keeps to it; a reader refuses what does not.

Law, guarded by tests/recordings/test_limits.py: what the recorder cuts is accepted when it is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LARGEST_FILE = 16 * 2**20
"""The largest file that is read, in bytes; the recorder keeps far less."""

LARGEST_OUTPUT = 4 * 2**20
"""The longest text or picture in one output, in characters."""

OUTPUT_LIMIT = 200_000
"""Characters of text one cell may print; what comes after is dropped and the place is marked."""

_ADDED = 50_000
"""Characters that the recorder may add: where it has cut, and to measurements that it pools."""

LONGEST_FACT = 1_000
"""Characters of a text in a provenance."""

_NUMBERS: Mapping[str, tuple[type, float, float]] = {
    "cores": (int, 1, 100_000),
    "count": (int, 1, 10_000),
    "seconds": (float, 0, 1e7),
}
"""What of a provenance is no text: its type, its least and its largest value."""

_COUNT, _ID, _WORDS = r"[1-9]\d{0,4}", r"\d{1,5}|0x[0-9a-f]{1,8}", r"[\w.+() -]{1,60}"
MACHINE_FACTS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.ASCII)
    for name, pattern in {
        "vendor": r"\w{1,40}|0x[0-9a-f]{1,8}",
        "family": _ID,
        "model": _ID,
        "stepping": _ID,
        "instructions": r"[A-Z0-9-]{2,10}(?: [A-Z0-9-]{2,10}){0,20}",
        "caches": r"L\d[di]? [1-9]\d{0,9} [KM]iB(?:, L\d[di]? [1-9]\d{0,9} [KM]iB){0,7}",
        "sockets": _COUNT,
        "cores": _COUNT,
        "quota": r"\d{1,5}(?:\.\d{1,2})?",
        "threads": _COUNT,
        "governor": r"\w{1,20}",
        "virtual": r"yes|\w{1,20}",
        "memory": r"[1-9]\d{0,6}(?:\.\d)? GiB",
        "libraries": rf"{_WORDS}(?:, {_WORDS}){{0,15}}",
    }.items()
}
"""What a recording may say of its machine, each fact in one form; see `runner/processor.py`.

There is no host name among them, and nothing else that tells one machine of a kind from another.
"""


def check_machine(name: str, value: object) -> None:
    """Raise TypeError or ValueError where a recording cannot say this of its machine."""
    if not isinstance(value, str):
        raise TypeError(name)
    if name not in MACHINE_FACTS or not MACHINE_FACTS[name].fullmatch(value):
        raise ValueError(name)


def check_fact(name: str, value: object) -> None:
    """Raise TypeError or ValueError where a provenance cannot say this."""
    if name not in _NUMBERS:
        if not isinstance(value, str):
            raise TypeError(name)
        if len(value) > LONGEST_FACT:
            raise ValueError(name)
        return
    kind, least, most = _NUMBERS[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(name)
    if not least <= value <= most:  # type: ignore[operator]  # it is a number; NaN is not, either
        raise ValueError(name)


def is_text(mime: str, value: object) -> bool:
    """Tell whether displayed data is cut where it is long: pictures are not."""
    return isinstance(value, str) and not mime.startswith("image/")


def first_lines(lines: Sequence[str]) -> list[str]:
    """Return the first of these lines, as far as a cell may show them."""
    kept: list[str] = []
    left = OUTPUT_LIMIT
    for line in lines:
        if left <= 0:
            break
        kept.append(line[:left])
        left -= len(line) + 1
    return kept


def shows_too_much(outputs: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the outputs of one cell hold more text than the recorder leaves in one.

    Messages and tracebacks of errors are counted apart from what is printed and displayed.
    """
    printed = raised = said = 0
    for output in outputs:
        if output["output_type"] == "stream":
            printed += len(output["text"])
        elif output["output_type"] == "error":
            said += len(output["evalue"])
            raised += sum(len(line) + 1 for line in output["traceback"])
        else:
            data = output["data"].items()
            printed += sum(len(value) for mime, value in data if is_text(mime, value))
    return max(printed, raised, said) > OUTPUT_LIMIT + _ADDED
