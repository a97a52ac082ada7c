"""Given written pages, when they are indexed, then sections are what can be found."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote
from xml.etree.ElementTree import tostring

import pytest
from bs4 import BeautifulSoup

from polytab.errors import PolytabError
from polytab.search.index import index_sections, split
from polytab.search.pairs import spell_pairs
from polytab.site.html import parse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree import ElementTree as ET

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


HIDDEN = PAGE.replace(" data-pagefind-body", "")
PAGES = {"tour.html": PAGE, "more/tour.html": PAGE, "genindex.html": HIDDEN}


def root(markup: str) -> ET.Element:
    return parse("en/a.html", markup.encode())


def roots(pages: Mapping[str, str] = PAGES) -> dict[str, ET.Element]:
    return {address: root(markup) for address, markup in pages.items()}


def index_pages(pages: Mapping[str, ET.Element], tag: str) -> dict[str, bytes]:
    """Index the sections of all pages, which are given by their addresses."""
    return index_sections(
        [section for address in pages for section in split(address, pages[address])], tag
    )


def read(number: int, address: str = "tour.html", markup: str = PAGE) -> BeautifulSoup:
    return BeautifulSoup(list(split(address, root(markup)))[number], "html.parser")


def fragments(files: Mapping[str, bytes]) -> dict[str, dict[str, object]]:
    """Return what Pagefind has kept of each section, by its address."""
    found = {}
    for name, content in files.items():
        if not name.startswith("fragment/"):
            continue
        text = gzip.decompress(content).decode()
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


def test_each_section_has_an_address_and_a_page_has_its_own() -> None:
    found = [read(number, "more/tour.html").select_one("[id^=at]") for number in range(3)]
    assert [unquote(str(each["id"])) for each in found if each is not None] == [
        "at|more/tour.html",
        "at|more/tour.html#deep",
        "at|more/tour.html#deeper",
    ]


def test_a_page_that_is_not_marked_has_no_sections() -> None:
    assert list(split("genindex.html", root(HIDDEN))) == []


def test_a_page_that_is_read_by_others_too_stays_as_it_is() -> None:
    page = root(PAGE)
    first = list(split("tour.html", page))
    assert list(split("tour.html", page)) == first
    assert tostring(page) == tostring(root(PAGE))


def test_a_section_without_a_heading_has_its_words_and_no_title() -> None:
    page = PAGE.replace("<h2>Deep &amp; <code>low</code></h2>", "")
    deep, deeper = read(1, markup=page), read(2, markup=page)
    assert deep.select("[data-pagefind-meta]") == []
    above = [each.select_one("[id^=above]") for each in (deep, deeper)]
    assert [unquote(str(each["id"])) for each in above if each] == ["above|Tour", "above|Tour"]
    assert "After the tabs." in deep.get_text()


def test_a_section_that_no_link_can_name_belongs_to_the_one_around_it() -> None:
    page = PAGE.replace('<section id="deeper">', "<section>")
    assert len(list(split("tour.html", root(page)))) == 2
    assert "an item" in read(1, markup=page).get_text()


def test_tabs_of_another_kind_are_words_too() -> None:
    page = PAGE.replace("data-tab=", "name=")
    panels = read(1, markup=page).select("[role=tabpanel]")
    assert [each["id"] for each in panels] == ["net-torch", "net-jax"]


def test_a_section_has_its_own_words_then_those_of_its_tabs() -> None:
    body = read(1).select_one("body")
    assert body is not None
    assert body.get_text(" ", strip=True).split() == (
        ["Deep", "&", "low", "After", "the", "tabs.", "Eager", "name", ".", "traced"]
    )


def test_a_tab_says_its_id_its_framework_and_its_title() -> None:
    panels = read(1).select("[role=tabpanel]")
    assert [each["id"] for each in panels] == ["tab|net-torch|torch|PyTorch", "tab|net-jax|jax|JAX"]


def test_a_section_says_its_title_and_the_titles_above_it() -> None:
    deeper = read(2)
    assert [each.get_text() for each in deeper.select("[data-pagefind-meta]")] == ["Deeper"]
    assert [unquote(str(each["id"])) for each in deeper.select("[id^=above]")] == [
        "above|Tour › Deep & low"
    ]


def test_what_introduces_a_word_weighs_more_than_what_repeats_it() -> None:
    def weight(number: int, selector: str) -> float:
        found = read(number).select_one(selector)
        assert found is not None
        return float(str(found.get("data-pagefind-weight", "1")))

    assert weight(0, "p em") > weight(1, "p") > weight(1, "pre")
    assert weight(1, "a.external code") > weight(0, "p em")
    assert weight(2, "li em") == 1
    assert weight(2, "li") < 1


def test_the_index_holds_the_sections_and_no_page_of_pagefinds_own() -> None:
    files = index_pages(roots(), "en")
    found = fragments(files)
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
    names = {name for name in files if name.endswith((".js", ".css"))}
    assert names == {"pagefind.js", "pagefind-worker.js"}


def test_an_index_is_the_same_each_time() -> None:
    assert index_pages(roots(), "en") == index_pages(roots(), "en")


def test_where_nothing_is_to_be_found_there_is_no_index() -> None:
    assert index_pages(roots({"genindex.html": "<html><body><article><p>Words"}), "en") == {}


def test_a_pagefind_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFIND_OUTPUT_PATH", "/dev/null/nowhere")
    monkeypatch.setenv("PAGEFIND_ROOT_SELECTOR", "[")
    with pytest.raises(PolytabError, match="Pagefind could not index the pages: "):
        index_sections(["<html><body>Words"], "en")


def test_chinese_is_cut_into_pairs_that_no_dictionary_cuts_again() -> None:
    page = PAGE.replace("After the tabs.", "把<em>编译器</em>，PyTorch的图")
    found = fragments(index_pages(roots({"tour.html": page}), "zh-CN"))
    content = str(found["tour.html#deep"]["content"])
    pairs = spell_pairs("把"), spell_pairs("编译器"), "，PyTorch", spell_pairs("的图")
    assert " ".join("".join(pairs).split()) in content


FOLDED = PAGE.replace(
    "<p>After the tabs.</p>",
    '<details class="fold" id="inner" open="open"><summary>For <em>some</em></summary>'
    "<p>Folded.</p></details><details><summary>The numbers</summary><p>7</p></details>",
)


def test_a_fold_is_found_by_itself_under_its_title_and_the_titles_above_it() -> None:
    whole, around, fold, _deeper = (read(number, markup=FOLDED) for number in range(4))
    assert [unquote(str(each["id"])) for each in fold.select("body > span")] == [
        "at|tour.html#inner",
        "above|Tour › Deep & low",
    ]
    [title] = fold.select("[data-pagefind-meta=title]")
    assert (title.name, title.get_text()) == ("summary", "For some")
    assert "Folded." in fold.get_text()
    for other in (whole, around):
        assert "Folded." not in other.get_text()
    assert "The numbers" in around.get_text()


def test_what_else_a_section_is_called_stands_behind_all_its_words() -> None:
    named = PAGE.replace("</h2>", '</h2><span data-search-names="overhead|call cost"></span>')
    deep = read(1, markup=named)
    anchor = deep.find(id="names")
    assert anchor is not None
    after = [each.get_text() for each in anchor.find_all_next("p")]
    assert after == ["overhead", "call cost"]
    assert anchor.find_next("div")["data-pagefind-weight"] == "8.0"  # type: ignore[index]
    assert deep.get_text().count("overhead") == 1
    assert "overhead" in deep.get_text().split()
    assert "overhead" not in read(0, markup=named).get_text()
