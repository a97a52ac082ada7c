"""Cells -> a notebook: the same bytes for the same cells."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from polytab.export.cells import CodeCell
from polytab.export.figures import define_pictures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from polytab.export.cells import ExportedCell

_ID = 64
"""Characters a cell's id may have."""


def notebook(
    cells: Iterable[ExportedCell],
    python: str,
    about: Mapping[str, Any],
    pictures: Mapping[str, str],
) -> str:
    """Write a notebook for this version of Python; `about` says what it was made from.

    `pictures` are those that its text names, as addresses.
    """
    used: set[str] = set()
    made = new_notebook(
        cells=[_cell(each, used, pictures) for each in cells],
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {
                "name": "python",
                "version": python,
                "mimetype": "text/x-python",
                "file_extension": ".py",
                "pygments_lexer": "ipython3",
            },
            "polytab": dict(about),
        },
    )
    made.nbformat_minor = 5
    nbformat.validate(made)
    return str(nbformat.writes(made, ensure_ascii=False, sort_keys=True)) + "\n"


def _cell(cell: ExportedCell, used: set[str], pictures: Mapping[str, str]) -> nbformat.NotebookNode:
    if not isinstance(cell, CodeCell):
        text = define_pictures(cell.text, pictures)
        return new_markdown_cell(text, id=_free("text", used))
    about: dict[str, Any] = {"tags": ["raises-exception"]} if cell.raises else {}
    if cell.folded:
        about["jupyter"] = {"source_hidden": True}
    outputs = [nbformat.from_dict(_complete(each)) for each in cell.outputs]
    return new_code_cell(cell.code, id=_free(cell.label, used), outputs=outputs, metadata=about)


def _complete(output: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an output as the format wants it: a result with an execution count, here none."""
    if output["output_type"] == "execute_result":
        return {**output, "execution_count": None}
    return output


def _free(name: str, used: set[str]) -> str:
    """Return an id that no cell before has."""
    for number in count(1):
        tail = f"-{number}" if number > 1 else ""
        if (free := name[: _ID - len(tail)] + tail) not in used:
            used.add(free)
            return free
    raise AssertionError
