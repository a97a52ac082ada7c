"""A handbook in three languages, as its readers meet it: one set of pages, one code."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING

import pytest

from polytab.translations.catalogs import catalog_path
from polytab.translations.po_parser import read_catalog
from tests.support.translated import CODES, page, polytab, write_translated

if TYPE_CHECKING:
    from polytab.settings import Settings

GENERATED = {"genindex.html", "search.html", "404.html"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Build all three languages."""
    settings = write_translated(tmp_path_factory.mktemp("languages") / "site")
    assert polytab(settings.root, "site") == 0
    return settings


def pages(settings: Settings, code: str) -> set[str]:
    top = settings.site / code
    return {path.relative_to(top).as_posix() for path in top.rglob("*.html")}


def blocks(settings: Settings, code: str, name: str) -> list[str]:
    """Return the text of every cell that a page shows."""
    return [
        each.get_text() for each in page(settings, f"{code}/{name}").select(".snippet-code pre")
    ]


def tokens(text: str, *, comments: bool = False) -> list[str]:
    """Return the tokens of a text, its comments or all others."""
    read = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        each.string
        for each in read
        if each.type != tokenize.NL and (each.type == tokenize.COMMENT) is comments
    ]


def test_every_language_has_the_same_pages(site: Settings) -> None:
    english = pages(site, "en")
    assert english >= {"index.html", "tour.html", "states.html", "bare.html", "more/deep.html"}
    assert pages(site, "zh") == pages(site, "pt") == english


@pytest.mark.parametrize("code", CODES[1:])
def test_a_page_without_a_catalog_is_there_in_english(site: Settings, code: str) -> None:
    [heading] = page(site, f"{code}/bare.html").select("article h1")
    assert heading["lang"] == "en"
    assert heading.get_text().startswith("Bare")


@pytest.mark.parametrize("code", CODES[1:])
def test_code_is_the_same_token_for_token_except_comments(site: Settings, code: str) -> None:
    for name in sorted(pages(site, "en") - GENERATED):
        english = blocks(site, "en", name)
        translated = blocks(site, code, name)
        assert [tokens(each) for each in translated] == [tokens(each) for each in english]
    assert len(blocks(site, code, "tour.html")) == 3


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["# Said once.", "# Add two numbers.", "# The sum.", "# Add two numbers."]),
        ("zh", ["# 说一次。", "# 把两个数相加。", "# 总和。", "# 把两个数相加。"]),
        ("pt", ["# Dito uma vez.", "# Some dois números.", "# A soma.", "# Some dois números."]),
    ],
)
def test_comments_are_in_the_language_of_the_page(
    site: Settings, code: str, said: list[str]
) -> None:
    shown = blocks(site, code, "tour.html")
    assert [each for text in shown for each in tokens(text, comments=True)] == said
    assert 'print("plain # text")' in shown[0]


@pytest.mark.parametrize("code", CODES[1:])
def test_outputs_and_anchors_are_the_same_in_all_languages(site: Settings, code: str) -> None:
    for name in ("tour.html", "speed.html"):
        articles = [page(site, f"{each}/{name}").select("article")[0] for each in ("en", code)]
        english, translated = ([text.get_text() for text in article.select(".output")]
                               for article in articles)  # fmt: skip
        assert translated == english
        here, there = ([str(each["id"]) for each in article.select("[id]")]
                       for article in articles)  # fmt: skip
        assert here == there


@pytest.mark.parametrize(
    ("code", "name", "label"), [("zh", "从权重到总和", "权重"), ("pt", "Dos pesos à soma", "pesos")]
)
def test_a_drawing_speaks_the_language_and_its_code_does_not(
    site: Settings, code: str, name: str, label: str
) -> None:
    [drawing] = page(site, f"{code}/tour.html").select("figure svg")
    assert drawing["aria-label"] == name
    assert [each.get_text() for each in drawing.select("text")] == [label, "weights"]


@pytest.mark.parametrize("code", CODES[1:])
def test_every_branch_of_a_verdict_is_translated_and_the_true_ones_are_shown(
    site: Settings, code: str
) -> None:
    catalog = read_catalog(catalog_path(site, site.language(code), "speed"), None)
    assert catalog is not None
    known = {entry.source: entry.translation for entry in catalog.entries}
    said = [known[f"Compiling {what}."] for what in ("pays", "costs")]
    assert all(said)
    text = page(site, f"{code}/speed.html").select("article")[0].get_text()
    assert all(each in text for each in said)
    assert ("1,46" if code == "pt" else "1.46") in text


@pytest.mark.parametrize("code", CODES)
def test_every_link_to_a_language_leads_to_a_page(site: Settings, code: str) -> None:
    for name in pages(site, code) - {"404.html"}:
        links = page(site, f"{code}/{name}").select("nav.languages a")
        assert len(links) == 3, name
        for link in links:
            to = ((site.site / code / name).parent / str(link["href"])).resolve()
            assert to.is_file(), (name, link)


def test_the_root_page_offers_the_languages_without_a_script(site: Settings) -> None:
    root = page(site, "index.html")
    for script in root.select("script"):
        script.decompose()
    assert [(each["href"], each["lang"], each["hreflang"]) for each in root.select("a")] == [
        ("en/index.html", "en", "en"),
        ("zh/index.html", "zh-CN", "zh-CN"),
        ("pt/index.html", "pt-BR", "pt-BR"),
    ]
    assert root.select("meta[http-equiv=refresh]") == []  # nobody is sent anywhere


@pytest.mark.parametrize("name", ["index.html", "404.html"])
def test_the_pages_above_the_languages_bear_every_title_once(site: Settings, name: str) -> None:
    """Two of the three languages have the same title."""
    above = page(site, name)
    [first, second] = dict.fromkeys(each.title for each in site.languages)
    [bearer] = above.select("h1" if name == "index.html" else ".book")
    assert [(each["lang"], each.get_text()) for each in bearer.select("span")] == [
        ("en", first),
        ("zh-CN", second),
    ]
    assert above.title is not None
    assert above.title.get_text().endswith(f"{first} · {second}")
