"""Given written pages, when they are indexed, then sections are what can be found."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from polytab.errors import PolytabError
from polytab.search.index import FOLDER, _run_pagefind, index_pages, split
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """\
<html lang="en"><body><nav>All pages</nav><article data-pagefind-body role="main">
<section id="tour"><h1>Tour<a class="headerlink" href="#tour">¶</a></h1>
<div class="chooser">Framework</div><p>The <em>first</em> words.</p>
<section id="deep"><h2>Deep &amp; <code>low</code></h2>
<div class="sphinx-tabs"><div role="tablist">
<button data-tab="torch" role="tab">PyTorch</button>
<button data-tab="jax" role="tab">JAX</button></div>
<p class="tab-absence" hidden></p>
<div class="sphinx-tabs-panel" id="net-torch" role="tabpanel">
<p class="tab-title">PyTorch</p><p>Eager <a class="external"><code>name</code></a>.</p></div>
<div class="sphinx-tabs-panel" id="net-jax" role="tabpanel">
<p class="tab-title">JAX</p><pre>traced</pre><div class="provenance">JAX 1.2</div></div>
</div><p>After the tabs.</p>
<section id="deeper"><h3>Deeper</h3><ul><li><p>an <em>item</em></p></li></ul></section>
</section></section></article></body></html>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    hidden = PAGE.replace(" data-pagefind-body", "")
    write(tmp_path, {"tour.html": PAGE, "more/tour.html": PAGE, "genindex.html": hidden})
    return tmp_path


def read(folder: Path, number: int, page: str = "tour.html") -> BeautifulSoup:
    return BeautifulSoup(list(split(folder / page, folder, "en-GB"))[number], "html.parser")


def fragments(folder: Path) -> dict[str, dict[str, object]]:
    """Return what Pagefind has kept of each section, by its address."""
    found = {}
    for path in (folder / FOLDER / "fragment").iterdir():
        text = gzip.decompress(path.read_bytes()).decode()
        fragment = json.loads(text[text.index("{") :])
        [address] = [
            unquote(each["id"][3:]) for each in fragment["anchors"] if each["id"][:3] == "at|"
        ]
        found[address] = fragment
    return found


def notes(fragment: dict[str, object]) -> list[str]:
    """Return what the anchors of a section say of it."""
    anchors = cast("list[dict[str, str]]", fragment["anchors"])
    return [unquote(each["id"]) for each in anchors if "|" in each["id"]]


def test_each_section_has_an_address_and_a_page_has_its_own(folder: Path) -> None:
    found = [read(folder, number, "more/tour.html").select_one("[id^=at]") for number in range(3)]
    assert [unquote(str(each["id"])) for each in found if each is not None] == [
        "at|more/tour.html",
        "at|more/tour.html#deep",
        "at|more/tour.html#deeper",
    ]


def test_a_page_that_is_not_marked_has_no_sections(folder: Path) -> None:
    assert list(split(folder / "genindex.html", folder, "en")) == []


def test_a_section_has_its_own_words_then_those_of_its_tabs(folder: Path) -> None:
    body = read(folder, 1).select_one("body")
    assert body is not None
    assert body.get_text(" ", strip=True).split() == (
        ["Deep", "&", "low", "After", "the", "tabs.", "Eager", "name", ".", "traced"]
    )


def test_a_tab_says_its_id_its_framework_and_its_title(folder: Path) -> None:
    panels = read(folder, 1).select("[role=tabpanel]")
    assert [each["id"] for each in panels] == ["tab|net-torch|torch|PyTorch", "tab|net-jax|jax|JAX"]


def test_a_section_says_its_title_and_the_titles_above_it(folder: Path) -> None:
    deeper = read(folder, 2)
    assert [each.get_text() for each in deeper.select("[data-pagefind-meta]")] == ["Deeper"]
    assert [unquote(str(each["id"])) for each in deeper.select("[id^=above]")] == [
        "above|Tour › Deep & low"
    ]


def test_what_introduces_a_word_weighs_more_than_what_repeats_it(folder: Path) -> None:
    def weight(number: int, selector: str) -> float:
        found = read(folder, number).select_one(selector)
        assert found is not None
        return float(str(found.get("data-pagefind-weight", "1")))

    assert weight(0, "p em") > weight(1, "p") > weight(1, "pre")
    assert weight(1, "a.external code") > weight(0, "p em")
    assert weight(2, "li em") == 1
    assert weight(2, "li") < 1


def test_the_index_holds_the_sections_and_no_page_of_pagefinds_own(folder: Path) -> None:
    assert index_pages(folder, "en") == 6
    found = fragments(folder)
    assert len(found) == 6
    deep = found["tour.html#deep"]
    assert deep["meta"] == {"title": "Deep & low"}
    assert notes(deep) == [
        "at|tour.html#deep",
        "above|Tour",
        "tab|net-torch|torch|PyTorch",
        "tab|net-jax|jax|JAX",
    ]
    deeper = found["tour.html#deeper"]
    assert notes(deeper) == ["at|tour.html#deeper", "above|Tour › Deep & low"]
    names = {path.name for path in (folder / FOLDER).iterdir() if path.suffix in {".js", ".css"}}
    assert names == {"pagefind.js", "pagefind-worker.js"}


def test_an_index_is_the_same_each_time_and_forgets_what_is_gone(folder: Path) -> None:
    index_pages(folder, "en")
    files = {path: path.read_bytes() for path in (folder / FOLDER).rglob("*") if path.is_file()}
    index_pages(folder, "en")
    again = {path: path.read_bytes() for path in (folder / FOLDER).rglob("*") if path.is_file()}
    assert files == again
    (folder / "more" / "tour.html").unlink()
    assert index_pages(folder, "en") == 3
    assert not any(address.startswith("more/") for address in fragments(folder))


def test_where_nothing_is_to_be_found_there_is_no_index(tmp_path: Path) -> None:
    write(tmp_path, {"genindex.html": "<html><body><article><p>Words"})
    assert index_pages(tmp_path, "en") == 0
    assert not (tmp_path / FOLDER).exists()


def test_a_pagefind_that_fails_is_an_error(folder: Path) -> None:
    (folder / "taken").write_text("")
    with pytest.raises(PolytabError, match="Pagefind could not index the pages: "):
        _run_pagefind(["<html><body>Words"], folder / "taken" / "index")


def test_chinese_is_cut_into_words(folder: Path) -> None:
    write(folder, {"tour.html": PAGE.replace("After the tabs.", "编译器改写计算图")})
    index_pages(folder, "zh-CN")
    content = str(fragments(folder)["tour.html#deep"]["content"])
    assert "计算\u200b图" in content
