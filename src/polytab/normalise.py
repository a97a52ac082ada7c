"""Make the outputs of a run repeatable: what cannot repeat, or is log noise, is taken out.

Law, guarded by tests/test_normalise.py: normalising twice is normalising once, and text that no
rule names comes through unchanged. Each rule says what it is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Output = dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """A pattern, what stands in its place, and the reason."""

    pattern: re.Pattern[str]
    replacement: str
    reason: str


def _rule(pattern: str, replacement: str, reason: str) -> Rule:
    return Rule(re.compile(pattern, re.MULTILINE), replacement, reason)


def _noise(pattern: str, reason: str) -> Rule:
    return _rule(rf"^[^\n\S]*(?:{pattern}).*\n?", "", reason)


def _warning(text: str, reason: str) -> Rule:
    """Match a warning of the `warnings` module and the line of source it shows."""
    return _rule(rf"^\S+:\d+: \w+Warning: {text}.*\n(?:  .*\n)?", "", reason)


RULES = (
    _rule(r"\x1b\[[0-9;?]*[A-Za-z]", "", "terminal colours and cursor movements"),
    _rule(r"^.*\r(?!\n)", "", "a line that was overwritten, as progress bars do"),
    _noise(r"\d+%\|", "a progress bar of tqdm"),
    _noise(r"[IWEF]\d{4} \d\d:\d\d:\d\d", "a line of the glog family: Paddle, PyTorch"),
    _noise(r"[IWEF]0000 00:00:\d+\.\d+", "absl in C++ before it is initialised: TensorFlow"),
    _noise(r"WARNING: All log messages before absl::InitializeLog", "absl in C++: TensorFlow"),
    _noise(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWEF] ", "TensorFlow's C++ log"),
    _noise(r"To enable the following instructions: ", "the second line of a TensorFlow notice"),
    _noise(r"INFO:tensorflow:", "TensorFlow's Python log"),
    _noise(r"\[\d\d:\d\d:\d\d\] \S*src/", "MXNet's C++ log"),
    _noise(r"\[IPKernelApp\] ", "the kernel's own log"),
    _noise(r"WARNING: OMP_NUM_THREADS set to|PLEASE USE OMP_NUM_THREADS", "Paddle, of our threads"),
    _warning("Tensor do not have 'place' interface", "Paddle, of its own code"),
    _warning(r"`isinstance\(treespec, LeafSpec\)`", "PyTorch, of its own code"),
    _warning("No ccache found", "Paddle, of the machine"),
    _rule(r"(?<![\w/])/\S*?/site-packages/", "site-packages/", "where the packages lie"),
    _rule(r"(?<![\w/])/\S*?/(lib/python3\.\d+/)", r"\1", "where Python lies"),
    _rule(r"\b0x[0-9a-f]{9,16}\b", "0x…", "a memory address"),
    _rule(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?", "(date)", "a moment in time"),
)

_TEXT_TYPES = ("text/", "image/svg+xml", "application/json")
_FRAME = re.compile(r'^  File "(?P<file>.*)", line \d+', re.MULTILINE)


def normalise_text(text: str, places: Mapping[str, str]) -> str:
    """Apply every rule; `places` maps this run's own paths to what stands for them."""
    for path in sorted(places, key=len, reverse=True):
        text = text.replace(path, places[path])
    for rule in RULES:
        text = rule.pattern.sub(rule.replacement, text)
    return text


def normalise_outputs(outputs: Iterable[Output], places: Mapping[str, str]) -> tuple[Output, ...]:
    """Return the outputs of one cell in the one form that is recorded."""
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
            output["text"] = normalise_text(output["text"], places)
            if not output["text"].strip():
                continue
        kept.append(output)
    return tuple(kept)


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
    """Keep the frames that lie in the page's cells: those inside a framework teach nothing here."""
    text = normalise_text("\n".join(output["traceback"]), places)
    starts = [match.start() for match in _FRAME.finditer(text)]
    if starts:
        last = re.compile(r"^\S", re.MULTILINE).search(text, starts[-1])
        end = last.start() if last else len(text)
        frames = [text[a:b] for a, b in zip(starts, [*starts[1:], end], strict=True)]
        own = [frame for frame in frames if frame.startswith('  File "cell ')]
        text = text[: starts[0]] + "".join(own) + text[end:]
    return {
        "output_type": "error",
        "ename": output["ename"],
        "evalue": normalise_text(output["evalue"], places),
        "traceback": text.rstrip("\n").split("\n"),
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
