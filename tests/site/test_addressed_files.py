"""Given written pages, then they are published as they are, with the files that they address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.site.addressed_files import addressed_files, sheet_links, target_of
from polytab.site.language_files import files_in
from polytab.site.page import Link, read_pages
from polytab.site.publish import publish
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """\
<html><head><link rel="stylesheet" href="{0}_static/a.css?v=1"><script src="{0}_static/a.js">
</script></head><body><a href="{0}downloads/one.ipynb" download>x</a> <a href="https://a.example">x</a>
<a href="{0}more/a%20%26%20b.html#x">x</a> <img src="{0}_images/dot.png">
<a href="{0}../../secret.txt">x</a> <a href="//[">x</a><a href="never-was.html">x</a>
<dialog data-runtime="{0}_static/hits.js?v=2"></dialog></body></html>
"""
WRITTEN = {
    "index.html": PAGE.format(""),
    "more/a & b.html": PAGE.format("../"),
    "orphan.html": '<p>No page addresses this one.<img src="_images/of-orphan.png">',
    "gone.html": '<p>The source is gone.<a href="gone-too.html">x</a>',
    "gone-too.html": "<p>So is this one.",
    "_images/of-orphan.png": "dot",
    "_static/a.css": '@import "deep/b.css"; p { top: 1px }',
    "_static/deep/b.css": "@media print { p { background: url(../fonts/c.woff2?x#y) } }",
    "_static/fonts/c.woff2": "font",
    "_static/unused.css": "p { background: url(lonely.png) }",
    "_static/lonely.png": "nobody addresses what addresses it",
    "_static/a.js": "// a",
    "_static/hits.js": "// hits",
    "_static/searchtools.js": "of Sphinx's own search",
    "_images/dot.png": "dot",
    "_images/old.png": "of an earlier build",
    "_sources/index.md.txt": "# Source",
    ".buildinfo": "for Sphinx",
    "objects.inv": "for other books",
    "downloads/one.ipynb": "{}",
}
PUBLISHED = {
    *("index.html", "more/a & b.html", "orphan.html", "_images/of-orphan.png"),
    *("downloads/one.ipynb", "objects.inv", "_images/dot.png"),
    *("_static/a.css", "_static/deep/b.css", "_static/fonts/c.woff2"),
    *("_static/a.js", "_static/hits.js"),
}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write(tmp_path, {"secret.txt": "", **{f"written/en/{name}": WRITTEN[name] for name in WRITTEN}})
    return tmp_path / "written" / "en"


def chosen(written: Path) -> dict[str, Path]:
    files = files_in(written, "en")
    pages = read_pages(files, written.parent / "kept.json")
    return addressed_files(files, pages, ["en/index.html", "en/orphan.html"])


def test_what_pages_address_is_published_and_nothing_else(written: Path) -> None:
    assert set(chosen(written)) == {f"en/{name}" for name in PUBLISHED}


def test_what_a_page_that_no_document_is_behind_addresses_is_published(written: Path) -> None:
    files = files_in(written, "en")
    bare = {"index.html": b'<link href="en/_static/lonely.png">'}
    pages = read_pages({**files, **bare}, written.parent / "kept.json")
    assert set(addressed_files(files, pages, ["index.html"])) == {
        *("en/_static/lonely.png", "en/objects.inv"),
    }


def test_every_file_is_published_as_it_was_written(written: Path, tmp_path: Path) -> None:
    publish(tmp_path / "site", chosen(written))
    for name in PUBLISHED:
        assert (tmp_path / "site" / "en" / name).read_text() == WRITTEN[name]
    assert (written / "_static/unused.css").is_file()  # Sphinx can build on it the next time


MARKUP = st.text(st.sampled_from("<>/=\"'& \n\r\t\0ab1.0é</p><pre>") | st.characters(codec="utf-8"))


@given(MARKUP | st.binary())
def test_nothing_in_a_page_is_changed(
    tmp_path_factory: pytest.TempPathFactory, content: str | bytes
) -> None:
    """Whatever Sphinx has written, to the byte: so each word, number, drawing and attribute."""
    folder = tmp_path_factory.mktemp("page")
    page = content if isinstance(content, bytes) else content.encode()
    page = page.replace(b"<![", b"<!")  # no HTML, and an error
    write(folder, {"written/index.html": ""})
    (folder / "written" / "index.html").write_bytes(page)
    publish(folder / "site", chosen(folder / "written"))
    assert (folder / "site" / "en" / "index.html").read_bytes() == page


@pytest.mark.parametrize(
    ("sheet", "links"),
    [
        ("p{background:url(a.png)}", [("a.png", 1)]),
        ("p{\nbackground:url( 'a b.png' ) , url(\"c.png\")}", [("a b.png", 2), ("c.png", 2)]),
        ("@media print{@supports (top:0){p{mask:url(a.svg#x)}}}", [("a.svg#x", 1)]),
        ("@import 'a.css';\n@import url(b.css) print;", [("a.css", 1), ("b.css", 2)]),
        ("p{filter:url(#blur)}/* url(no.png) */q{content:'url(no.png)'}", []),
        ("p{} } q{background:url(a.png", [("a.png", 1)]),
        ("}{ url(", []),
    ],
)
def test_a_stylesheet_addresses_files(sheet: str, links: list[tuple[str, int]]) -> None:
    assert sheet_links(sheet.encode()) == tuple(Link(*each) for each in links)


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("b.png", "en/more/b.png"),
        ("../b%20c.png?v=1#x", "en/b c.png"),
        ("../../../b.png", "../b.png"),
        ("#x", ""),
        ("/b.png", ""),
        ("https://a.example/b.png", ""),
        ("//a.example/b.png", ""),
        ("data:image/png;base64,xx", ""),
        ("//[", ""),
    ],
)
def test_a_relative_address_means_a_file(address: str, target: str) -> None:
    assert target_of("en/more/a.html", address) == target
