"""The head of a page tells search engines, previews and browsers what it is, in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup, Tag

from polytab.pages.frame.head import shorten
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook
from tests.support.languages_site import (
    ADDRESS,
    build_language,
    whole,
    write_catalogs,
    write_pages,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.built import Built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Built]:
    settings = write_pages(tmp_path_factory.mktemp("head") / "site", address=ADDRESS)
    write_catalogs(settings)
    return {code: build_language(settings, code) for code in ("en", "zh", "pt")}


def said(page: BeautifulSoup) -> dict[str, str]:
    """Return what the head says; a description must be there once only."""
    metas = page.select("head meta[property], head meta[name=description]")
    found = [(str(each.get("property", each.get("name"))), str(each["content"])) for each in metas]
    names = [name for name, _ in found if name != "og:locale:alternate"]
    assert len(names) == len(set(names))
    return dict(found)


@pytest.mark.parametrize(
    ("code", "description"),
    [("en", "Every snippet runs."), ("zh", "每段代码都能运行。"), ("pt", "Todo trecho roda.")],
)
def test_a_page_is_described_by_its_first_paragraph_in_its_language(
    built: Mapping[str, Built], code: str, description: str
) -> None:
    found = said(whole(built[code], "tour"))
    assert found["description"] == found["og:description"] == description


def test_a_page_without_a_paragraph_has_no_description(built: Mapping[str, Built]) -> None:
    found = said(whole(built["en"], "index"))
    assert "description" not in found
    assert "og:description" not in found


def test_a_preview_has_what_it_shows(built: Mapping[str, Built]) -> None:
    assert said(whole(built["zh"], "more/deep")) == {
        "og:title": "深处",
        "og:type": "article",
        "og:site_name": "小手册",
        "og:url": f"{ADDRESS}/zh/more/deep.html",
        "og:locale": "zh_CN",
        "og:locale:alternate": "pt_BR",
    }
    start = said(whole(built["zh"], "index"))
    assert (start["og:title"], start["og:type"]) == ("小手册", "website")


def test_a_language_without_a_territory_names_no_locale(built: Mapping[str, Built]) -> None:
    page = whole(built["en"], "tour")
    assert "og:locale" not in said(page)
    others = [each["content"] for each in page.select("[property='og:locale:alternate']")]
    assert others == ["zh_CN", "pt_BR"]


def test_without_an_address_a_preview_names_none(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    found = said(BeautifulSoup(build(tmp_path).text("tour.html"), "html.parser"))
    assert "og:title" in found
    assert "og:url" not in found


def test_what_a_title_and_a_paragraph_hold_is_text(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"docs/end.md": '# The `"end" <b>`\n\n*Quite* "the" `<end>` & more.\n'})
    built = build(tmp_path)
    found = said(BeautifulSoup(built.text("end.html"), "html.parser"))
    assert found["og:title"] == 'The "end" <b>'
    assert found["description"] == "Quite “the” <end> & more."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", "One. Two."),
        ("One\ntwo.\nThree.", "One two. Three."),
        (f"{'a' * 99}. {'b' * 90}. {'c' * 9}.", f"{'a' * 99}. {'b' * 90}."),
        (f"{'甲' * 49}。{'乙' * 49}。{'丙' * 9}。", f"{'甲' * 49}。{'乙' * 49}。"),
        (f"{'word ' * 50}end.", f"{'word ' * 39}word…"),
        ("字" * 300, f"{'字' * 99}…"),
        ("PyTorch 2.13 runs.", "PyTorch 2.13 runs."),
        ("We will see:", "We will see…"),
        ("It runs. We will see:", "It runs."),
        ("Une tâche\N{NO-BREAK SPACE}:", "Une tâche…"),
        ("一项任务：", "一项任务…"),
        ("One: two.", "One: two."),
        (f"{'word ' * 50}end:", f"{'word ' * 39}word…"),
    ],
)
def test_a_long_paragraph_is_cut_where_a_sentence_or_a_word_ends(text: str, expected: str) -> None:
    assert shorten(text) == expected
    assert len(expected) <= 200


@pytest.mark.parametrize(
    ("page", "icon"),
    [("tour", "_static/favicon.svg"), ("more/deep", "../_static/favicon.svg")],
)
def test_every_page_has_the_icon_and_the_colours_of_its_window(
    built: Mapping[str, Built], page: str, icon: str
) -> None:
    head = whole(built["en"], page)
    [link] = head.select("link[rel=icon]")
    assert link["href"] == icon
    assert (built["en"].app.outdir / "_static" / "favicon.svg").is_file()
    schemes = [each["media"] for each in head.select("meta[name=theme-color]")]
    assert schemes == ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]


def test_the_size_of_the_window_is_told_once(built: Mapping[str, Built]) -> None:
    assert len(whole(built["en"], "tour").select("meta[name=viewport]")) == 1


def test_the_icon_of_a_handbook_goes_before_ours(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    conf = FILES["conf.py"] + 'html_favicon = "own.svg"\n'
    write(tmp_path, {"conf.py": conf, "own.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"})
    page = BeautifulSoup(build(tmp_path).text("tour.html"), "html.parser")
    icons = [each["href"] for each in page.select("link[rel~=icon]")]
    assert icons == ["_static/own.svg"]


def test_a_page_begins_with_the_policy_that_sphinx_is_told(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    built = build(tmp_path, polytab_policy="default-src 'none'")
    pages = list(built.app.outdir.glob("*.html"))
    assert len(pages) == 3
    for each in pages:
        head = BeautifulSoup(each.read_text(encoding="utf-8"), "html.parser").head
        assert head is not None
        first = head.find(recursive=False)
        assert isinstance(first, Tag)
        assert first.attrs == {
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'",
        }
        assert len(head.select("meta[http-equiv]")) == 1


def test_a_preview_has_no_policy(built: Mapping[str, Built]) -> None:
    assert "Content-Security-Policy" not in built["en"].text("tour.html")
