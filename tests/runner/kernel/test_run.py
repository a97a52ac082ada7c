"""A script runs whole, alone and repeatably, or leaves one error and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from polytab.runner.kernel.run import run
from polytab.runner.kernel.scratch import THREADS
from polytab.settings import load_settings
from tests.support.handbook import job, write, write_handbook
from tests.support.sealed import HERE, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from polytab.model import Job, Recording
    from polytab.settings import Settings

LOG = "[tool.polytab]\nlog = ['INFO:lib:']\n"
TOUR = """\
# /// polytab
# data = ["precious.txt", "deep/points.csv"]
# ///

# %% streams
import sys
print("first")
print("second", file=sys.stderr)
print("third")

# %% value
6 * 7

# %% shown
from IPython.display import HTML, Image, display
display(HTML("<b>bold</b>"))
display(Image(data=b"\\x89PNG\\r\\n\\x1a\\n", format="png"))

# %% divide raises="ZeroDivisionError"
def divide(number):
    # a comment, which no traceback shows
    return number / 0


divide(1)

# %% caused raises="ValueError"
import json
try:
    json.loads("{")
except ValueError as error:
    raise ValueError("no list") from error

# %% asks raises="StdinNotImplementedError"
input("Who is there?")

# %% below
import os
written = os.write(1, b"C\\n" * 30_000)

# %% above
print("Python")

# %% child
import subprocess
ended = subprocess.run(["echo", "a child"])

# %% comment
# !rm precious.txt
# cat precious.txt
# %rm precious.txt
print(open("precious.txt").read())

# %% one
import inspect
def one():
    return 1
print(inspect.getsource(one))

# %% two
def two():
    return 2
print(inspect.getsource(one) + inspect.getsource(two))

# %% helper
import helper
print(helper.word(), helper.__file__)

# %% place
print(os.getcwd(), sorted(os.listdir()), open("deep/points.csv").read())
created = open("left.txt", "w").write("left behind")

# %% variables
print(json.dumps(dict(os.environ)))

# %% names
print([name for name in dir() if "settle" in name or "set_up" in name])

# %% varied varies="the number" why="it is a test"
print(id(object()))
"""

SIDE_FILES = {
    "snippets/helper.py": 'def word():\n    return "helped"  # a comment\n',
    "snippets/tour/precious.txt": "still here",
    "snippets/tour/deep/points.csv": "1,2",
}


def _job(settings: Settings, text: str) -> Job:
    write(settings.root, {"snippets/tour/torch.py": text})
    return job(settings)


def test_a_recording_names_what_its_script_imports_beside_its_framework(
    handbook: Settings,
) -> None:
    there = replace(HERE, packages={**HERE.packages, "nbformat": "5.0", "pip": "1.0"})
    text = "# %% add\nimport re, ipykernel\n\n# %% later\nif re:\n    from nbformat import v4\n"
    made = run(_job(handbook, text), there, lambda _: None)
    assert made.provenance.package == "ipykernel"
    assert made.provenance.imported == (("nbformat", "5.0"),)


def test_what_the_book_says_that_libraries_log_is_not_recorded(handbook: Settings) -> None:
    text = "# %% add\nimport sys\nprint('INFO:lib:made')\nprint('said')\n"
    text += "print('  INFO:lib:done', file=sys.stderr)\n"
    file = handbook.root / "pyproject.toml"
    settings = file.read_text("utf-8").replace("[tool.polytab]\n", LOG, 1)
    file.write_text(settings, "utf-8")
    made = run(_job(load_settings(handbook.root), text), HERE, lambda _: None)
    [said] = made.cells[0].outputs
    assert (said["name"], said["text"]) == ("stdout", "said\n")


def _text(outputs: tuple[Mapping[str, Any], ...], name: str = "stdout") -> str:
    streams = [each for each in outputs if each["output_type"] == "stream"]
    return "".join(each["text"] for each in streams if each["name"] == name)


class Tour:
    """One run of a script that looks at all there is."""

    def __init__(self, made: Recording, job: Job, said: list[str], root: Path) -> None:
        self.recording = made
        self.job = job
        self.said = said
        self.root = root

    def outputs(self, label: str) -> tuple[Mapping[str, Any], ...]:
        cell = self.recording.cell(label)
        assert cell is not None
        return cell.outputs

    def printed(self, label: str) -> str:
        return _text(self.outputs(label))


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory, scratches: Path) -> Iterator[Tour]:
    settings = write_handbook(tmp_path_factory.mktemp("tour"))
    write(settings.root, SIDE_FILES)
    said: list[str] = []
    with pytest.MonkeyPatch.context() as context:
        context.setenv("POLYTAB_SECRET", "a secret of ours")
        context.setenv("PYTHONHASHSEED", "7")
        context.setenv("PYTHONSTARTUP", "/nowhere")
        script = _job(settings, TOUR)
        yield Tour(run(script, HERE, said.append), script, said, scratches)


def test_each_stream_is_kept_under_its_name(tour: Tour) -> None:
    assert tour.printed("streams") == "first\nthird\n"
    assert _text(tour.outputs("streams"), "stderr") == "second\n"


def test_the_last_value_is_shown(tour: Tour) -> None:
    [value] = tour.outputs("value")
    assert value["output_type"] == "execute_result"
    assert value["data"] == {"text/plain": "42"}


def test_what_is_displayed_keeps_its_types(tour: Tour) -> None:
    html, image = tour.outputs("shown")
    assert html["data"]["text/html"] == "<b>bold</b>"
    assert image["data"]["image/png"].strip() == "iVBORw0KGgo="


def test_a_traceback_shows_the_frames_of_cells_and_names_them(tour: Tour) -> None:
    [error] = tour.outputs("divide")
    frames = [line.strip() for line in error["traceback"] if line.startswith("  File")]
    assert frames == [
        'File "cell divide", line 3, in <module>',
        'File "cell divide", line 2, in divide',
    ]
    assert error["ename"] == "ZeroDivisionError"
    assert error["traceback"][-1] == "ZeroDivisionError: division by zero"
    assert not any("comment" in line for line in error["traceback"])


def test_a_cause_is_told_without_the_frames_of_libraries(tour: Tour) -> None:
    [error] = tour.outputs("caused")
    files = {line.split(",")[0].strip() for line in error["traceback"] if "  File" in line}
    assert files == {'File "cell caused"'}
    assert any("direct cause" in line for line in error["traceback"])


def test_a_script_that_asks_is_told_that_nobody_answers(tour: Tour) -> None:
    [error] = tour.outputs("asks")
    assert error["ename"] == "StdinNotImplementedError"


def test_what_is_printed_below_python_stays_whole_and_in_its_cell(tour: Tour) -> None:
    assert tour.printed("below") == "C\n" * 30_000
    assert tour.printed("above") == "Python\n"
    assert tour.printed("child") == "a child\n"


def test_a_comment_that_looks_like_a_command_stays_a_comment(tour: Tour) -> None:
    assert tour.printed("comment") == "still here\n"


def test_each_cell_keeps_its_source_while_others_run(tour: Tour) -> None:
    assert tour.printed("one") == "def one():\n    return 1\n\n"
    assert tour.printed("two") == "def one():\n    return 1\ndef two():\n    return 2\n\n"


def test_helpers_travel_with_the_script(tour: Tour) -> None:
    assert tour.printed("helper") == "helped lib/helper.py\n"


def test_the_working_folder_holds_the_data_files_and_nothing_else(tour: Tour) -> None:
    assert tour.printed("place") == ". ['deep', 'precious.txt'] 1,2\n"


def test_the_scratch_folder_is_gone_and_what_was_written_in_it(tour: Tour) -> None:
    assert list(tour.root.iterdir()) == []


def test_the_variables_are_the_same_on_every_machine_and_hold_none_of_ours(tour: Tour) -> None:
    printed = tour.printed("variables")
    assert "POLYTAB_SECRET" not in printed
    assert "PYTHONSTARTUP" not in printed
    assert '"PYTHONHASHSEED": "0"' in printed
    assert f'"OMP_NUM_THREADS": "{THREADS}"' in printed
    assert '"TZ": "UTC"' in printed
    assert '"CUDA_VISIBLE_DEVICES": ""' in printed


def test_the_script_finds_no_names_of_ours(tour: Tour) -> None:
    assert tour.printed("names") == "[]\n"


def test_the_recording_says_of_what_and_by_what_it_was_made(tour: Tour) -> None:
    made = tour.recording
    assert (made.page, made.framework, made.device) == ("tour", "torch", "cpu")
    assert made.key == tour.job.key
    assert [cell.code for cell in made.cells] == [cell.code for cell in tour.job.script.cells]
    assert [cell.label for cell in made.cells if cell.varies] == ["varied"]
    assert made.provenance.python == HERE.python
    assert (made.provenance.package, made.provenance.version) == ("ipykernel", VERSION)
    assert made.provenance.cores > 0
    assert dict(made.provenance.machine)["threads"] == THREADS


def test_progress_is_told_cell_by_cell(tour: Tour) -> None:
    assert tour.said[:2] == ["cell 1 of 17: `streams`", "cell 2 of 17: `value`"]
    assert len(tour.said) == 17
