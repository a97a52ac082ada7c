"""Outputs of a run -> the form that is recorded: what cannot repeat, or is log noise, is removed.

Law, guarded by tests/recordings/test_normalise.py: normalising twice is normalising once, and text
that no rule names comes through unchanged. Each rule says what it is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Output = dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """A pattern, what stands in its place, and the reason; log lines stand only in streams."""

    pattern: re.Pattern[str]
    replacement: str
    reason: str
    log: bool = False


def _rule(pattern: str, replacement: str, reason: str) -> Rule:
    return Rule(re.compile(pattern, re.MULTILINE), replacement, reason)


def _log(pattern: str, reason: str) -> Rule:
    """Match a line that begins so; no rule may look at a text in more than linear time."""
    return Rule(re.compile(rf"^[ \t]*+(?:{pattern}).*\n?", re.MULTILINE), "", reason, log=True)


_GLOG = r"\d{4} \d\d:\d\d:\d+\.\d+ +\d+ \S+"
"""The head of a line in the glog family, between its letter and the number of the source line."""

_PATH = r"(?<![\w/.~-])/(?!/)[^\s\"'():,;<>\[\]]{0,200}?"
"""The beginning of an absolute path that is not part of an address or a relative one."""

_TERMINAL = (
    _rule(r"\x1b\[[0-?]*[ -/]*[@-~]", "", "terminal colours and cursor movements"),
    _rule(r"\r+(?=\n|\Z)", "", "a return at the end of a line, where nothing is overwritten"),
    _rule(r"^.*\r", "", "what a line overwrites, as progress bars do"),
    _rule("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", "half a character: no file can hold it"),
)

_LOGS = (
    _log(r"[^|\n]*\d%\|[^|\n]*\| .*\[\d+:\d\d[<:]", "a progress bar of tqdm"),
    _log(rf"[IWEF]{_GLOG}:\d+\] ", "the glog family, in which many libraries in C++ log"),
    _log(r"\[IPKernelApp\] ", "the kernel's own log"),
)

_NAMES = (
    _rule(rf"{_PATH}/site-packages/", "site-packages/", "where the packages lie"),
    _rule(rf"{_PATH}/(lib/python3\.\d+/)", r"\1", "where Python lies"),
    _rule(r"(?<= at )0x[0-9a-f]+(?=>|,|&gt;)", "0x…", "an object's address, as Python shows it"),
    _rule(
        r"\b0x0{0,4}(?:7[0-9a-f]|5[56])[0-9a-f]{10}\b|\b0x0{0,4}(?:aaaa|ffff)[0-9a-f]{8}\b",
        "0x…",
        "an address in the ranges of x86-64 and of 64-bit ARM",
    ),
    _rule(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?", "(date)", "a moment in time"),
)

RULES = (*_TERMINAL, *_LOGS, *_NAMES)
"""The rules for every book."""

_WARNED = re.compile(
    rf"^[WEF](?P<head>{_GLOG}\.py:\d+\]) (?:\[\S+\] )?(?P<said>\S.*)$", re.MULTILINE
)
"""A line in the log of Python code, with glog's head."""


@cache
def rules_with(log: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules, with those for lines that begin as a book says that its libraries log.

    They come before those that would change such a line.
    """
    own = (_log(each, "a log of a library of the book") for each in log)
    return (*_TERMINAL, *own, *_LOGS, *_NAMES)


_TEXT_TYPES = ("text/", "image/svg+xml", "application/json")


def normalise_text(
    text: str, places: Mapping[str, str], *, stream: bool = False, log: tuple[str, ...] = ()
) -> str:
    """Apply the rules until none changes anything: what one leaves may be another's work.

    `places` maps this run's own paths to what stands for them; `log` as in `rules_with`. This ends,
    because no rule makes a text longer and none makes work for itself.
    """
    before = None
    while text != before:
        before = text
        for path in sorted(places, key=len, reverse=True):
            text = text.replace(path, places[path])
        for rule in rules_with(log):
            if stream or not rule.log:
                text = rule.pattern.sub(rule.replacement, text)
    return text


def normalise_outputs(
    outputs: Iterable[Output], places: Mapping[str, str], log: tuple[str, ...] = ()
) -> tuple[Output, ...]:
    """Return the outputs of one cell in the one form that is recorded; `log` as in `rules_with`."""
    merged: list[Output] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            _append_stream(merged, output)
        elif kind == "error":
            merged.append(_error(output, places))
        else:
            merged.append(_display(output, places))
    kept: list[Output] = []
    for output in merged:
        if output["output_type"] == "stream":
            output["text"] = normalise_text(output["text"], places, stream=True, log=log)
            if not output["text"].strip():
                continue
        kept.append(output)
    return tuple(kept)


def warnings_of(outputs: Iterable[Output]) -> tuple[str, ...]:
    """Return what Python code of a framework warned of in its log, which no recording keeps.

    Of a message of several lines it is the first. What C++ warns of is about the machine.
    """
    texts = (each["text"] for each in outputs if each["output_type"] == "stream")
    found = (match for text in texts for match in _WARNED.finditer(text))
    first: dict[str, str] = {}
    for match in found:
        first.setdefault(match["head"], match["said"])
    return tuple(dict.fromkeys(first.values()))


def _append_stream(merged: list[Output], output: Output) -> None:
    """Join streams; between two displays stdout comes before stderr, whichever came first."""
    at = len(merged)
    while at and merged[at - 1]["output_type"] == "stream":
        at -= 1
        if merged[at]["name"] == output["name"]:
            merged[at]["text"] += output["text"]
            return
    new = {"output_type": "stream", "name": output["name"], "text": output["text"]}
    if output["name"] == "stdout":
        merged.insert(at, new)
    else:
        merged.append(new)


def _error(output: Output, places: Mapping[str, str]) -> Output:
    return {
        "output_type": "error",
        "ename": output["ename"],
        "evalue": normalise_text(output["evalue"], places),
        "traceback": normalise_text("\n".join(output["traceback"]), places)
        .rstrip("\n")
        .split("\n"),
    }


def _display(output: Output, places: Mapping[str, str]) -> Output:
    """Normalise what is text; leave images and data of other types as they are."""
    data = {
        kind: normalise_text(value, places)
        if isinstance(value, str) and kind.startswith(_TEXT_TYPES)
        else value
        for kind, value in output["data"].items()
    }
    new: Output = {"output_type": output["output_type"], "data": data, "metadata": {}}
    if output["output_type"] == "execute_result":
        new["execution_count"] = None
    return new
