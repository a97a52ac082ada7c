"""What is printed is text: neither markup nor a command to the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from polytab.cli.console import complain, escape, list_findings, say
from polytab.errors import PolytabError
from polytab.model import Finding

HOSTILE = "a\x1b[2J\x1b]0;title\x07b\rc\u202ed\x9bm[bold]e[/]\x00 中文 é\n"


@pytest.mark.parametrize("spell", ["say", "complain", "list"])
def test_a_terminal_is_given_no_commands(spell: str, capfd: pytest.CaptureFixture[str]) -> None:
    if spell == "say":
        say(HOSTILE)
    elif spell == "complain":
        complain(PolytabError(HOSTILE, file=Path(HOSTILE), hint=HOSTILE))
    else:
        list_findings([Finding(Path("x"), 1, "rule", HOSTILE)])
    captured = capfd.readouterr()
    said = captured.out + captured.err
    assert not set(said) & {"\x1b", "\x07", "\r", "\u202e", "\x9b", "\x00"}
    assert r"a\u001b[2J\u001b]0;title\u0007b\u000dc\u202ed\u009bm[bold]e[/]\u0000 中文 é" in said


def test_words_between_our_own_markup_are_escaped_once() -> None:
    assert escape("[bold]\x1b") == r"\[bold]\u001b"
