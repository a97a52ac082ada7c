"""What a page offers to take away, and where it leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.export.trip import GITHUB, write_trip
from tests.support.built import build
from tests.support.handbook import write
from tests.support.languages_site import build_language

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from polytab.settings import Settings
    from tests.support.built import Built


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return write_trip(tmp_path_factory.mktemp("control") / "site", repository=GITHUB)


@pytest.fixture(scope="module")
def english(trip: Settings) -> Built:
    return build_language(trip, "en")


def _rows(page: Tag) -> dict[str, Tag]:
    rows = page.select(".downloads > .downloads-row")
    return {str(row.get("data-framework")): row for row in rows}


def _links(row: Tag) -> dict[str, str]:
    return {link.get_text(): str(link["href"]) for link in row.find_all("a")}


def test_each_framework_of_the_page_has_a_row_and_the_first_is_seen(english: Built) -> None:
    rows = _rows(english.page("trip"))
    assert list(rows) == ["torch", "mxnet"]
    assert [row.has_attr("hidden") for row in rows.values()] == [False, True]
    assert _links(rows["torch"]) == {
        "Notebook (PyTorch)": "downloads/trip-torch.ipynb",
        "Python (PyTorch)": "downloads/trip-torch.py",
        "Open in Colab (PyTorch)": (
            "https://colab.research.google.com/github/books/tiny/"
            "blob/gh-pages/en/downloads/trip-torch.ipynb"
        ),
    }


def test_where_colab_cannot_the_reason_is_said(trip: Settings, english: Built) -> None:
    row = _rows(english.page("trip"))["mxnet"]
    assert list(_links(row)) == ["Notebook (MXNet)", "Python (MXNet)"]
    said = {code: _rows(build_language(trip, code).page("trip"))["mxnet"] for code in ("zh", "pt")}
    spans = {
        code: each.select_one(".downloads-reason") for code, each in {"en": row, **said}.items()
    }
    assert {code: (span.get_text(), span.get("lang")) for code, span in spans.items() if span} == {
        "en": ("Not there.", None),
        "zh": ("那里不行。", None),
        "pt": ("Not there.", "en"),
    }


@pytest.mark.parametrize("repository", [None, "https://forge.example/books/tiny"])
def test_colab_opens_notebooks_from_github_alone(tmp_path: Path, repository: str | None) -> None:
    addresses = {"repository": repository} if repository else {}
    page = build(write_trip(tmp_path, **addresses).root).page("trip")
    assert "Colab" not in page.get_text()
    assert page.select(".downloads-reason") == []


def test_without_script_a_list_offers_every_framework(english: Built) -> None:
    [listed] = english.page("trip").select(".downloads noscript details")
    assert [
        row.select(".downloads-label")[0].get_text() for row in listed.select(".downloads-row")
    ] == [
        "PyTorch",
        "MXNet",
    ]
    for shown, kept in zip(
        listed.select("a"), english.page("trip").select(".downloads > p a"), strict=True
    ):
        assert shown["href"] == kept["href"]


def test_a_page_of_plain_python_needs_neither_choice_nor_script(english: Built) -> None:
    page = english.page("plain")
    assert list(_rows(page)) == ["python"]
    assert page.select(".downloads-chosen, .downloads noscript") == []


def test_a_page_without_code_offers_nothing(english: Built) -> None:
    assert english.page("words").select(".downloads") == []
    assert english.page("index").select(".downloads") == []


def test_every_link_leads_to_a_file(english: Built) -> None:
    links = [
        link for name in ("trip", "plain") for link in english.page(name).select(".downloads a")
    ]
    for link in links:
        if not str(link["href"]).startswith("https:"):
            assert (english.app.outdir / str(link["href"])).is_file()
    assert len(links) == 13


def test_a_helpers_comment_reaches_the_downloads(tmp_path: Path) -> None:
    root = write_trip(tmp_path).root
    before = build(root)
    measure = (root / "snippets" / "measure.py").read_text(encoding="utf-8")
    write(root, {"snippets/measure.py": measure.replace("Twice as much.", "The double.")})
    after = build(root)
    assert "# The double.\n" in after.text("downloads/trip-torch.ipynb").replace("\\n", "\n")
    assert set(before.read) == {"index", "plain", "trip", "words"}
    assert set(after.read) == {"plain", "trip"}  # those with scripts; which use it is not asked
