"""Docstrings leave the code as messages and come back as docstrings, and nothing else changes."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.translations.comments import CommentError
from polytab.translations.docstrings import (
    extract_docstrings,
    same_but_docstrings,
    shows_docstrings,
    translate_cell,
    translate_docstrings,
)
from polytab.translations.templates import comment_templates
from tests.support.handbook import job

if TYPE_CHECKING:
    from polytab.settings import Settings

CELL = '''\
class Value:
    """A value that may not be there yet."""

    def get(self):
        """Wait until it is there.

        Whoever asks first
        waits longest.

        - one
        - two

        >>> Value().get()
        """
        return "no docstring"


def same(x):
    # Said.
    """Not the first statement, but a comment is none."""
'''


def messages(text: str) -> list[str]:
    return [message.text for message in extract_docstrings(text)]


def test_each_paragraph_of_prose_is_a_message() -> None:
    assert sorted(messages(CELL)) == [
        "A value that may not be there yet.",
        "Not the first statement, but a comment is none.",
        "Wait until it is there.",
        "Whoever asks first waits longest.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '"""Of the cell, which is no module."""\n',
        "def f():\n    'In other quotes.'\n",
        'def f():\n    r"""With a prefix."""\n',
        'def f():\n    """An escape: \\n."""\n',
        'def f():\n    """Two."""    """Strings."""\n',
        'def f():\n    """Before a statement."""; return 1\n',
        'def f(): """On one line."""\n',
        'def f():\n    x = """No docstring."""\n',
        'def f():\n    return 1\n    """Too late."""\n',
        'def f():\n    """42"""\n',
        'def f():\n    """\n      Indented more.\n    """\n',
    ],
)
def test_what_is_no_plain_docstring_is_no_message(text: str) -> None:
    assert messages(text) == []
    assert translate_docstrings(text, lambda _: "Sim.") == text


def test_translations_stand_where_the_docstrings_stood() -> None:
    sentences = {
        "A value that may not be there yet.": "一个可能尚未得到的值。",
        "Whoever asks first waits longest.": "Espera mais quem pede primeiro.",
    }
    result = CELL.replace("A value that may not be there yet.", "一个可能尚未得到的值。").replace(
        "Whoever asks first\n        waits longest.", "Espera mais quem pede primeiro."
    )
    assert translate_docstrings(CELL, sentences.get) == result


def test_a_long_translation_is_wrapped_and_its_quotes_close_below() -> None:
    text = 'def f():\n    """Said."""\n'
    long = "uma frase que é bem mais comprida em português do que era em inglês, como sempre"
    assert translate_docstrings(text, lambda _: long) == (
        'def f():\n    """uma frase que é bem mais comprida em português do que era em inglês,\n'
        '    como sempre\n    """\n'
    )


@pytest.mark.parametrize(
    "translation", ['Diz """não""".', 'Diz "não"', "Diz \\", "C:\\novo", '"', "\\N{BULLET}", "'''"]
)
def test_quotes_and_backslashes_are_text(translation: str) -> None:
    result = translate_docstrings('def f():\n    """Said."""\n', lambda _: translation)
    [function] = ast.parse(result).body
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function) == translation


@pytest.mark.parametrize("translation", ["Sim.\nimport os", "# %% rede", "Sim.\0", "# ///", "noqa"])
def test_a_hostile_translation_stops_the_build(translation: str) -> None:
    with pytest.raises(CommentError, match="a translated docstring holds"):
        translate_docstrings('def f():\n    """Said."""\n', lambda _: translation)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ('def f():\n    """Another."""\n    return 1\n', True),
        ('def f():\n    """Two\n    lines.\n    """\n    return 1  # more\n', True),
        ('def f():\n    """Another."""\n    return 2\n', False),
        ('def f():\n    """Another.""" + "x"\n    return 1\n', False),
        ("def f():\n    return 1\n", False),
        ('def f():\n    """Open\n    return 1\n', False),
    ],
)
def test_the_same_code_differs_in_docstrings_only(other: str, *, same: bool) -> None:
    assert same_but_docstrings('def f():\n    """Said."""\n    return 1\n', other) is same


def test_a_docstring_that_may_be_printed_stays(handbook: Settings) -> None:
    script = job(handbook).script
    first, *others = script.cells
    text = 'def f():\n    """Said."""\n'
    said = replace(first, text=text, code=text)
    quiet = replace(script, cells=(said, *others))
    assert not shows_docstrings(quiet)
    assert '"""Dito."""' in translate_cell(quiet, said, lambda _: "Dito.")
    for asks in ("help(f)", "help('f')", "print(f.__doc__)", "inspect.getsource(f)"):
        shows = replace(quiet, cells=(said, replace(first, text=asks, code=asks)))
        assert translate_cell(shows, said, lambda _: "Dito.") == text


def test_a_docstring_is_in_the_catalog_with_its_line(handbook: Settings) -> None:
    path = job(handbook).script.path
    before = path.read_text(encoding="utf-8")
    path.write_text(f'{before}\n# %% told\ndef f():\n    """Say so."""\n', encoding="utf-8")
    line = before.count("\n") + 4
    entries = {each.source: each for of in comment_templates(handbook) for each in of.entries}
    [location] = entries["Say so."].locations
    assert location.endswith(f"{path.name}:{line}")


BODIES = st.sampled_from(
    [
        'def f():\n    """Said."""\n    return 1\n',
        'def f():\n    """Said.\n\n    And more.\n    """\n',
        "class A:\n    '''Other quotes.'''\n",
        'async def g():\n    """\n    Said below.\n    """\n    x = """Said."""\n',
        "x = '''\n# Said.\n'''\n",
        'class B:\n    """Said."""\n\n    def h(self):\n        """Said in h."""  # Behind.\n',
    ]
)


@given(st.lists(BODIES, max_size=4).map("\n".join), st.data())
def test_code_never_changes(text: str, data: st.DataObject) -> None:
    said = {
        each: data.draw(st.text() | st.text("a 编译\"\\'#{}", max_size=120))
        for each in messages(text)
    }
    try:
        result = translate_docstrings(text, said.get)
    except CommentError:
        return
    assert same_but_docstrings(text, result)
    kept = [each for each in said.values() if each.strip()]
    shown = "".join(result.split())
    for each in kept:
        if not set(each) & set('"\\'):
            assert "".join(each.split()) in shown
