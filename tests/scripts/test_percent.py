"""A script in percent format: what it may say, what is wrong and where, and what editors see."""

from __future__ import annotations

import ast
import re
import sysconfig
from pathlib import Path
from typing import Any

import jupytext
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import PolytabError, ScriptError
from polytab.model import Cell
from polytab.scripts.canonical import canonical
from polytab.scripts.percent import ScriptParser, read_python
from tests.support.programs import programs
from tests.support.scripts import SHORT, complaint, everything, script

ROOT = Path(__file__).parents[2]
STDLIB = Path(sysconfig.get_path("stdlib"))
SCRIPTS = sorted(ROOT.glob("snippets/*/*.py"))


# Cells


def test_a_cell_has_a_label_a_line_the_text_people_wrote_and_the_code_that_runs(
    tmp_path: Path,
) -> None:
    first, second = script(
        tmp_path,
        "# Above the cells stand only comments.\n\n"
        "# %% net\n\n \nx = 1  # why\n\n \n"
        '# %% two-words raises="NameError" varies="the sizes" why="the file\'s length differs"\n'
        "# so\nprint(y)\n",
    ).cells()
    assert first == Cell("net", "x = 1  # why", "x = 1", 3)
    assert second == Cell(
        "two-words",
        "# so\nprint(y)",
        "print(y)",
        9,
        raises="NameError",
        varies="the sizes",
        why="the file's length differs",
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_make_no_difference(
    tmp_path: Path, end: str, mark: str
) -> None:
    text = "# %% a\nx = '''\n'''\n\n# %% b\ny = 2\n"
    plain = script(tmp_path, text).cells()
    assert script(tmp_path, mark + text.replace("\n", end)).cells() == plain


def test_what_only_looks_like_a_marker_begins_no_cell(tmp_path: Path) -> None:
    text = "# %% a\nx = '''\n# %% no\n'''\ny = 1  # %% no\n# % no\n# In [1] no\n#: %% no\n"
    assert [cell.label for cell in script(tmp_path, text).cells()] == ["a"]


def test_what_python_only_warns_of_is_nocomplaint(tmp_path: Path) -> None:
    assert script(tmp_path, '# %% a\nx = "\\d" if 1else 2\n').cells()


@pytest.mark.parametrize("label", ["a", "a1", "in-place-2", "x" * 64])
def test_a_label_is_lower_case_with_digits_and_hyphens(tmp_path: Path, label: str) -> None:
    [cell] = script(tmp_path, f"# %% {label}\nx = 1\n").cells()
    assert cell.label == label


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the script has no cells"),
        ("# only a comment\n", 1, "the script has no cells"),
        ("# %%\nx = 1\n", 1, "the cell has no label"),
        (f"{SHORT}# %%  \ny = 2\n", 3, "the cell has no label"),
        ("# %% Net\nx = 1\n", 1, "`Net` is no label"),
        ("# %% a--b\nx = 1\n", 1, "`a--b` is no label"),
        ("# %% 1a\nx = 1\n", 1, "`1a` is no label"),
        ("# %% é\nx = 1\n", 1, "`é` is no label"),
        (f"# %% {'x' * 65}\nx = 1\n", 1, f"`{'x' * 65}` is no label"),
        ("# %% [markdown]\n# Text\n", 1, "`[markdown]` is no label"),
        ("# %% a raises='X'\nx = 1\n", 1, "cannot read the options of `a`: raises='X'"),
        ("# %% a raises=X\nx = 1\n", 1, "cannot read the options of `a`: raises=X"),
        ('# %% a tags="x"\nx = 1\n', 1, 'cannot read the options of `a`: tags="x"'),
        ("# %% a and more\nx = 1\n", 1, "cannot read the options of `a`: and more"),
        (
            '# %% a raises="X" raises="Y"\nx = 1\n',
            1,
            'cannot read the options of `a`: raises="Y"',
        ),
        ('# %% a raises=""\nx = 1\n', 1, "`a` cannot raise ``"),
        ('# %% a raises="None"\nx = 1\n', 1, "`a` cannot raise `None`"),
        ('# %% a raises="a.B"\nx = 1\n', 1, "`a` cannot raise `a.B`"),
        ('# %% a varies="sizes"\nx = 1\n', 1, "`a` needs both `varies` and `why`"),
        ('# %% a why="so"\nx = 1\n', 1, "`a` needs both `varies` and `why`"),
        ('# %% a varies="" why=""\nx = 1\n', 1, "`a` needs both `varies` and `why`"),
        (f"{SHORT}\n# %% a\ny = 2\n", 4, "a cell `a` is already on line 1"),
        (f"{SHORT}# %% b\n# nothing\n", 3, "the cell `b` is empty"),
        (f"{SHORT}# %% b", 3, "the cell `b` is empty"),
        ("import os\n# %% a\nx = 1\n", 1, "there is code before the first cell"),
        ('# So.\n"""Text."""\n# %% a\nx = 1\n', 2, "there is code before the first cell"),
        ("@decorator\n# %% a\ndef f(): pass\n", 1, "there is code before the first cell"),
        (
            "# %% a\n\n\nif x:\n# %% b\n    y = 1\n",
            4,
            "the cell `a` does not parse on its own: expected an indented block",
        ),
        ("# %% a\nf(\n# %% b\n)\n", 2, "the cell `a` does not parse on its own: '(' was never"),
        ("# %% a\nx = 1\n    # %% b\ny = 2\n", 3, "editors begin a cell at `# %% b`"),
        ("# %% a\nx = 1\n#  %% b\ny = 2\n", 3, "editors begin a cell at `#  %% b`"),
        ("# %%net\nx = 1\n", 1, "editors begin a cell at `# %%net`"),
        ("# %%%% a\nx = 1\n", 1, "editors begin a cell at `# %%%% a`"),
        (f"{SHORT}# <codecell>\ny = 2\n", 3, "editors begin a cell at `# <codecell>`"),
        (f"{SHORT}# In[ ]:\ny = 2\n", 3, "editors begin a cell at `# In[ ]:`"),
    ],
)
def test_a_cell_that_is_not_as_it_must_be(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    error = complaint(tmp_path, text)
    assert error.message.startswith(message)
    assert error.line == line


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"# %% a\nx = '\xff'\n", 2, "the file is not UTF-8"),
        ("# %% a\nx = 1\n".encode("utf-16"), 1, "the file is not UTF-8"),
        (b"# %% a\nx = (1\n", 2, "'(' was never closed"),
        (b"# %% a\n!ls\n", 2, "invalid syntax"),
        (b"# %% a\n%time x\n", 2, "invalid syntax"),
        (b"# %% a\n  x = 1\n", 2, "unexpected indent"),
    ],
)
def test_a_file_that_is_no_python(tmp_path: Path, content: bytes, line: int, message: str) -> None:
    error = complaint(tmp_path, content)
    assert error.message.startswith(message)
    assert error.line == line


@pytest.mark.parametrize(
    "code", ["x = '\0'", "(" * 1000 + ")" * 1000, "-" * 100_000 + "1", "x" + ".a" * 100_000]
)
def test_python_that_the_parser_cannot_take(tmp_path: Path, code: str) -> None:
    assert complaint(tmp_path, f"# %% a\n{code}\n").message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be read: No such file or directory"):
        read_python(tmp_path / "torch.py")


# Laws

_FRAGMENTS = st.sampled_from(
    [
        *("# %% a\n", "# %% b", "#%% c\n", '# %% d raises="X"\n', "    # %% e\n", "# In[1]:\n"),
        *("# /// polytab\n", "# ///\n", "# gpus = 1\n", "# data = ['x']\n", "# x\n", "\n", "\r"),
        *("x = 1\n", "if x:\n", "    y\n", '"""', "'", "(", ")", "\\\n", "\f", "\0", "é", "\ufeff"),
    ]
)


@given(st.one_of(st.binary(), st.lists(_FRAGMENTS, max_size=12).map("".join)))
def test_whatever_a_file_holds_the_answer_is_cells_or_acomplaint(
    tmp_path_factory: pytest.TempPathFactory, content: str | bytes
) -> None:
    try:
        cells, _ = everything(script(tmp_path_factory.getbasetemp(), content))
    except PolytabError as error:
        assert error.message  # noqa: PT017  # either outcome is right, another exception is not
    else:
        assert cells
        assert all(cell.code == canonical(cell.text) != "" for cell in cells)


# The contract with jupytext, which is how editors read the format


def _jupytext(text: str, **options: bool) -> list[tuple[str, dict[str, Any], str]]:
    """Return the title, the options and the source of the cells that jupytext sees."""
    form = {"extension": ".py", "format_name": "percent", **options}
    cells = jupytext.reads(text, form).cells
    titled = [(dict(cell.metadata), cell) for cell in cells if "title" in cell.metadata]
    for meta, _ in titled:
        meta.pop("lines_to_next_cell", None)  # layout, for writing the file back
    return [(meta.pop("title"), meta, _trimmed(cell.source)) for meta, cell in titled]


def _trimmed(text: str) -> str:
    """Leave out the blank lines around a cell, of which jupytext keeps some."""
    return re.sub(r"\A\s*\n", "", text).rstrip()


def _ours(path: Path) -> list[tuple[str, dict[str, Any], str]]:
    cells = ScriptParser(path, read_python(path)).cells()
    options = ({"raises": cell.raises, "varies": cell.varies, "why": cell.why} for cell in cells)
    said = [{name: value for name, value in each.items() if value} for each in options]
    return [(cell.label, each, cell.text) for cell, each in zip(cells, said, strict=True)]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_jupytext_sees_the_same_cells_in_every_script(path: Path) -> None:
    assert _jupytext(path.read_text(encoding="utf-8"), comment_magics=False) == _ours(path)


@given(st.lists(programs(), min_size=1, max_size=3))
def test_jupytext_sees_the_same_cells_in_generated_scripts(
    tmp_path_factory: pytest.TempPathFactory, made: list[Any]
) -> None:
    parts = [f"# %% cell-{number}\n{each.commented}" for number, each in enumerate(made)]
    text = "# /// polytab\n# gpus = 1\n# ///\n\n" + "\n\n".join(parts) + "\n"
    text = text.replace("\f", "")  # which jupytext takes for the end of a line
    path = tmp_path_factory.getbasetemp() / "torch.py"
    path.write_text(text, encoding="utf-8", newline="")
    assert _jupytext(text, comment_magics=False) == _ours(path)


@pytest.mark.parametrize("comment", ["# cat the file", "# !rm x", "# %time x"])
def test_comments_that_look_like_commands_stay_comments(tmp_path: Path, comment: str) -> None:
    text = f"# %% a\n{comment}\nx = 1"
    [cell] = script(tmp_path, text).cells()
    assert (cell.text, cell.code) == (f"{comment}\nx = 1", "x = 1")
    assert _jupytext(text, comment_magics=False)[0][2] == cell.text
    # This is why the setting must be held down: without it the comment would be a command.
    assert _jupytext(text)[0][2] == f"{comment.removeprefix('# ')}\nx = 1"


@pytest.mark.parametrize("name", ["bisect", "textwrap", "sched", "quopri"])
def test_wherever_a_marker_is_put_its_cells_parse_on_their_own_or_it_is_a_complaint(
    tmp_path: Path, name: str
) -> None:
    lines = (STDLIB / f"{name}.py").read_text(encoding="utf-8").split("\n")
    whole = 0
    for at in range(0, len(lines), 7):
        above, below = "\n".join(lines[:at]), "\n".join(lines[at:])
        text = f"# %% a\nx = 1\n{above}\n# %% b\nx = 2\n{below}"
        try:
            reader = script(tmp_path, text)
        except ScriptError:
            continue  # the marker ends a block too early for all of Python
        if len(reader._starts) == 1:
            continue  # it stands in a string
        try:
            ast.parse(above)
            ast.parse(f"x = 2\n{below}")
        except SyntaxError:
            with pytest.raises(ScriptError, match="does not parse on its own"):
                reader.cells()
        else:
            whole += 1
            assert [cell.label for cell in reader.cells()] == ["a", "b"]
    assert whole
