"""Given the terms of a book, when it is built, then a page lists them as each language does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.translations.templates import extract
from tests.pages.terms.site import TERMS, built_in, write_book

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag


def entries(article: Tag) -> dict[str, list[str]]:
    """Return what is said of each term, by its name, in the order of the page."""
    names = [each.get_text(" ", strip=True).rstrip("¶ ") for each in article.select(".terms dt")]
    said = [[p.get_text() for p in each.select("p")] for each in article.select(".terms dd")]
    return dict(zip(names, said, strict=True))


def test_english_terms_are_sorted_defined_and_placed(tmp_path: Path) -> None:
    built = built_in(write_book(tmp_path), "en")
    article = built.page("terms")
    assert entries(article) == {
        "latency": ["Time to the first byte.", "See “Moving”."],
        "zebra": ["Bytes per second.", "Also called bandwidth or zebras. See “Moving”."],
    }
    links = [each["href"] for each in article.select(".terms dd a")]
    assert links == ["speed.html#moving"] * 2


def test_a_translated_term_has_its_name_the_english_and_a_translated_definition(
    tmp_path: Path,
) -> None:
    article = built_in(write_book(tmp_path), "zh").page("terms")
    assert entries(article) == {
        "带宽 zebra": ["每秒字节数。", "也称内存带宽。见“搬运”。"],
        "延迟 latency": ["Time to the first byte.", "见“搬运”。"],
    }
    assert [each["lang"] for each in article.select(".terms dt [lang]")] == ["en", "en"]


def test_a_definition_is_extracted_as_a_message_of_the_page(tmp_path: Path) -> None:
    templates = {each.name: each.entries for each in extract(write_book(tmp_path))}
    found = {each.source: each.locations for each in templates["terms"]}
    assert found["Bytes per second."] == ("docs/terms.toml",)


def test_the_page_is_read_again_when_a_definition_changed(tmp_path: Path) -> None:
    settings = write_book(tmp_path)
    built_in(settings, "en")
    file = settings.docs / "terms.toml"
    file.write_text(TERMS.replace("Bytes per", "Octets per"), encoding="utf-8")
    again = built_in(settings, "en")
    assert sorted(again.read) == ["speed", "terms"]
    assert "Octets per second." in entries(again.page("terms"))["zebra"]


@pytest.mark.parametrize("wrong", ["[zebra", "[zebra]\ndefinition = 1\n"])
def test_terms_that_cannot_be_read_are_a_warning(wrong: str, tmp_path: Path) -> None:
    assert "docs/terms.toml" in built_in(write_book(tmp_path, wrong), "en").warnings
