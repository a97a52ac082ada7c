"""Given written pages, when they are bundled, then each loads one stylesheet and few scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from polytab.errors import PolytabError
from polytab.site.bundle import bundle
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

HEAD = (
    '<link rel="stylesheet" type="text/css" href="{0}_static/a.css?v=1" />\n'
    '<link rel="stylesheet" href="{0}_static/deep/b.css"><style>p{{top:3px}}</style>'
    '<script src="{0}_static/early.js?v=2"></script>'
)
BODY = (
    '<p>words</p><script defer="defer" src="{0}_static/late.js"></script>\n'
    '<script src="{0}_static/now.js"></script>\n'
)
PAGE = f"<html><head>{HEAD}</head><body>{BODY}</body></html>"
WRITTEN = {
    "index.html": PAGE.format(""),
    "part/one.html": PAGE.format("../"),
    "_static/a.css": "p { top: 1px }\n.never { top: 0 }",
    "_static/deep/b.css": "p { top: 2px; background: url(dot.png) }",
    "_static/deep/dot.png": "dot",
    "_static/unused.png": "nobody names it",
    "_static/early.js": "// early\nwindow.early = 1;",
    "_static/late.js": "window.late = 1;",
    "_static/now.js": "window.now = 1;",
    "_sources/index.md.txt": "# Source",
    ".buildinfo": "for Sphinx",
    "take/one.ipynb": "{}",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write(tmp_path / "written", WRITTEN)
    write(tmp_path / "site", {"old.html": "", "gone/old.css": ""})
    bundle(tmp_path / "written", tmp_path / "site")
    return tmp_path / "site"


def named(site: Path) -> set[str]:
    found = (path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    return {re.sub(r"\.[0-9a-f]{12}\.", ".", each) for each in found}


def test_what_pages_name_is_published_and_nothing_else(site: Path) -> None:
    assert named(site) == {
        *("index.html", "part/one.html", "take/one.ipynb"),
        *("_static/page.css", "_static/page.js", "_static/early.js", "_static/deep/dot.png"),
    }


def test_rules_and_scripts_keep_their_order(site: Path) -> None:
    [sheet] = site.glob("_static/page.*.css")
    assert re.findall(r"top:(\d)", sheet.read_text()) == ["1", "2", "3"]
    assert 'url("deep/dot.png")' in sheet.read_text()
    [script] = site.glob("_static/page.*.js")
    assert re.findall(r"window\.(\w+)", script.read_text()) == ["now", "late"]


def test_what_must_run_before_painting_is_not_put_off(site: Path) -> None:
    head, _, body = (site / "part/one.html").read_text().partition("<body>")
    assert re.search(r'<script src="\.\./_static/early\.[0-9a-f]{12}\.js"></script>', head)
    assert head.count("stylesheet") == 1
    assert body.count("<script defer ") == body.count("<script") == 1


def test_the_same_pages_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    bundle(tmp_path / "written", site)
    assert before == {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert (tmp_path / "written/index.html").read_text() == WRITTEN["index.html"]


def test_a_stylesheet_that_imports_another_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "written", WRITTEN | {"_static/a.css": '@import "other.css";'})
    with pytest.raises(PolytabError, match="imports another"):
        bundle(tmp_path / "written", tmp_path / "site")
