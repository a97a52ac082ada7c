"""What is taken of a built page: in its language, for one framework, and it runs."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import nbformat
import pytest
from nbclient import NotebookClient

from polytab.scripts.pins import read_environment
from tests.export.trip import ADDRESS, write_trip
from tests.support.languages_site import build_language

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings
    from tests.support.built import Built


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return write_trip(tmp_path_factory.mktemp("taken") / "site")


@pytest.fixture(scope="module")
def english(trip: Settings) -> Built:
    return _clean(build_language(trip, "en"))


@pytest.fixture(scope="module")
def chinese(trip: Settings) -> Built:
    return _clean(build_language(trip, "zh"))


def _clean(built: Built) -> Built:
    assert built.warnings == ""
    return built


def _book(built: Built, name: str) -> nbformat.NotebookNode:
    return nbformat.reads(built.text(f"downloads/{name}.ipynb"), 4)


def _text(book: nbformat.NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def _code(book: nbformat.NotebookNode) -> dict[str, nbformat.NotebookNode]:
    return {cell.id: cell for cell in book.cells if cell.cell_type == "code"}


def test_there_is_a_notebook_and_a_script_for_each_framework(english: Built) -> None:
    files = sorted(path.name for path in (english.app.outdir / "downloads").iterdir())
    assert files == [
        *("plain-python.ipynb", "plain-python.py"),
        *("trip-mxnet.ipynb", "trip-mxnet.py", "trip-torch.ipynb", "trip-torch.py"),
    ]


@pytest.mark.parametrize("name", ["trip-torch", "trip-mxnet", "plain-python"])
def test_a_notebook_is_valid_and_names_its_kernel(english: Built, name: str) -> None:
    book = _book(english, name)
    nbformat.validate(book)
    assert book.metadata.kernelspec.name == "python3"
    assert book.metadata.kernelspec.language == "python"
    assert book.metadata.polytab.page == name.partition("-")[0]
    assert len({cell.id for cell in book.cells}) == len(book.cells)


def test_a_notebook_holds_the_text_of_its_framework_and_of_no_other(english: Built) -> None:
    torch, mxnet = (_text(_book(english, f"trip-{name}")) for name in ("torch", "mxnet"))
    for text in (torch, mxnet):
        assert text.startswith("# The trip\n\n*A Tiny Handbook · ")
        assert "Everyone *reads* this, and the end, and [a house](https://house.example/)." in text
        assert "It costs \\$5 or \\*more\\*." in text
    assert "Only **torch** is told this.\n\n- One\n- Two" in torch
    assert "Only mxnet is told that." in mxnet
    assert "mxnet" not in torch.lower()
    assert "torch" not in mxnet.lower()


def test_the_verdict_is_that_of_its_own_recording(english: Built) -> None:
    torch, mxnet = (_text(_book(english, f"trip-{name}")) for name in ("torch", "mxnet"))
    assert "\n\nCompiling pays." in torch
    assert "\n\nCompiling costs." in mxnet
    for text in (torch, mxnet):
        assert text.count("Compiling") == 1


def test_numbers_stand_in_tables(english: Built) -> None:
    torch = _text(_book(english, "trip-torch"))
    assert "| PyTorch | compiled | 100 µs |" in torch.replace("\N{NO-BREAK SPACE}", " ")
    assert "| Left | Right |\n| --- | --- |\n| a \\| b | `c` |" in torch


SHOWN = "> **Fig. 1** The data flows, see $a_1 + b$.\n>\n> ![From the weights to the sum][flow]"


def test_a_notebook_holds_its_figures(english: Built) -> None:
    text = _text(_book(english, "trip-torch"))
    assert SHOWN in text
    [(_, coded)] = re.findall(r"^\[(flow)\]: data:image/svg\+xml;base64,(\S+)$", text, re.MULTILINE)
    svg = base64.b64decode(coded).decode()
    assert 'aria-label="From the weights to the sum"' in svg
    assert "--color-foreground-primary: #000;" in svg  # what the drawings of a page paint with


def test_a_figure_of_a_notebook_speaks_the_language_of_the_page(chinese: Built) -> None:
    text = _text(_book(chinese, "trip-torch"))
    [coded] = re.findall(r"^\[flow\]: data:image/svg\+xml;base64,(\S+)$", text, re.MULTILINE)
    [alt] = re.findall(r"!\[(.*)\]\[flow\]", text)
    assert alt == "从权重到总和"
    assert f'aria-label="{alt}"' in base64.b64decode(coded).decode()


def test_a_script_names_a_figure_and_holds_none(english: Built) -> None:
    script = english.text("downloads/trip-torch.py")
    assert "![From the weights to the sum][flow]" in script
    assert "base64" not in script


def test_it_says_what_to_install_with_its_pins(english: Built, trip: Settings) -> None:
    text = _text(_book(english, "trip-torch"))
    made = read_environment(trip, "torch")
    assert f"To run this, install Python {made.python} and, in an environment of its own:" in text
    assert f"```sh\npip install {' '.join(made.pins)}\n```" in text


def test_of_many_pins_those_are_installed_that_were_asked_for(tmp_path: Path) -> None:
    settings = write_trip(tmp_path / "site")
    pins = settings.environments / "torch.txt"
    known = pins.read_text(encoding="utf-8")
    asked = "# packages: Torch_Vision<9 ipykernel\nzlib==1.0\ntorch-vision==8.1\n"
    pins.write_text(f"{known}{asked}", encoding="utf-8")
    text = _text(_book(build_language(settings, "en"), "trip-torch"))
    assert "```sh\npip install ipykernel==7.4.0 torch-vision==8.1\n```" in text
    assert "zlib==1.0" in text  # at the end, with all others


def test_all_cells_of_the_script_are_there_with_their_outputs(english: Built) -> None:
    cells = _code(_book(english, "trip-torch"))
    assert list(cells) == ["files", "plain", "load", "hidden", "fails", "forward"]
    assert cells["load"].outputs[0].text == "load\n"
    assert [list(each.get("data", {})) for each in cells["forward"].outputs] == [[], ["text/plain"]]
    assert cells["fails"].metadata.tags == ["raises-exception"]
    assert "tags" not in cells["load"].metadata


def test_comments_and_text_are_in_the_language_of_the_page(chinese: Built) -> None:
    book = _book(chinese, "trip-torch")
    assert _text(book).startswith("# 旅行\n\n*")
    assert "只有**火炬**知道。" in _text(book)
    assert "# 两个数。\nprint(" in _code(book)["load"].source
    assert "# 两个数。\n" in chinese.text("downloads/trip-torch.py")
    assert "下一个代码单元会生成代码所需的文件：" in _text(book)


def test_what_it_was_recorded_with_stands_at_the_end(english: Built) -> None:
    last = _book(english, "trip-torch").cells[-1].source
    assert last.startswith("**The versions it was recorded with**\n\n```text\n# python: ")
    assert "ipykernel==7.4.0\n```" in last


def test_links_lead_to_the_published_page_where_there_is_one(tmp_path: Path) -> None:
    built = build_language(write_trip(tmp_path / "site", address=ADDRESS), "zh")
    text = _text(_book(built, "trip-torch"))
    assert f"]({ADDRESS}/zh/trip.html)" in text
    assert f"]({ADDRESS}/zh/trip.html#far)" in text


@pytest.mark.parametrize("name", ["plain-python", "trip-torch"])
def test_a_notebook_runs_from_top_to_bottom_in_an_empty_folder(
    chinese: Built, tmp_path: Path, name: str
) -> None:
    book = _book(chinese, name)
    NotebookClient(book, resources={"metadata": {"path": str(tmp_path)}}, timeout=120).execute()
    raised = [cell.id for cell in _code(book).values()
              if any(each.output_type == "error" for each in cell.outputs)]  # fmt: skip
    if name == "plain-python":
        assert raised == ["count"]
        assert _printed(book, "again") == "2\n"
        return
    assert raised == ["fails"]
    assert _printed(book, "load") == "['1', '2']\n"
    assert _printed(book, "forward") == "2\n"


def _printed(book: nbformat.NotebookNode, label: str) -> str:
    """Return what a cell has just printed: it may arrive in several messages."""
    outputs = _code(book)[label].outputs
    return "".join(each.text for each in outputs if each.output_type == "stream")


def test_a_script_runs_from_top_to_bottom_in_an_empty_folder(
    chinese: Built, tmp_path: Path
) -> None:
    script = tmp_path / "taken.py"
    script.write_text(chinese.text("downloads/trip-torch.py"), encoding="utf-8")
    command = [sys.executable, str(script)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert ran.stdout == "plain\n['1', '2']\n2\n"
    assert ran.stderr.endswith("ValueError: as it must\n")


def test_the_same_page_gives_the_same_bytes(chinese: Built, tmp_path: Path) -> None:
    again = build_language(write_trip(tmp_path / "site"), "zh")
    made = sorted((chinese.app.outdir / "downloads").iterdir())
    assert len(made) == 6
    for path in made:
        assert path.read_bytes() == (again.app.outdir / "downloads" / path.name).read_bytes()
