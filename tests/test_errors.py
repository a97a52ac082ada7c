"""A complaint is one message with its place and what to do; a kind tells the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polytab import errors
from polytab.errors import PolytabError, UsageError, command, one_line, visible

KINDS = [each for each in vars(errors).values() if isinstance(each, type)]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PolytabError("it broke"), "it broke"),
        (PolytabError("it broke", file=Path("a.py")), "a.py: it broke"),
        (PolytabError("it broke", file=Path("a.py"), line=3), "a.py:3: it broke"),
        (PolytabError("it broke", hint="mend it"), "it broke\n  mend it"),
        (
            PolytabError("it broke", file=Path("a.py"), line=3, hint="mend it"),
            "a.py:3: it broke\n  mend it",
        ),
    ],
)
def test_a_complaint_as_a_terminal_shows_it(error: PolytabError, text: str) -> None:
    assert str(error) == text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_has_the_one_base_and_an_exit_code(kind: type[PolytabError]) -> None:
    assert issubclass(kind, PolytabError)
    assert kind.exit_code == (2 if kind is UsageError else 1)


def test_a_hint_names_the_command_that_a_person_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOX_CURRENT_SESSION", raising=False)
    assert command("record", "tour", "torch") == "`polytab record tour torch`"
    monkeypatch.setenv("NOX_CURRENT_SESSION", "build")
    assert command("record", "tour", "torch") == "`nox -s record -- tour torch`"
    assert command("translate") == "`nox -s translate`"


@given(st.text(st.characters() | st.sampled_from(":#[ \n\t\x1b\udcff")))
@example("ok\n \t::error file=a::no")
@example("x##[error]no")
@example(":::")
@example("###[")
def test_nothing_that_is_quoted_is_obeyed(text: str) -> None:
    shown = visible(text)
    assert "##[" not in shown
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert all(each.isprintable() or each in "\n\t" for each in shown)
    assert one_line(text).isprintable()
    assert visible(shown) == shown


@given(st.text("abc é中🙂`'\"<>[]()%/.-_"))
def test_ordinary_words_are_quoted_as_they_are(text: str) -> None:
    assert visible(text) == one_line(text) == text


def test_a_place_is_one_line() -> None:
    error = PolytabError("no", file=Path("a\n::error::b\udcff"), line=3)
    assert str(error) == r"a\u000a::error::b\udcff:3: no"
