"""Given a built handbook, then it has our search dialog and nothing of Sphinx's own search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.settings import load_settings
from tests.support.built import build
from tests.support.handbook import record, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

SPHINX = (
    *("search.html", "searchindex.js", "_static/doctools.js", "_static/sphinx_highlight.js"),
    *("_static/documentation_options.js", "_static/language_data.js", "_static/searchtools.js"),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_handbook(tmp_path)
    write(
        tmp_path,
        {
            "docs/hidden.md": "---\nnosearch: true\norphan: true\n---\n\n# Hidden\n",
            "docs/states.md": "---\norphan: true\n---\n\n# States\n\n```{coverage}\n```\n",
        },
    )
    record(load_settings(tmp_path))
    return tmp_path


def whole(built: Built, page: str) -> BeautifulSoup:
    return BeautifulSoup(built.text(f"{page}.html"), "html.parser")


def test_sphinx_has_left_no_search(root: Path) -> None:
    left = root / "_build" / "html" / "searchindex.js"  # by an earlier version
    write(root, {"_build/html/searchindex.js": "Search.setIndex()"})
    built = build(root, polytab_published=True)
    assert not left.exists()
    assert [name for name in SPHINX if (built.app.outdir / name).exists()] == []
    assert list(built.app.outdir.glob("_static/*stemmer.js")) == []
    page = built.text("tour.html")
    assert [name for name in SPHINX if name in page] == []
    assert not whole(built, "tour").select("form")


def test_articles_that_people_wrote_are_to_be_found_and_tables_of_pages_are_not(
    root: Path,
) -> None:
    built = build(root)
    assert built.warnings == ""
    marked = {
        path.stem
        for path in built.app.outdir.glob("*.html")
        if whole(built, path.stem).select("article[data-pagefind-body]")
    }
    assert {"index", "tour"} <= marked
    assert marked.isdisjoint({"hidden", "states", "genindex"})


def test_the_dialog_speaks_the_language_of_the_page(root: Path) -> None:
    [dialog] = whole(build(root, language="pt_BR", polytab_published=True), "tour").select("dialog")
    assert dialog["aria-label"] == "Buscar"
    assert dialog["data-count"] == "Resultados: {number}"
    assert [each.get_text() for each in dialog.select("button")] == ["Fechar", "Mais resultados"]
    assert "data-live" not in dialog.attrs


def test_a_build_that_nothing_indexes_says_so(root: Path) -> None:
    [dialog] = whole(build(root), "tour").select("dialog")
    assert dialog["data-live"] == "This preview has no search."


def test_a_button_opens_it_beside_the_pages_and_on_a_phone(root: Path) -> None:
    page = whole(build(root), "tour")
    [header, sidebar] = page.select(".search-open")
    assert header.find_parent(class_="mobile-header") is not None
    assert header["aria-label"] == "Search"
    assert sidebar.find_parent(class_="sidebar-drawer") is not None
    assert sidebar.get_text(" ", strip=True) == "Search Ctrl K"


def test_no_page_has_styles_that_a_policy_would_stop(root: Path) -> None:
    built = build(root)
    for path in built.app.outdir.glob("*.html"):
        assert whole(built, path.stem).select("[style]") == [], path.stem
