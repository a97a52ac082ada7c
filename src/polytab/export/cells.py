"""The pieces of a page and its scripts -> the cells of a download, in the order they run.

Invariant, guarded by tests/export/test_cells.py: every cell of a script is there once, and the
cells of a script stand in the script's own order, whatever the page shows and how often.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from polytab.export.inline import code
from polytab.export.pieces import Call, Prose
from polytab.interface.messages import translate as _
from polytab.pages.code.outputs import safe_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from polytab.export.pieces import Piece
    from polytab.model import Recording, Script


@dataclass(frozen=True)
class TextCell:
    """Some paragraphs of Markdown."""

    text: str


@dataclass(frozen=True)
class CodeCell:
    """A cell of a script, its comments in the reader's language, and what was recorded."""

    framework: str
    label: str
    code: str
    raises: str | None = None
    outputs: tuple[Mapping[str, Any], ...] = ()
    folded: bool = False


ExportedCell = TextCell | CodeCell


@dataclass(frozen=True)
class TranslatedScript:
    """A script of the page; `texts` are its cells as the reader sees them, by label."""

    script: Script
    texts: Mapping[str, str]
    recording: Recording | None


def assemble(
    pieces: Sequence[Piece], sources: Mapping[str, TranslatedScript]
) -> list[ExportedCell]:
    """Put the cells where the page calls them, each script whole and in its order.

    Where the page calls cells in another order than their script runs them, as few as possible are
    moved, and their place says so.
    """
    scripts = {name: _remaining(name, source, pieces) for name, source in sources.items()}
    cells: list[ExportedCell] = []
    text: list[str] = []

    def end_text() -> None:
        if text:
            cells.append(TextCell("\n\n".join(text)))
            text.clear()

    for piece in pieces:
        if isinstance(piece, Prose):
            if piece.text.startswith("#"):
                end_text()
            text.append(piece.text)
            continue
        script = scripts.get(piece.framework)
        if script is None:
            continue
        if piece.label in script.in_place:
            end_text()
            cells += script.up_to(piece.label)
        elif piece.label not in script.said:
            said = _("The cell {label} runs at another place, as it does in its script.")
            text.append(f"*{said.format(label=code(piece.label))}*")
        if piece.label not in script.said:
            text += [f"*{each}*" for each in piece.notices]
        script.said.add(piece.label)
    end_text()
    return [*cells, *(cell for script in scripts.values() for cell in script.waiting)]


@dataclass
class _Remaining:
    """The cells of a script that are still to come; `in_place` are those the page calls in turn."""

    waiting: list[CodeCell]
    in_place: frozenset[str]
    said: set[str] = field(default_factory=set)

    def up_to(self, label: str) -> list[CodeCell]:
        """Take the cells up to this one, and those behind it that have no place of their own."""
        labels = [cell.label for cell in self.waiting]
        if label not in labels:
            return []
        end = labels.index(label) + 1
        while end < len(labels) and labels[end] not in self.in_place:
            end += 1
        reached, self.waiting = self.waiting[:end], self.waiting[end:]
        return reached


def _remaining(framework: str, source: TranslatedScript, pieces: Sequence[Piece]) -> _Remaining:
    labels = [cell.label for cell in source.script.cells]
    calls = [each for each in pieces if isinstance(each, Call) and each.framework == framework]
    asked = dict.fromkeys(labels.index(each.label) for each in calls)
    in_place = frozenset(labels[at] for at in rising(list(asked)))
    return _Remaining(list(_cells(source)), in_place)


def rising(numbers: Sequence[int]) -> list[int]:
    """Return the longest row of numbers that rise, as few as possible left out."""
    best: list[list[int]] = []
    for number in numbers:
        before = max((row for row in best if row[-1] < number), key=len, default=[])
        best.append([*before, number])
    return max(best, key=len, default=[])


def frameworks_in_order(cells: Sequence[ExportedCell]) -> list[str]:
    """Return the framework of each cell that runs, in order."""
    return [cell.framework for cell in cells if isinstance(cell, CodeCell)]


def _cells(source: TranslatedScript) -> Iterator[CodeCell]:
    for cell in source.script.cells:
        recorded = source.recording.cell(cell.label) if source.recording else None
        outputs = tuple(_outputs(recorded.outputs)) if recorded else ()
        framework = source.script.framework
        yield CodeCell(framework, cell.label, source.texts[cell.label], cell.raises, outputs)


def _outputs(outputs: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Keep of each output what pages show; of a measurement only its table."""
    for output in outputs:
        if "data" not in output:
            yield output
            continue
        data = safe_data(output["data"])
        if data:
            yield {**output, "data": data, "metadata": {}}
