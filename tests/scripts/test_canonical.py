"""Canonical code is the code itself: no comment, no blank line, and not a letter changed."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given

from polytab.scripts.canonical import Comment, _scan_by_tokens, canonical, comments, scan
from tests.support.programs import Program, programs

ROOT = Path(__file__).parents[2]
STDLIB = Path(sysconfig.get_path("stdlib"))
REAL = (
    *sorted(ROOT.glob("snippets/**/*.py")),
    *sorted(ROOT.glob("src/polytab/**/*.py")),
    *(STDLIB / f"{name}.py" for name in ("argparse", "enum", "inspect", "textwrap", "tokenize")),
)


def _tree(text: str) -> str:
    return ast.dump(ast.parse(text))


@given(programs())
def test_the_syntax_tree_does_not_change(program: Program) -> None:
    assert _tree(canonical(program.commented)) == _tree(program.plain)
    assert _tree(program.commented) == _tree(program.plain)  # the generator keeps its word


@given(programs())
def test_comments_and_blank_lines_leave_no_trace(program: Program) -> None:
    assert canonical(program.commented) == program.plain


@given(programs())
def test_every_comment_is_found_where_it_stands(program: Program) -> None:
    found = comments(program.commented)
    assert tuple(comment.text for comment in found) == program.comments
    lines = program.commented.split("\n")
    for comment in found:
        assert lines[comment.line - 1][comment.column :] == comment.text


@given(programs())
def test_canonical_code_has_no_comment_and_is_its_own_canonical_code(program: Program) -> None:
    code = canonical(program.commented)
    assert comments(code) == ()
    assert canonical(code) == code


@given(programs())
def test_what_finds_comments_finds_those_of_the_tokenizer(program: Program) -> None:
    assert scan(program.commented) == _scan_by_tokens(program.commented)


@pytest.mark.parametrize("letter", "abcdefghijklmnopqrstuvwxyz_")
def test_what_finds_comments_agrees_with_the_tokenizer_on_the_standard_library(letter: str) -> None:
    for path in sorted(STDLIB.glob(f"{letter}*.py")):
        text = path.read_bytes().decode("utf-8", errors="ignore").replace("\r\n", "\n")
        assert scan(text) == _scan_by_tokens(text), path


@pytest.mark.parametrize(
    "line",
    [
        'x = f"{{ # no" # yes',
        'x = f"{y:{z}}" # yes',
        'x = f"}}{{{y}" # yes',
        "x = f\"{y['}']} {y['#']}\" # yes",
        r'x = rf"\\{y}\\" # yes',
        'x = 1 if"{"else"#" # yes',
        'x = """#""" "#" \'#\' # yes',
        'x = f"""{\ny} # no""" # yes',
        'x = "\\\n# no" # yes',
        r'x = b"\\" # yes',
    ],
)
def test_a_string_hides_what_looks_like_a_comment(line: str) -> None:
    _tree(line)  # it is Python
    assert [comment.text for comment in comments(line)] == ["# yes"]
    assert scan(line) == _scan_by_tokens(line)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_the_laws_hold_for_programs_that_people_wrote(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = canonical(text)
    assert _tree(code) == _tree(text)
    assert comments(code) == ()
    assert canonical(code) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# !rm x\n# cat y\nx = 1", "x = 1"),
        ("x = 1  # why\n\n\ny = 2\n", "x = 1\ny = 2"),
        ("x = '#'  # '#'", "x = '#'"),
        ("f(1,  # one\n  # two\n  2)", "f(1,\n  2)"),
        ('"""a\n\n# data  \n"""  # no data', '"""a\n\n# data  \n"""'),
        ('f"""{x}\n\n# data"""  # no data', 'f"""{x}\n\n# data"""'),
        ("x = 1 \\\n  + 2", "x = 1 \\\n  + 2"),
        ("def f():\n    # why\n    return 1\n\n# after\n", "def f():\n    return 1"),
        ("x = 1  \n", "x = 1"),
        ("# -*- coding: latin-1 -*-\nx = 'é'  # é", "x = 'é'"),
        ("# nothing\n\n", ""),
        ("", ""),
    ],
)
def test_canonical_code_by_example(text: str, code: str) -> None:
    assert canonical(text) == code


@pytest.mark.parametrize(
    "text", ["x = 1 \\\n", "x = 1 \\\n\n", "x = 1 \\\n# why", "x = 1 \\\n\\\n\n", "x = 1 \\\n\f\n"]
)
def test_a_continuation_of_nothing_ends_with_its_statement(text: str) -> None:
    following = f"{text}\ny = 2"
    assert _tree(canonical(following)) == _tree(following) == _tree("x = 1\ny = 2")
    assert canonical(f"{text}\n\n") == "x = 1"


def test_a_comment_knows_its_place_in_characters() -> None:
    assert comments("é = '🙂'  # why\n    # so") == (Comment(1, 9, "# why"), Comment(2, 4, "# so"))
