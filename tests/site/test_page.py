"""Given a written page, when it is read, then what it holds is known, and kept while it is so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polytab.site import page as module
from polytab.site.html import parse
from polytab.site.page import Link, read_page, read_pages
from tests.site.pages import PAGE
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.site.html import Element


def test_a_page_says_what_it_holds() -> None:
    page = read_page("en/tour.html", PAGE.encode())
    assert page.ids >= {"top", "named", "dot"}
    assert page.previews == {"og:title": "Tour & <b>"}
    assert page.links == (
        Link("_static/a.css?v=1", 4),
        Link("other.html#x", 6),
        Link("dot.png", 7),
        Link("#dot", 7),
        Link("_static/hits.js", 8),
    )
    assert page.complaints == ((1, "the page does not begin its head with its policy"),)


@given(st.binary() | st.text("<>/!-&#;[]='\" \nabps?").map(str.encode))
def test_any_page_is_read(content: bytes) -> None:
    assume(b"<![" not in content)
    page = read_page("en/a.html", content)
    assert all(1 <= link.line <= content.count(b"\n") + 1 for link in page.links)
    assert page.complaints


def test_of_all_files_pages_are_read_each_under_its_path(tmp_path: Path) -> None:
    write(tmp_path, {"tour.html": PAGE})
    files: dict[str, bytes | Path] = {
        "en/tour.html": tmp_path / "tour.html",
        "a.html": b"<p>",
        "x.js": b"<p>",
    }
    read = read_pages(files, tmp_path / "kept.json")
    assert list(read) == ["a.html", "en/tour.html"]
    assert read["en/tour.html"] == read_page("en/tour.html", PAGE.encode())


def _kept(folder: Path, files: dict[str, bytes]) -> set[str]:
    """Read pages; return the keys of those that are kept."""
    read = read_pages({name: files[name] for name in files}, folder / "kept.json")
    assert read == {name: read_page(name, files[name]) for name in sorted(files)}
    return set(json.loads((folder / "kept.json").read_bytes()))


def test_a_page_that_is_the_same_is_not_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def count(path: str, content: bytes) -> Element:
        parsed.append(path)
        return parse(path, content)

    files: dict[str, bytes | Path] = {"en/tour.html": PAGE.encode(), "zh/tour.html": PAGE.encode()}
    kept = tmp_path / "kept.json"
    first = read_pages(files, kept)
    monkeypatch.setattr(module, "parse", count)
    assert read_pages(files, kept) == first
    assert parsed == []
    changed = read_pages({**files, "en/tour.html": b"<p>"}, kept)
    assert parsed == ["en/tour.html"]
    assert changed["zh/tour.html"] == first["zh/tour.html"]
    assert len(json.loads(kept.read_bytes())) == 2  # nothing of what is gone


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', '{"a": {"ids": 1}}', "null"])
def test_a_damaged_file_means_that_all_pages_are_parsed(tmp_path: Path, text: str) -> None:
    files = {"en/tour.html": PAGE.encode()}
    kept = _kept(tmp_path, files)
    (tmp_path / "kept.json").write_text(text, encoding="utf-8")
    assert _kept(tmp_path, files) == kept


def test_what_another_engine_knew_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"en/tour.html": PAGE.encode()}
    kept = _kept(tmp_path, files)
    monkeypatch.setattr(module, "engine_digest", lambda: "another")
    assert not kept & _kept(tmp_path, files)
