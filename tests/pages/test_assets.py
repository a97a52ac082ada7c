"""Given pages of a book, then each loads its stylesheets and scripts joined, in their order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.pages.assets import join_scripts, join_sheets
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

CONF = f"""\
{FILES["conf.py"]}
html_static_path = ["own"]
html_css_files = ["late.css", ("paper.css", {{"media": "print"}}), "importing.css"]
html_js_files = [
    ("late.js", {{"defer": "defer"}}),
    "early.js",
    ("module.js", {{"type": "module"}}),
]
"""
OWN = {
    "conf.py": CONF,
    "own/late.css": ".late { background: url(pictures/dot.png) }\n/* a comment */\n",
    "own/paper.css": ".paper { color: black }\n",
    "own/importing.css": '@import "paper.css";\n',
    "own/late.js": "// a comment\nwindow.late = 1\n",
    "own/early.js": "// a comment\nwindow.early = 1;\n",
    "own/module.js": "export const one = 1;\n",
    "own/pictures/dot.png": "dot",
}
NAMED = r"[\w-]+\.[0-9a-f]{12}\.(css|js)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_handbook(tmp_path)
    write(tmp_path, OWN)
    return tmp_path


def head(built: Built, page: str = "tour") -> BeautifulSoup:
    return BeautifulSoup(built.text(f"{page}.html"), "html.parser")


def joined(built: Built, page: str = "tour") -> tuple[str, str]:
    """Return the joined stylesheet and script of a page."""
    found = head(built, page)
    sheet, script = (
        str(found.select_one(each)[name])  # type: ignore[index]
        for each, name in (("link[href*='/page.']", "href"), ("script[src*='/page.']", "src"))
    )
    return built.text(sheet), built.text(script)


def test_a_page_loads_one_stylesheet_one_deferred_script_and_what_cannot_be_joined(
    root: Path,
) -> None:
    page = head(build(root))
    sheets = [str(each["href"]).partition("?")[0] for each in page.select("link[rel=stylesheet]")]
    assert sheets[1:] == ["_static/paper.css", "_static/importing.css"]
    assert re.fullmatch(f"_static/{NAMED}", sheets[0])
    scripts = [str(each["src"]).partition("?")[0] for each in page.select("script")]
    plain = [re.sub(r"\.[0-9a-f]{12}\.", ".", each) for each in scripts]
    names = ("first", "page", "module")
    assert plain == [f"_static/{each}.js" for each in names]
    assert [each.has_attr("defer") for each in page.select("script")] == [
        each == "page" for each in names
    ]
    assert all(each.find_parent("head") for each in page.select("script, link[rel=stylesheet]"))


def test_files_keep_their_order_and_lose_their_comments(root: Path) -> None:
    sheet, script = joined(build(root))
    places = [sheet.index(each) for each in ("color-scheme", ".highlight", ".snippet", ".late")]
    assert places == sorted(places)
    assert script.index("theme-toggle") < script.index(".copy") < script.index("window.late=1")
    assert "a comment" not in sheet + script


def test_an_address_in_a_stylesheet_leads_where_it_led(root: Path) -> None:
    built = build(root)
    sheet, _ = joined(built)
    assert 'url("pictures/dot.png")' in sheet
    assert built.text("_static/pictures/dot.png") == "dot"
    made = join_sheets({"_static/deep/a.css": "p { background: url('dot.png#x') }"})
    assert made == 'p{background:url("deep/dot.png#x")}'
    kept = "p{background:url(data:image/png;base64,xx) url(https://a.example/b.png)}"
    assert join_sheets({"_static/deep/a.css": kept}) == kept


def test_a_script_without_its_last_semicolon_does_not_swallow_the_next() -> None:
    joined_up = join_scripts(["a = 1", "(() => 2)()"])
    assert joined_up.replace("\n", "") == "a=1;(()=>2)()"  # the minifier in C leaves it out


def test_the_name_tells_the_content_and_pages_of_a_kind_share_a_file(root: Path) -> None:
    built = build(root)
    names = {str(head(built, each).select("link[rel=stylesheet]")[0]["href"]) for each in
             ("index", "end")}  # fmt: skip
    assert len(names) == 1
    assert names.isdisjoint({head(built).select("link[rel=stylesheet]")[0]["href"]})  # has tabs


def test_pages_are_written_again_but_not_read_when_a_file_of_the_book_changes(root: Path) -> None:
    before, _ = joined(build(root))
    again = build(root)
    assert (again.read, joined(again)[0]) == ((), before)
    write(root, {"own/late.css": ".later { color: red }\n"})
    changed = build(root)
    assert changed.read == ()
    for page in ("tour", "end", "index"):
        assert ".later{color:red}" in joined(changed, page)[0]
        assert ".late{" not in joined(changed, page)[0]


def test_a_file_of_the_book_goes_before_one_of_ours_of_the_same_name(root: Path) -> None:
    write(root, {"own/copy.css": ".copy { color: green }\n"})
    sheet, _ = joined(build(root))
    assert ".copy{color:green}" in sheet
    assert ".copy.done" not in sheet


def test_pages_written_in_many_processes_load_the_same(root: Path) -> None:
    write(root, {f"docs/more{number}.md": f"# More {number}\n" for number in range(12)})
    write(root, {"docs/index.md": "# A Tiny Handbook\n\n```{toctree}\n:glob:\n\n*\n```\n"})
    built = build(root, jobs=2)
    sheets = {joined(built, f"more{number}")[0] for number in range(12)}
    assert len(sheets) == 1
