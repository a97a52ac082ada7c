"""Which scripts there are, and what travels along with each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.errors import ScriptError, UsageError
from polytab.model import SideFile
from polytab.scripts.load import load_scripts, read_script
from tests.support.handbook import write

if TYPE_CHECKING:
    from polytab.model import Script
    from polytab.settings import Settings

BLOCK = "# /// polytab\n{}\n# ///\n"
CELL = "# %% a\nx = 1\n"


def _torch(handbook: Settings, text: str) -> Script:
    write(handbook.snippets, {"tour/torch.py": text})
    return read_script(handbook.snippets / "tour" / "torch.py")


def _complaint(handbook: Settings, text: str) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        _torch(handbook, text)
    assert caught.value.hint
    return caught.value


# Which scripts there are


def _names(scripts: tuple[Script, ...]) -> list[str]:
    return [script.name for script in scripts]


def test_scripts_come_page_by_page_in_the_order_of_the_frameworks(handbook: Settings) -> None:
    everything = ["end/python", "tour/python", "tour/torch", "tour/mxnet"]
    assert _names(load_scripts(handbook)) == everything


def test_scripts_are_chosen_by_page_and_by_framework(handbook: Settings) -> None:
    tour = ["tour/python", "tour/torch", "tour/mxnet"]
    assert _names(load_scripts(handbook, ["tour"])) == tour
    assert _names(load_scripts(handbook, ["tour", "tour"])) == tour
    assert _names(load_scripts(handbook, [], ["python"])) == ["end/python", "tour/python"]
    assert _names(load_scripts(handbook, ["tour"], ["mxnet", "torch"])) == tour[1:]


def test_folders_that_are_hidden_or_private_are_no_pages(handbook: Settings) -> None:
    write(handbook.snippets, {"_drafts/torch.py": "(", ".cache/torch.py": "(", "tour/a.csv": "("})
    assert len(load_scripts(handbook)) == 4


@pytest.mark.parametrize(
    ("pages", "frameworks", "message", "hint"),
    [
        (["toru"], [], "no page `toru` has snippets", "pages with snippets: end, tour"),
        ([], ["jax"], "unknown framework `jax`", "known frameworks: python, torch, mxnet"),
        (["end"], ["torch"], "end: no script for torch", "`polytab plan` lists the scripts"),
    ],
)
def test_words_that_name_no_script_are_wrong_usage(
    handbook: Settings, pages: list[str], frameworks: list[str], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        load_scripts(handbook, pages, frameworks)
    assert caught.value.message == message
    assert (caught.value.hint or "").startswith(hint)


def test_a_framework_without_scripts_is_wrong_usage(handbook: Settings) -> None:
    (handbook.snippets / "tour" / "mxnet.py").unlink()
    with pytest.raises(UsageError, match="no script for mxnet"):
        load_scripts(handbook, [], ["mxnet"])


def test_a_file_that_is_named_after_no_framework(handbook: Settings) -> None:
    write(handbook.snippets, {"tour/pytorch.py": CELL})
    with pytest.raises(ScriptError, match="`pytorch` is not a framework") as caught:
        load_scripts(handbook)
    assert caught.value.file == handbook.snippets / "tour" / "pytorch.py"
    assert caught.value.hint == "name the file after one of: python, torch, mxnet"


def test_a_handbook_without_snippets_has_no_scripts(handbook: Settings) -> None:
    assert load_scripts(replace(handbook, snippets=handbook.root / "none")) == ()


# What travels along


def test_helpers_travel_with_the_script_and_bring_theirs(handbook: Settings) -> None:
    write(
        handbook.snippets,
        {
            "shapes.py": "import os\nfrom sizes import width  # so\n",
            "sizes.py": "import shapes  # in a circle\n\nwidth = 2\n",
            "colors.py": "",
            "unused.py": "(",
        },
    )
    text = "# %% a\nimport torch\ndef f():\n    import shapes.part\nfrom colors import *\n"
    assert _torch(handbook, text).helpers == (
        SideFile("colors.py", b"\n"),
        SideFile("shapes.py", b"import os\nfrom sizes import width\n"),
        SideFile("sizes.py", b"import shapes\nwidth = 2\n"),
    )


def test_a_name_in_a_string_and_a_relative_import_bring_no_helper(handbook: Settings) -> None:
    write(handbook.snippets, {"shapes.py": ""})
    assert _torch(handbook, "# %% a\nx = 'import shapes'\n").helpers == ()
    assert _torch(handbook, "# %% a\nfrom . import shapes\n").helpers == ()


def test_a_helper_that_does_not_parse(handbook: Settings) -> None:
    write(handbook.snippets, {"shapes.py": "x = 1\n(\n"})
    error = _complaint(handbook, "# %% a\nimport shapes\n")
    assert (error.file, error.line) == (handbook.snippets / "shapes.py", 2)


@pytest.mark.parametrize(
    ("block", "code", "message"),
    [
        ("", "import measure", "the script imports `measure`"),
        ("", "import shapes", "the script imports `measure`"),
        (
            BLOCK.format("# measures = true"),
            "x = 1",
            "the script says `measures = true` but does not import `measure`",
        ),
    ],
)
def test_who_imports_measure_says_so(
    handbook: Settings, block: str, code: str, message: str
) -> None:
    write(handbook.snippets, {"measure.py": "x = 1\n", "shapes.py": "import measure\n"})
    error = _complaint(handbook, f"{block}# %% a\n{code}\n")
    assert error.message == message
    assert error.line == 1
    right = BLOCK.format("# measures = true") if not block else ""
    assert _torch(handbook, f"{right}# %% a\n{code}\n").needs.measures is (not block)


def test_data_files_travel_as_they_are(handbook: Settings) -> None:
    (handbook.snippets / "tour" / "points").mkdir()
    (handbook.snippets / "tour" / "points" / "a.csv").write_bytes(b"# 1\r\n\xff")
    script = _torch(handbook, BLOCK.format('# data = ["points/a.csv"]') + CELL)
    assert script.data == (SideFile("points/a.csv", b"# 1\r\n\xff"),)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone.csv", "the data file `gone.csv` cannot be read: No such file or directory"),
        (".", "the data file `.` cannot be read: Is a directory"),
        ("out.csv", "the data file `out.csv` cannot be read: a link leads out of the page's"),
        ("circle", "the data file `circle` cannot be read: "),
        ("\\u0000", "the data file `\0` cannot be read: "),
        ("../end/python.py", "`data` names `../end/python.py`, outside the page's folder"),
        ("/etc/hostname", "`data` names `/etc/hostname`, outside the page's folder"),
    ],
)
def test_a_data_file_that_cannot_travel(handbook: Settings, name: str, message: str) -> None:
    (handbook.snippets / "tour" / "out.csv").symlink_to(handbook.root / "pyproject.toml")
    (handbook.snippets / "tour" / "circle").symlink_to("circle")
    error = _complaint(handbook, "\n" + BLOCK.format(f'# data = ["{name}"]') + CELL)
    assert error.message.startswith(message)
    assert error.line == 2
