"""A script that fails, never ends or prints too much leaves one error and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import nbformat
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polytab.errors import RunError
from polytab.recordings.limits import OUTPUT_LIMIT
from polytab.runner.kernel import client, scratch
from polytab.runner.kernel.client import Client
from polytab.runner.kernel.run import run
from tests.support.handbook import job, write
from tests.support.sealed import HERE
from tests.support.traces import alive, eventually

if TYPE_CHECKING:
    from polytab.model import RecordedCell, Recording
    from polytab.settings import Settings


def _run(settings: Settings, text: str) -> Recording:
    write(settings.root, {"snippets/tour/torch.py": text})
    return run(job(settings), HERE, lambda _: None)


def _fails(settings: Settings, text: str) -> RunError:
    with pytest.raises(RunError) as caught:
        _run(settings, text)
    assert caught.value.file == settings.snippets / "tour" / "torch.py"
    assert caught.value.hint
    return caught.value


def _cells(*codes: str, header: str = "") -> str:
    """Spell a script whose first cell is harmless and whose others are called `bad`, `bad-2`."""
    labels = ["bad", *(f"bad-{number}" for number in range(2, len(codes) + 1))]
    bodies = [f"# %% {label}{code}" for label, code in zip(labels, codes, strict=False)]
    return "\n\n".join([f"{header}# %% good\nimport os, signal, time", *bodies]) + "\n"


def _printed(cell: RecordedCell) -> str:
    return "".join(each["text"] for each in cell.outputs if each.get("name") == "stdout")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("\n1 / 0", "raised ZeroDivisionError:"),
        (' raises="KeyError"\n1 / 0', "raised ZeroDivisionError:"),
        (' raises="KeyError"\nx = 1', "should raise KeyError but did not"),
        ("\nos._exit(3)", "ended the kernel (exit status 3)"),
        ("\nos.kill(os.getpid(), signal.SIGKILL)", "ended the kernel (killed by SIGKILL)"),
    ],
)
@pytest.mark.usefixtures("watched")
def test_a_script_that_fails_is_one_error_at_its_cell(
    handbook: Settings, code: str, words: str
) -> None:
    error = _fails(handbook, _cells(code))
    assert error.message.startswith(f"tour/torch: cell `bad` {words}")
    assert error.line == (5 if words.startswith("raised Z") else 4)


@pytest.mark.usefixtures("watched")
def test_an_error_says_how_to_mark_a_cell_that_must_fail(handbook: Settings) -> None:
    error = _fails(handbook, _cells("\n{}[1]"))
    assert 'File "cell bad", line 1, in <module>' in error.message
    assert error.hint == 'mend it, or write `# %% bad raises="KeyError"` if it must fail'


DEADLOCK = """\
import ctypes
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.fork()
ctypes.PyDLL(None).pause()  # and Python's own lock is held, so that nothing else can run
"""


@pytest.mark.parametrize(
    "code", ["time.sleep(1000)", 'while True:\n    print("again" * 50)', DEADLOCK]
)
@pytest.mark.usefixtures("watched")
def test_a_script_that_outlives_its_timeout_is_ended(handbook: Settings, code: str) -> None:
    header = "# /// polytab\n# timeout = 2\n# ///\n"
    error = _fails(handbook, _cells(f"\n{code}", header=header))
    assert error.message == "tour/torch: cell `bad` did not end within 2 seconds"
    assert error.line == 7


@pytest.mark.usefixtures("watched")
def test_endless_output_is_cut_and_marked_cell_by_cell(handbook: Settings) -> None:
    mark = f"[cut here: more than {OUTPUT_LIMIT:,} characters]"
    printing = '\nfor number in range(9_000):\n    print("x" * 99)'
    made = _run(handbook, _cells(printing, f'\n"y" * {2 * OUTPUT_LIMIT}', '\nprint("short")'))
    [stream] = made.cells[1].outputs
    [value] = made.cells[2].outputs
    assert stream["text"].rstrip().endswith(mark)
    assert OUTPUT_LIMIT < len(stream["text"]) < OUTPUT_LIMIT + 100
    assert value["data"]["text/plain"].rstrip().endswith(mark)
    assert _printed(made.cells[3]) == "short\n"


LIMIT = 10
CLIENT = Client(nbformat.v4.new_notebook())


@given(st.lists(st.text(max_size=2 * LIMIT)))
@example(["x" * LIMIT, "y"])
def test_the_kept_pieces_put_together_are_the_beginning_of_the_output(pieces: list[str]) -> None:
    with patch.object(client, "OUTPUT_LIMIT", LIMIT), patch.object(CLIENT, "printed", 0):
        kept = "".join(CLIENT._cut(piece) for piece in pieces)
    whole = "".join(pieces)
    mark = f"\n[cut here: more than {LIMIT} characters]\n"
    assert kept == (whole if len(whole) <= LIMIT else whole[:LIMIT] + mark)


CHILDREN = """
import subprocess, sys
near = subprocess.Popen(["sleep", "1000"]).pid
far = subprocess.Popen(["sleep", "1000"], start_new_session=True).pid
bare = subprocess.Popen(["sleep", "1000"], start_new_session=True, env={}).pid
fork = os.fork()
if not fork:
    time.sleep(1000)
print(os.getpid(), near, far, bare, fork)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the processes in /proc")
@pytest.mark.usefixtures("watched")
def test_no_process_outlives_its_script(handbook: Settings) -> None:
    made = _run(handbook, _cells(CHILDREN))
    pids = [int(word) for word in _printed(made.cells[1]).split()]
    assert len(pids) == 5
    assert eventually(lambda: not any(alive(pid) for pid in pids))


@pytest.mark.usefixtures("watched")
def test_a_kernel_that_does_not_start_leaves_its_last_words(
    handbook: Settings, tmp_path: Path
) -> None:
    interpreter = tmp_path / "python"
    interpreter.write_text("#!/bin/sh\necho no kernel here >&2\nexit 1\n", encoding="utf-8")
    interpreter.chmod(0o755)
    with pytest.raises(RunError, match="tour/torch: the kernel did not start") as caught:
        run(job(handbook), replace(HERE, interpreter=interpreter), lambda _: None)
    assert caught.value.hint == "its last words were:\n    no kernel here"


@pytest.mark.usefixtures("watched")
def test_a_kernel_that_cannot_be_set_up_does_not_start(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"broken.py": "def load_ipython_extension(shell):\n    shell.nothing.there\n"})
    monkeypatch.setattr(scratch, "_EXTENSION_FILE", tmp_path / "broken.py")
    with pytest.raises(RunError, match="tour/torch: the kernel did not start") as caught:
        run(job(handbook), HERE, lambda _: None)
    assert "object has no attribute 'nothing'" in str(caught.value.hint)


@pytest.mark.usefixtures("watched")
def test_an_interpreter_that_is_not_there_is_an_error(handbook: Settings, tmp_path: Path) -> None:
    gone = replace(HERE, interpreter=tmp_path / "gone")
    with pytest.raises(RunError, match="tour/torch: the machine would not run it"):
        run(job(handbook), gone, lambda _: None)


WRITES = """
import pathlib, tempfile
for folder in ("~", "~/.cache", tempfile.gettempdir(), "..", "."):
    place = pathlib.Path(folder).expanduser()
    place.mkdir(exist_ok=True)
    (place / "outside").write_text("here I was")
"""


@pytest.mark.usefixtures("watched")
def test_what_a_script_writes_at_home_above_it_or_as_temporary_goes_with_its_folder(
    handbook: Settings,
) -> None:
    _run(handbook, _cells(WRITES))
    for folder in (Path.home(), Path.home() / ".cache", Path.cwd(), Path("/tmp")):  # noqa: S108
        assert not (folder / "outside").exists()
    assert not list(handbook.root.rglob("outside"))


def test_the_line_of_an_exception_is_that_of_the_file(handbook: Settings) -> None:
    above = "# %% first\nx = 1\n\n# %% wrong\n# Said first.\n\n"
    script = f"{above}def half(of):\n    # Halved.\n    return of / 0\n\n\nhalf(x)\n"
    assert _fails(handbook, script).line == 9
    assert _fails(handbook, "# %% add\n\n\nx = 1  # One.\n# Two.\n\nx[0]\n").line == 7
