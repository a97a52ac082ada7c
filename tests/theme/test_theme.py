"""Given a book with our theme, then what stands around its articles is whole, named and plain."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab import theme
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from tests.support.built import Built

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

STATIC = theme.FOLDER / "static"
LONG = """\
# Long

## One

| a | b |
|---|--:|
| 1 | 2 |

### Within

## Two
"""
BELOW = {
    "docs/index.md": "# A Tiny Handbook\n\n```{toctree}\n:caption: Chapters\n\ntour\nlong\n```\n",
    "docs/long.md": f"{LONG}\n```{{toctree}}\nend\n```\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    root = tmp_path_factory.mktemp("theme")
    write_handbook(root)
    write(root, BELOW)
    made = build(root)
    assert made.warnings == ""
    return made


def whole(built: Built, page: str) -> BeautifulSoup:
    return BeautifulSoup(built.text(f"{page}.html"), "html.parser")


def test_any_book_can_name_the_theme() -> None:
    root = Path(__file__).parents[2]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    named = settings["project"]["entry-points"]["sphinx.html_themes"]
    assert named == {theme.NAME: "polytab.theme"}
    assert callable(import_module(named[theme.NAME]).setup)


PLAIN = """\
Plain
=====

One
---

.. code-block:: python

   class A: pass

.. note:: A note.

.. index:: thing

Two
---

.. math:: a = b
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a book that knows nothing of us but the name of the theme; by itself, as people do."""
    root = tmp_path_factory.mktemp("plain")
    write(root, {"conf.py": 'project = "Plain"\nhtml_theme = "polytab"\n', "index.rst": PLAIN})
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(root), str(root / "html")]
    subprocess.run(command, check=True)
    return root / "html"


def soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_a_book_without_our_pages_can_use_it(plain: Path) -> None:
    page = soup(plain / "index.html")
    assert [each.get_text() for each in page.select("article h2")] == ["One¶", "Two¶"]
    sheets = [str(each["href"]).partition("?")[0] for each in page.select("link[rel=stylesheet]")]
    named = tomllib.loads((theme.FOLDER / "theme.toml").read_text(encoding="utf-8"))["theme"]
    assert sheets == [f"_static/{each}" for each in named["stylesheets"]]
    assert all((plain / each).is_file() for each in sheets)
    assert page.select(".skip-to-content")
    assert page.select_one("article .highlight .k") is not None
    assert page.select("[aria-label='']") == []


def test_such_a_book_has_the_search_and_the_index_of_sphinx(plain: Path) -> None:
    form = soup(plain / "index.html").select_one("aside form[role=search]")
    assert form is not None
    assert form["action"] == "search.html"
    scripts = {str(each["src"]) for each in soup(plain / "search.html").select("script[src]")}
    names = {each.partition("?")[0] for each in scripts}
    assert {"_static/searchtools.js", "searchindex.js"} <= names
    assert "thing" in soup(plain / "genindex.html").get_text()


def test_the_skip_link_is_the_first_stop_and_leads_to_the_article(built: Built) -> None:
    page = whole(built, "tour")
    first = page.select("body a, body button, body input")[0]
    assert first["class"] == ["skip-to-content"]
    assert page.select_one(str(first["href"])) == page.select_one("main > article")


@pytest.mark.parametrize("name", ["index", "tour", "long"])
def test_every_landmark_of_a_kind_has_a_name_of_its_own(built: Built, name: str) -> None:
    page = whole(built, name)
    for kind in ("nav", "aside"):
        names = [each.get("aria-label") for each in page.select(kind)]
        assert all(names)
        assert len(names) == len(set(names))
    for kind in ("main", "header.mobile-header", "footer", "h1"):
        assert len(page.select(kind)) == 1


def test_the_contents_name_the_sections_and_a_page_without_has_none(built: Built) -> None:
    found = whole(built, "long").select("aside.toc-drawer a")
    assert [each["href"] for each in found] == ["#", "#one", "#within", "#two"]
    assert whole(built, "end").select(".toc-drawer, #open-contents, .toc-overlay-icon") == []


def test_the_tree_names_the_pages_and_below_the_present_one_those_under_it(built: Built) -> None:
    def links(page: str) -> list[str]:
        return [str(each["href"]) for each in whole(built, page).select(".sidebar-tree a")]

    assert links("tour") == ["#", "long.html"]
    assert links("long") == ["tour.html", "#", "end.html"]
    assert links("end") == ["tour.html", "long.html", "#"]
    [here] = whole(built, "end").select(".sidebar-tree a.current")
    assert here.get_text() == "End"


def test_a_table_scrolls_in_a_box_of_its_own(built: Built) -> None:
    [box] = whole(built, "long").select(".table-wrapper")
    assert box.select_one("table") is not None
    assert box["class"] == ["table-wrapper", "docutils", "container"]


def test_what_a_table_is_called_is_not_said_of_its_box(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    write(
        tmp_path,
        {"docs/tour.md": "# Tour\n\n```{table} T\n:name: one\n\n| a |\n|---|\n| 1 |\n```\n"},
    )
    [named] = whole(build(tmp_path), "tour").select("#one")
    assert named.name == "table"


def test_a_header_cell_that_heads_nothing_is_a_plain_cell(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"docs/tour.md": "# Tour\n\n| | a |\n|---|---|\n| | 1 |\n"})
    [head, row] = whole(build(tmp_path), "tour").select("tr")
    assert [(each.name, each.get_text()) for each in head.select("th, td")] == [
        ("td", ""),
        ("th", "a"),
    ]
    assert [each.name for each in row.select("th, td")] == ["td", "td"]


def test_every_label_names_a_box_that_is_there(built: Built) -> None:
    for name in ("tour", "long", "end"):
        page = whole(built, name)
        labels = page.select(".page label[for], body > label[for]")
        assert labels
        assert all(page.select_one(f"input#{each['for']}") for each in labels)


def test_a_page_has_no_script_and_no_style_of_its_own(built: Built) -> None:
    for path in built.app.outdir.glob("*.html"):
        page = whole(built, path.stem)
        assert page.select("script:not([src]), style, [style]") == []
        handlers = [name for tag in page.select("*") for name in tag.attrs if name[:2] == "on"]
        assert handlers == []


def test_every_icon_that_is_used_is_drawn(built: Built) -> None:
    page = whole(built, "long")
    used = {str(each["href"]) for each in page.select("use")}
    assert len(used) > 4
    assert used == {f"#{each['id']}" for each in page.select("symbol")}


def test_a_book_has_its_logo_and_its_copyright(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    more = 'html_logo = "logo.svg"\ncopyright = "2026, A & B"\n'
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    write(tmp_path, {"conf.py": FILES["conf.py"] + more, "logo.svg": drawing})
    page = whole(build(tmp_path), "tour")
    [logo] = page.select(".sidebar-brand img")
    assert (logo["src"], logo["alt"]) == ("_static/logo.svg", "")
    assert [each.get_text() for each in page.select(".colophon")] == ["© 2026, A & B"]


def test_the_look_knows_no_left_and_no_right() -> None:
    physical = re.compile(
        r"(?<![\w-])((margin|padding|border)-(left|right)|left|right)\s*:"
        r"|(text-align|float)\s*:\s*(left|right)"
    )
    sheets = sorted(STATIC.glob("*.css"))
    assert sheets
    for sheet in sheets:
        assert physical.search(sheet.read_text(encoding="utf-8")) is None, sheet.name


def test_the_look_uses_no_variable_that_is_not_set() -> None:
    engine = theme.FOLDER.parent
    texts = [each.read_text(encoding="utf-8") for each in engine.rglob("static/*.css")]
    known = set(re.findall(r"(--[\w-]+)\s*:", "\n".join(texts)))
    assert "--color-foreground-primary" in known
    used = set(re.findall(r"var\((--[\w-]+)\s*\)", "\n".join(texts)))
    assert used - known == set()
