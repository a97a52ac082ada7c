"""What a build says while it goes on: why pages are built, and how far it is."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console

from polytab.cli import build_progress as module
from polytab.cli.build_progress import BuildProgress
from polytab.pages.progress import PageRead, PagesChosen, PageWritten
from polytab.sphinx_process import Warned
from tests.support.handbook import record, write

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from polytab.settings import Settings
    from tests.cli.said import Said


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_an_edit_is_told_once_when_it_is_known_of_every_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = BuildProgress(["en", "zh"], Clock())
    progress.tell("en", PagesChosen({"docs/a.md changed": ("a",)}, 1))
    assert capsys.readouterr().out == ""
    shown = "what is shown of translations/zh_CN/LC_MESSAGES/b.po changed"
    progress.tell("zh", PagesChosen({"docs/a.md changed": ("a",), shown: ("b",)}, 2))
    assert capsys.readouterr().out.splitlines() == [
        "docs/a.md changed: a in en, zh",
        f"{shown}: b in zh",
    ]


def test_a_long_list_is_cut_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    progress = BuildProgress(["en"], Clock())
    pages = tuple(f"page-{number}" for number in range(5))
    why = {"snippets/own.py changed": pages} | {f"docs/{each}.md changed": ("a",) for each in pages}
    why |= {f"docs/more/{each}.md is new": ("b",) for each in pages}
    progress.tell("en", PagesChosen(why, 7))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "snippets/own.py changed: 5 pages in en"
    assert len(lines) == 9
    assert lines[-1] == "and 3 more"


def test_in_a_log_it_is_told_from_time_to_time_how_far_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    progress = BuildProgress(["en"], clock)
    progress.tell("en", PagesChosen({}, 30))
    for second in range(25):
        clock.seconds = second
        progress.tell("en", PageRead())
    progress.tell("en", PageWritten())
    clock.seconds = 60
    progress.tell("en", PageWritten())
    assert capsys.readouterr().out.splitlines() == [
        "en: 3 of 30 pages read",
        "en: 13 of 30 pages read",
        "en: 23 of 30 pages read",
        "en: 2 written",
    ]


def test_on_a_terminal_one_line_changes_and_nothing_is_left_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, clock = StringIO(), Clock()
    console = Console(file=screen, force_terminal=True, width=60, highlight=False)
    monkeypatch.setattr(module, "out", console)
    with BuildProgress(["en"], clock) as progress:
        progress.tell("en", PagesChosen({}, 2))
        progress.tell("en", PageRead())
        assert screen.getvalue() == ""  # it has not taken long
        clock.seconds = 3
        progress.tell("en", PageRead())
        assert "en: 2 of 2 pages read" in screen.getvalue()
        progress.tell("en", PageWritten())
        assert screen.getvalue().count("\n") == 0
    assert screen.getvalue().endswith("\x1b[2K")  # the line is gone


def test_what_sphinx_complains_of_goes_to_the_error_stream(
    capsys: pytest.CaptureFixture[str],
) -> None:
    BuildProgress(["en"], Clock()).tell("en", Warned("docs/a.md:3: WARNING: no\n"))
    assert capsys.readouterr() == ("", "docs/a.md:3: WARNING: no\n")


def test_a_build_says_what_was_edited_and_what_is_built_for_it(
    handbook: Settings, polytab: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    record(handbook)
    monkeypatch.chdir(handbook.root)
    first = polytab("site").out.splitlines()
    assert "there is no earlier build: end, index, tour in en" in first
    page = handbook.docs / "end.md"
    write(handbook.root, {"docs/end.md": page.read_text("utf-8") + "\nOnce more.\n"})
    lines = polytab("site").out.splitlines()
    assert "docs/end.md changed: end in en" in lines
    told = [line for line in lines if not line.startswith("note: ")]
    assert told[-1].startswith("en: 1 page read, 1 more written for what they show of others, ")
