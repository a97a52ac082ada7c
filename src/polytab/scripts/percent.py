"""One script in percent format -> its cells and its inline block, each complaint with its line.

Cells are cut at the comments that `canonical.scan` finds: they need line numbers, and a book of a
thousand scripts must be planned in a moment (docs/contributing/decisions/0002-reading-scripts.md).

Law, guarded by tests/scripts/test_percent.py: jupytext, and so every editor, sees the same cells.
"""

from __future__ import annotations

import ast
import keyword
import re
import tomllib
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from polytab.errors import ScriptError
from polytab.model import Cell, Needs
from polytab.scripts.canonical import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from polytab.scripts.canonical import Comment, Scan

LABEL = re.compile(r"(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""It becomes the identifier of a notebook's cell, which may have 64 characters."""

OPTIONS = ("raises", "varies", "why")
_MARKER = re.compile(r"# ?%%(?:\s+(?P<rest>.*))?")
_MARKER_LIKE = re.compile(r"#\s*(?:%%.*|(?:<codecell>|In\[[0-9 ]*\]:?)\s*)")
"""What editors take for the beginning of a cell."""
_BLANK = re.compile(r"\A\s*\n")
_OPTION = re.compile(r'\s+(?P<name>[a-z]+)="(?P<value>[^"]*)"')
_BLOCK = re.compile(r"# /// polytab\n(?P<content>(?:#(?: .*)?\n)*?)# ///(?:\n|$)")
_BLOCK_LIKE = re.compile(r"#\s*///\s*polytab\b.*")

_NEEDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "gpus": ("a whole number", lambda value: type(value) is int and value >= 0),
    "timeout": ("a whole number of seconds", lambda value: type(value) is int and value > 0),
    "measures": ("true or false", lambda value: isinstance(value, bool)),
    "network": ("true or false", lambda value: isinstance(value, bool)),
    "data": (
        "a list of file names",
        lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
    ),
}


@dataclass(frozen=True)
class ScriptParser:
    """The parts of one script; what is wrong with them is a ScriptError with its line."""

    path: Path
    text: str

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _scan(self) -> Scan:
        return scan(self.text)

    @cached_property
    def _own_lines(self) -> list[Comment]:
        """The comments that have a line for themselves."""
        return [
            comment
            for comment in self._scan.comments
            if not self._lines[comment.line - 1][: comment.column].strip()
        ]

    @cached_property
    def _starts(self) -> list[tuple[int, str]]:
        """The line of each cell marker, and what is written on it."""
        starts: list[tuple[int, str]] = []
        for comment in self._own_lines:
            if _MARKER_LIKE.fullmatch(comment.text):
                match = _MARKER.fullmatch(comment.text)
                if match is None or comment.column:
                    message = f"editors begin a cell at `{comment.text}`, polytab does not"
                    hint = "write `# %% label` at the beginning of the line, or another comment"
                    raise self.error(message, comment.line, hint)
                starts.append((comment.line, (match["rest"] or "").strip()))
        if not starts:
            raise self.error("the script has no cells", 1, "begin each cell with `# %% label`")
        return starts

    def cells(self) -> tuple[Cell, ...]:
        """Read the cells, in order; their labels are unique."""
        starts = self._starts
        for number, above in enumerate(self._lines[: starts[0][0] - 1], start=1):
            if above.strip() and not above.lstrip().startswith("#"):
                hint = "begin a cell above it with `# %% label`"
                raise self.error("there is code before the first cell", number, hint)
        ends = [line for line, _ in starts[1:]] + [len(self._lines) + 1]
        cells: dict[str, Cell] = {}
        for (line, written), end in zip(starts, ends, strict=True):
            cell = self._cell(line, written, end - 1)
            if cell.label in cells:
                first = cells[cell.label].line
                message = f"a cell `{cell.label}` is already on line {first}"
                raise self.error(message, line, "labels are unique in a script")
            cells[cell.label] = cell
        return tuple(cells.values())

    @cached_property
    def _torn(self) -> bool:
        """Whether a marker may stand within a statement, so that a cell does not parse alone."""
        starts = [line for line, _ in self._starts]
        if any(line.endswith("\\") for line in self._lines):
            return True
        spans = [(_first_line(node), node.end_lineno) for node in parse(self.text, self.path).body]
        at = 0
        for first, last in spans:
            while at < len(starts) and starts[at] <= first:
                at += 1
            if at < len(starts) and last is not None and starts[at] < last:
                return True
        return False

    def _cell(self, line: int, written: str, last: int) -> Cell:
        label, _, rest = written.partition(" ")
        if not LABEL.fullmatch(label):
            message = f"`{label}` is no label" if label else "the cell has no label"
            hint = "write `# %% label`: lower-case letters, digits and single hyphens"
            raise self.error(message, line, hint)
        options = self._options(label, f" {rest}".rstrip(), line)
        text = "\n".join(self._lines[line:last])
        try:
            if self._torn:
                parse(text, self.path, line)
        except ScriptError as error:
            message = f"the cell `{label}` does not parse on its own: {error.message}"
            raise self.error(message, error.line, "a cell holds whole statements") from None
        code = self._scan.canonical(line + 1, last)
        if not code:
            raise self.error(f"the cell `{label}` is empty", line, "give it code, or remove it")
        return Cell(label, _BLANK.sub("", text).rstrip(), code, line, **options)

    def _options(self, label: str, written: str, line: int) -> dict[str, str]:
        options: dict[str, str] = {}
        position = 0
        while match := _OPTION.match(written, position):
            if match["name"] not in OPTIONS or match["name"] in options:
                break
            options[match["name"]] = match["value"]
            position = match.end()
        if position != len(written):
            message = f"cannot read the options of `{label}`: {written[position:].strip()}"
            hint = f'known options, each once: {", ".join(OPTIONS)}, as name="…"'
            raise self.error(message, line, hint)
        raises = options.get("raises", "Exception")
        if not raises.isidentifier() or keyword.iskeyword(raises):
            message = f"`{label}` cannot raise `{raises}`"
            raise self.error(message, line, 'write its name alone, such as raises="KeyError"')
        if bool(options.get("varies")) != bool(options.get("why")) or "" in options.values():
            hint = 'write `varies="which numbers" why="the reason"`'
            raise self.error(f"`{label}` needs both `varies` and `why`", line, hint)
        return options

    @cached_property
    def block_line(self) -> int | None:
        """The line the inline block begins on."""
        begun = [each.line for each in self._own_lines if _BLOCK_LIKE.fullmatch(each.text)]
        if len(begun) > 1:
            raise self.error("there is a second inline block", begun[1], "keep one of the two")
        if begun and begun[0] > self._starts[0][0]:
            hint = "it stands above the first cell"
            raise self.error("the inline block stands in a cell", begun[0], hint)
        return begun[0] if begun else None

    def needs(self) -> Needs:
        """Read the inline block."""
        line = self.block_line
        if line is None:
            return Needs()
        match = _BLOCK.match("\n".join(self._lines[line - 1 :]))
        if match is None:
            hint = "begin it with `# /// polytab`, each line with `# `, and end it with `# ///`"
            raise self.error("the inline block cannot be read to its end", line, hint)
        content = "\n".join(each[2:] for each in match["content"].split("\n"))
        try:
            table = tomllib.loads(content)
        except (ValueError, RecursionError) as error:
            at = re.search(r" \(at line (\d+).*", str(error))
            said = str(error)[: at.start()] if at else str(error)
            line += int(at[1]) if at else 0
            raise self.error(f"inline block: {said}", line, "write TOML behind `# `") from None
        below = content.split("\n")
        for name, value in table.items():
            starts = [each.lstrip().startswith(name) for each in below]
            at_line = line + 1 + starts.index(True) if any(starts) else line
            if name not in _NEEDS:
                hint = f"known keys: {', '.join(_NEEDS)}"
                raise self.error(f"unknown key `{name}` in the inline block", at_line, hint)
            kind, fits = _NEEDS[name]
            if not fits(value):
                message = f"`{name}` in the inline block cannot be {value!r}"
                raise self.error(message, at_line, f"write {kind}")
        return Needs(**{**table, "data": tuple(sorted(set(table.get("data", []))))})

    def error(self, message: str, line: int | None, hint: str) -> ScriptError:
        """Place a complaint in this script."""
        return ScriptError(message, file=self.path, line=line, hint=hint)


def read_python(path: Path) -> str:
    """Return the text of a Python file that is UTF-8 and parses; every line ends alike."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        hint = "save the file as UTF-8"
        raise ScriptError("the file is not UTF-8", file=path, line=line, hint=hint) from None
    except OSError as error:
        msg = f"cannot be read: {error.strerror}"
        raise ScriptError(msg, file=path) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parse(text, path)
    return text


@lru_cache(maxsize=64)
def _tree(text: str) -> ast.Module:
    """Parse a text once, though several ask, as the scripts of a kit do; its tree is only read."""
    return ast.parse(text)


def _first_line(node: ast.stmt) -> int:
    """Return the line a statement begins on, its decorators with it."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, *(each.lineno for each in decorators), node.lineno)


def parse(text: str, path: Path, above: int = 0) -> ast.Module:
    """Parse Python that stands below `above` lines of a file."""
    hint = "mend the Python"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python only warns of is for a linter to say
            return _tree(text)
    except SyntaxError as error:
        line = above + error.lineno if error.lineno else None
        raise ScriptError(error.msg, file=path, line=line, hint=hint) from None
    except (ValueError, RecursionError, MemoryError) as error:
        msg = f"Python cannot parse it: {error}"
        raise ScriptError(msg, file=path, hint=hint) from None
