"""Wrong words and broken files: one complaint with its place, the right exit code, no traceback."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.handbook import record, write
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.settings import Settings
    from tests.cli.said import Said

# Wrong usage.


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["plan", "nowhere"], "`nowhere` is neither a page with snippets nor a framework"),
        (["plan", "tour/python"], "of one page and one framework, write both: tour python"),
        (["record", "tour", "tensorflow"], "`tensorflow` is neither a page"),
        (["verify", "end", "torch"], "end: no script for torch"),
        (["site", "xx"], "unknown language `xx`"),
        (["live", "xx"], "unknown language `xx`"),
        (["plan", "--overlay"], "unrecognized arguments: --overlay"),
        (["fly"], "invalid choice: 'fly'"),
        ([], "required"),
    ],
)
def test_a_word_that_names_nothing_is_wrong_usage(
    polytab: Callable[..., Said], words: list[str], complaint: str
) -> None:
    said = polytab(*words)
    assert said.code == 2
    assert complaint in said.err


def test_a_complaint_about_a_name_lists_the_names_there_are(polytab: Callable[..., Said]) -> None:
    said = polytab("plan", "nowhere")
    assert "pages: end, tour; frameworks: python, torch, mxnet" in said.err


def test_outside_a_handbook_nothing_works(
    polytab: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    said = polytab("plan")
    assert said.code == 1
    assert "there is no pyproject.toml here" in said.err


# Anything may be broken: each verb says so, and where.

BROKEN: dict[str, bytes] = {
    "pyproject.toml": b"[tool.polytab\n",
    "snippets/tour/torch.py": b"# %% add\nx = (\n",
    "snippets/tour/mxnet.py": b"# %% add\nx = '\xff'\n",
    "snippets/tour/python.py": b"# %% plain\nx = 1\n\n# %% plain\nx = 2\n",
    "snippets/tour/jax.py": b"# %% add\nx = 1\n",
    "snippets/end/python.py": b"# %% last\nimport measure\n",
    "environments/torch.txt": b"# python: 3.11\ntorch>=2\n",
    "environments/mxnet.txt": b"\xff\xfe",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("verb", ["plan", "record", "verify", "check"])
@pytest.mark.usefixtures("kernels")
def test_a_broken_file_is_one_complaint_with_its_place(
    handbook: Settings, polytab: Callable[..., Said], verb: str, name: str
) -> None:
    write(handbook.root, {"snippets/measure.py": "pass\n"})
    (handbook.root / name).write_bytes(BROKEN[name])
    said = polytab(verb)
    assert said.code == 1
    assert said.err.count("error: ") == 1
    assert said.err.startswith("error: ")
    assert re.search(rf"{re.escape(str(handbook.root / name))}(:\d+)?: \S", said.err)


@pytest.mark.parametrize("name", ["recordings/tour/torch.cpu.ipynb", "snippets/empty/notes.txt"])
@pytest.mark.parametrize("verb", ["plan", "record", "verify", "check"])
@pytest.mark.usefixtures("kernels")
def test_a_damaged_recording_and_a_page_without_scripts_break_no_verb(
    handbook: Settings, polytab: Callable[..., Said], verb: str, name: str
) -> None:
    record(handbook)
    write(handbook.root, {name: "damaged"})
    assert polytab(verb).code in {0, 1}


@pytest.mark.parametrize("verb", ["plan", "record", "verify", "check"])
@pytest.mark.usefixtures("kernels")
def test_a_page_that_is_not_text_is_told(
    handbook: Settings, polytab: Callable[..., Said], verb: str
) -> None:
    record(handbook)
    (handbook.docs / "tour.md").write_bytes(b"\xff\xfe")
    said = polytab(verb)
    assert said.code == (1 if verb == "check" else 0)
    assert ("tour.md" in said.out + said.err) == (verb == "check")


# The system may refuse; and who calls us keeps what it had set.


def test_what_the_system_refuses_is_one_complaint_with_its_path(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    settings = with_languages(handbook)
    settings.translations.symlink_to("nowhere")
    said = polytab("translate")
    assert said.code == 1
    file = re.escape(str(settings.translations))
    assert re.fullmatch(rf"error: {file}\S*: \S[^\n]*\n", said.err)


@pytest.mark.parametrize("words", [["plan"], ["plan", "nowhere"], ["--help"]])
def test_signals_are_heard_by_whom_they_were_before(
    polytab: Callable[..., Said], words: list[str]
) -> None:
    def own(*_: object) -> None: ...

    wanted: dict[signal.Signals, Any] = {signal.SIGINT: own, signal.SIGTERM: signal.SIG_IGN}
    found = {number: signal.getsignal(number) for number in wanted}
    try:
        for number, handler in wanted.items():
            signal.signal(number, handler)
        polytab(*words)
        assert {number: signal.getsignal(number) for number in wanted} == wanted
    finally:
        for number, before in found.items():
            signal.signal(number, before)
