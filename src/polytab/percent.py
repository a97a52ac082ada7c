"""One script in percent format -> its cells and its inline block, each complaint with its line.

The format is read with Python's own tokenizer, because cells need line numbers and a book of a
thousand scripts must be planned in a moment; tests/test_percent.py holds that jupytext, and so
every editor, sees the same cells (docs/contributing/decisions/0002-reading-scripts.md).
"""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from polytab.canonical import canonical, comments
from polytab.errors import ScriptError
from polytab.model import Cell, Needs, SideFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
OPTIONS = ("raises", "varies", "why")
_MARKER = re.compile(r"# ?%%(?P<rest>.*)")
_OPTION = re.compile(r'\s+(?P<name>[a-z]+)="(?P<value>[^"]*)"')
_BLOCK = re.compile(r"(?m)^# /// polytab$\n(?P<content>(?:^#(?:| .*)$\n)*?)^# ///$")


@dataclass(frozen=True)
class Reader:
    """Reads the parts of one script; each complaint gets its line."""

    path: Path
    lines: Sequence[str]

    def cells(self, text: str) -> tuple[Cell, ...]:
        """Read the cells, in order; their labels are unique."""
        starts = [
            (comment.line, match["rest"])
            for comment in comments(text)
            if comment.column == 0 and (match := _MARKER.fullmatch(comment.text))
        ]
        if not starts:
            raise self.error("the script has no cells", 1, "begin each cell with `# %% label`")
        self._only_comments(text, starts[0][0])
        ends = [line for line, _ in starts[1:]] + [len(self.lines) + 1]
        cells: dict[str, Cell] = {}
        for (line, rest), end in zip(starts, ends, strict=True):
            cell = self._cell(line, rest, "\n".join(self.lines[line : end - 1]).strip("\n"))
            if cell.label in cells:
                first = cells[cell.label].line
                message = f"a cell `{cell.label}` is already on line {first}"
                raise self.error(message, line, "labels are unique in a script")
            cells[cell.label] = cell
        return tuple(cells.values())

    def _cell(self, line: int, rest: str, text: str) -> Cell:
        label, _, written = rest.strip().partition(" ")
        if not LABEL.fullmatch(label):
            message = f"`{label}` is no label" if label else "the cell has no label"
            hint = "write `# %% label`: lower-case letters, digits and single hyphens"
            raise self.error(message, line, hint)
        options: dict[str, str] = {}
        position, written = 0, f" {written}".rstrip()
        while match := _OPTION.match(written, position):
            options[match["name"]] = match["value"]
            position = match.end()
        unknown = [name for name in options if name not in OPTIONS]
        if position != len(written) or unknown:
            message = f"cannot read the options of `{label}`: {written.strip()}"
            raise self.error(message, line, f'known options: {", ".join(OPTIONS)}, as name="…"')
        if ("varies" in options) != ("why" in options):
            hint = 'write `varies="which numbers" why="the reason"`'
            raise self.error(f"`{label}` needs both `varies` and `why`", line, hint)
        try:
            ast.parse(text)
        except SyntaxError as error:
            at = line + (error.lineno or 1)
            raise self.error(
                f"`{label}`: {error.msg}", at, "a cell must parse on its own"
            ) from None
        code = canonical(text)
        if not code:
            raise self.error(f"the cell `{label}` is empty", line, "give it code, or remove it")
        return Cell(label, text, code, line, **options)

    def _only_comments(self, text: str, first: int) -> None:
        """Check that nothing but comments stands before the first cell."""
        for node in ast.parse(text).body:
            if node.lineno < first:
                hint = "begin a cell above it with `# %% label`"
                raise self.error("there is code before the first cell", node.lineno, hint)

    def block_line(self, text: str) -> int | None:
        """Return the line the inline block begins on."""
        match = _BLOCK.search(text)
        return text.count("\n", 0, match.start()) + 1 if match else None

    def needs(self, text: str) -> Needs:
        """Read the inline block."""
        match = _BLOCK.search(text)
        line = self.block_line(text)
        if match is None or line is None:
            begun = next((n for n, each in enumerate(self.lines, 1) if "/// polytab" in each), None)
            if begun is not None:
                raise self.error("the inline block is not closed", begun, "end it with `# ///`")
            return Needs()
        content = "\n".join(each[2:] for each in match["content"].split("\n"))
        try:
            table = tomllib.loads(content)
        except tomllib.TOMLDecodeError as error:
            raise self.error(f"inline block: {error}", line, "write TOML behind `# `") from None
        return self._needs(table, line)

    def _needs(self, table: Mapping[str, Any], line: int) -> Needs:
        known: dict[str, type] = {"gpus": int, "timeout": int, "measures": bool, "data": list}
        for name, value in table.items():
            if name not in known:
                hint = f"known keys: {', '.join(known)}"
                raise self.error(f"unknown key `{name}` in the inline block", line, hint)
            if type(value) is not known[name] or (type(value) is int and value < 0):
                message = f"`{name}` in the inline block has a wrong value: {value!r}"
                raise self.error(message, line, f"it must be of type {known[name].__name__}")
        data = table.get("data", [])
        if not all(isinstance(name, str) for name in data):
            raise self.error("`data` in the inline block must list file names", line, "as text")
        return Needs(**{**table, "data": tuple(sorted(data))})

    def data_file(self, name: str, line: int | None) -> SideFile:
        """Read a data file, which must lie in or below the page's folder."""
        pure = PurePosixPath(name)
        if pure.is_absolute() or ".." in pure.parts:
            hint = "name a file in or below the script's own folder"
            raise self.error(f"`data` names `{name}`, outside the page's folder", line, hint)
        folder = self.path.parent.resolve()
        try:
            path = (folder / pure).resolve(strict=True)
            if not path.is_relative_to(folder):
                raise PermissionError(0, "a link leads out of the page's folder")
            content = path.read_bytes()
        except OSError as error:
            message = f"the data file `{name}` cannot be read: {error.strerror}"
            raise self.error(message, line, "add the file, or drop its name") from None
        return SideFile(name, content)

    def error(self, message: str, line: int | None, hint: str) -> ScriptError:
        """Place a complaint in this script."""
        return ScriptError(message, file=self.path, line=line, hint=hint)


def read_python(path: Path) -> str:
    """Return the text of a Python file that is UTF-8 and parses; every line ends alike."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        hint = "save the file as UTF-8"
        raise ScriptError("the file is not UTF-8", file=path, line=line, hint=hint) from None
    except OSError as error:
        msg = f"cannot be read: {error.strerror}"
        raise ScriptError(msg, file=path) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        ast.parse(text)
    except SyntaxError as error:
        hint = "mend the Python"
        raise ScriptError(error.msg, file=path, line=error.lineno, hint=hint) from None
    except (ValueError, RecursionError, MemoryError) as error:
        msg = f"Python cannot parse it: {error}"
        raise ScriptError(msg, file=path, hint="mend the Python") from None
    return text
