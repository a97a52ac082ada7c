"""What Sphinx does is told while it does it: why pages are read, and each that is done."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from polytab.pages.progress import PageRead, PagesChosen, PageWritten, tell_progress
from tests.site.book import write_book
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.pages.progress import Progress
    from polytab.settings import Settings


CONF = """\
extensions = ["polytab.pages"]
html_theme = "polytab"
numfig = True
"""


def _write(root: Path) -> Settings:
    settings = write_book(root)
    write(root, {"conf.py": CONF})
    return settings


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Write a book that has been built once, in Portuguese."""
    settings = _write(tmp_path_factory.mktemp("told") / "book")
    _build(settings)
    return settings


def _build(settings: Settings, **values: object) -> list[Progress]:
    """Build the book in Portuguese; return what was told."""
    told: list[Progress] = []
    out, root = settings.build / "told", settings.root
    with docutils_namespace():
        app = Sphinx(
            *(settings.docs, root, out / "html", out / "doctrees", "html"),
            confoverrides={"language": "pt_BR", **values},
            status=None,
        )
        tell_progress(app, told.append)
        app.build()
    return told


def _why(settings: Settings, **values: object) -> dict[str, tuple[str, ...]]:
    [chosen] = [each for each in _build(settings, **values) if isinstance(each, PagesChosen)]
    return dict(chosen.why)


def _change(path: Path) -> None:
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")


def test_each_page_that_is_read_or_written_is_told(tmp_path: Path) -> None:
    settings = _write(tmp_path)
    told = _build(settings)
    pages = len(list(settings.docs.rglob("*.md")))
    chosen = told[0]
    assert isinstance(chosen, PagesChosen)
    assert chosen.pages == pages
    assert list(chosen.why) == ["there is no earlier build"]
    done = Counter(type(each) for each in told[1:])
    assert (done[PageRead], done[PageWritten]) == (pages, pages)


def test_a_build_in_which_nothing_has_changed_reads_no_page(book: Settings) -> None:
    assert _why(book) == {}


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("docs/tour.md", "tour"),
        ("snippets/tour/torch.py", "tour"),
        ("docs/more/dot.png", "more/links"),
    ],
)
def test_a_file_that_is_edited_is_named_with_the_page_that_shows_it(
    book: Settings, name: str, page: str
) -> None:
    path = book.root / name
    path.write_bytes(path.read_bytes() + b"\n")
    assert _why(book) == {f"{name} changed": (page,)}


def test_pages_that_come_and_go_are_told(book: Settings) -> None:
    write(book.root, {"docs/later.md": "---\norphan: true\n---\n# Later\n"})
    listed = {"what is listed of other pages changed": ("more/terms",)}  # it has the coverage
    assert _why(book) in [{"docs/later.md is new": ("later",), **also} for also in ({}, listed)]
    (book.docs / "later.md").unlink()
    assert _why(book) in [{"docs/later.md is gone": ("later",), **also} for also in ({}, listed)]


def test_a_page_that_was_saved_as_it_was_is_told_so(book: Settings) -> None:
    page = book.docs / "tour.md"
    text = page.read_bytes()
    page.write_bytes(text)
    assert _why(book) == {"docs/tour.md was saved": ("tour",)}


def test_a_catalog_is_named_as_its_translator_knows_it(book: Settings) -> None:
    compiled = book.locale / "pt_BR" / "LC_MESSAGES" / "tour.json"
    write(book.root, {str(compiled.relative_to(book.root)): "[]\n"})
    shown = "what is shown of translations/pt_BR/LC_MESSAGES/tour.po"
    [[why, pages]] = _why(book).items()
    assert why in {f"{shown} changed", f"{shown} is new"}
    assert pages == ("tour",)


def test_a_setting_that_is_another_is_named(book: Settings) -> None:
    _change(book.root / "pyproject.toml")
    assert _why(book) == {}  # no page shows a blank line
    text = (book.root / "pyproject.toml").read_text("utf-8")
    (book.root / "pyproject.toml").write_text(text.replace('"PyTorch"', '"Torch"'), "utf-8")
    [why] = _why(book)
    assert why == "pyproject.toml or conf.py changed"
    [why] = _why(book, numfig=False)
    assert why == "the setting numfig changed"
