"""The e-books that pages offer: those made from exactly these pages, and no other."""

from __future__ import annotations

import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest

from polytab.export.books.ebooks import make_ebooks
from polytab.export.books.made import note_path
from polytab.settings import load_settings
from polytab.site import build as site
from polytab.site.last_build import unchanged
from tests.export.trip import write_trip
from tests.support.built import build
from tests.support.ebooks import lay_ebook
from tests.support.handbook import write
from tests.support.languages_site import build_language

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from polytab.settings import Settings
    from tests.support.built import Built


def _lay_some(settings: Settings) -> None:
    lay_ebook(settings, "en", "torch", ".epub", 2000)
    lay_ebook(settings, "en", "torch", ".pdf", 3_500_000)
    lay_ebook(settings, "en", None, ".epub", 4_000_000)
    lay_ebook(settings, "zh", "torch", ".epub", 2000)
    lay_ebook(settings, "pt", "mxnet", ".pdf", 3_500_000)


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return write_trip(tmp_path_factory.mktemp("offered") / "site")


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory, trip: Settings) -> Settings:
    root = tmp_path_factory.mktemp("offering") / "site"
    settings = load_settings(shutil.copytree(trip.root, root))
    _lay_some(settings)
    return settings


@pytest.fixture(scope="module")
def english(offering: Settings) -> Built:
    return build_language(offering, "en")


@pytest.fixture
def book(trip: Settings, tmp_path: Path) -> Settings:
    return load_settings(shutil.copytree(trip.root, tmp_path / "site"))


def _links(part: Tag) -> dict[str, str]:
    """Return the links to e-books by what is heard of them."""
    links = [each for each in part.select("a") if "books/" in str(each["href"])]
    return {each.get_text().replace("\xa0", " "): str(each["href"]) for each in links}


def _row(built: Built, framework: str) -> Tag:
    [row] = built.page("trip").select(f'.downloads > [data-framework="{framework}"]')
    return row


def _offers(built: Built) -> dict[str, str]:
    return {**_links(built.page("index")), **_links(built.page("trip"))}


def test_a_row_ends_with_the_ebooks_of_its_framework(english: Built) -> None:
    row = _row(english, "torch")
    assert _links(row) == {
        "EPUB (1.95 KiB) (PyTorch)": "books/en-torch.epub",
        "PDF (3.34 MiB) (PyTorch)": "books/en-torch.pdf",
    }
    assert [each.get_text() for each in row.select(".downloads-label")] == [
        "Download this page",
        "Whole book",
    ]
    assert row.select("a")[0]["href"] == "downloads/trip-torch.ipynb"


def test_a_framework_without_an_ebook_offers_none(english: Built) -> None:
    row = _row(english, "mxnet")
    assert _links(row) == {}
    assert row.select(".downloads-book") == []
    assert _links(english.page("plain")) == {}


def test_the_start_page_lists_all_that_there_are(english: Built) -> None:
    [listed] = english.page("index").select(".downloads > details")
    assert [each.get_text() for each in listed.select("summary")] == ["Download the whole book"]
    labels = [each.get_text() for each in listed.select(".downloads-label")]
    assert labels == ["PyTorch", "All frameworks"]
    assert _links(listed) == {
        "EPUB (1.95 KiB) (PyTorch)": "books/en-torch.epub",
        "PDF (3.34 MiB) (PyTorch)": "books/en-torch.pdf",
        "EPUB (3.81 MiB) (All frameworks)": "books/en.epub",
    }


def test_without_script_the_list_of_a_page_has_them_too(english: Built) -> None:
    [listed] = english.page("trip").select(".downloads noscript details")
    assert list(_links(listed).values()) == ["books/en-torch.epub", "books/en-torch.pdf"]


def test_beside_the_pages_lies_what_was_made(offering: Settings, english: Built) -> None:
    beside = english.app.outdir / "books"
    made = offering.build / "books"
    assert {path.name for path in beside.iterdir()} == {"en-torch.epub", "en-torch.pdf", "en.epub"}
    for path in beside.iterdir():
        assert path.read_bytes() == (made / path.name).read_bytes()


@pytest.mark.parametrize(
    ("code", "framework", "said", "summary"),
    [
        ("zh", "torch", {"EPUB（1.95 KiB） (PyTorch)": "books/zh-torch.epub"}, "下载整本书"),
        ("pt", "mxnet", {"PDF (3,34 MiB) (MXNet)": "books/pt-mxnet.pdf"}, "Baixar o livro inteiro"),
    ],
)
def test_each_language_offers_its_own_in_its_words(
    offering: Settings, code: str, framework: str, said: dict[str, str], summary: str
) -> None:
    built = build_language(offering, code)
    assert _links(_row(built, framework)) == said
    assert _links(built.page("index")) == said
    assert built.page("index").select("summary")[0].get_text() == summary


def test_where_none_was_made_nothing_is_shown(trip: Settings) -> None:
    built = build_language(trip, "en")
    assert _offers(built) == {}
    assert built.page("index").select(".downloads") == []
    assert not (built.app.outdir / "books").exists()


def test_a_preview_offers_none(offering: Settings, tmp_path: Path) -> None:
    root = shutil.copytree(offering.root, tmp_path / "site")
    built = build(root, polytab_preview=True)
    assert _offers(built) == {}
    assert not (built.app.outdir / "books").exists()


def test_pages_follow_what_is_offered_and_are_not_read_again(book: Settings) -> None:
    assert _offers(build(book.root)) == {}
    made = lay_ebook(book, "en", "torch", ".epub", 2000)
    again = build(book.root)
    assert again.read == ()
    assert list(_offers(again)) == ["EPUB (1.95 KiB) (PyTorch)"]
    lay_ebook(book, "en", "torch", ".epub", 3000)
    again = build(book.root)
    assert again.read == ()
    assert list(_offers(again)) == ["EPUB (2.93 KiB) (PyTorch)"]
    made.unlink()
    again = build(book.root)
    assert again.read == ()
    assert _offers(again) == {}
    assert list((again.app.outdir / "books").iterdir()) == []


def test_an_ebook_that_is_older_than_the_pages_is_not_offered(book: Settings) -> None:
    lay_ebook(book, "en", "torch", ".epub", 2000)
    assert len(_offers(build(book.root))) == 1
    write(book.root, {"docs/words.md": "# Words\n\nOther words.\n"})
    again = build(book.root)
    assert again.read == ("words",)
    assert _offers(again) == {}
    assert not (again.app.outdir / "books" / "en-torch.epub").exists()


def _publish(settings: Settings, *codes: str) -> None:
    languages = [settings.language(code) for code in codes]
    said: list[str] = []
    assert site.build(settings, languages, strict=False, report=said.append) == 0, said


def test_an_export_is_published_by_the_next_build_and_outdated_by_an_edit(book: Settings) -> None:
    """Slow: the EPUB is a real one, and the site is built three times, strictly linked."""
    _publish(book, "en", "pt")
    english, torch = book.source_language, book.framework("torch")
    published = book.site / "en" / "books" / "en-torch.epub"
    assert unchanged(book, [english], strict=False)
    make_ebooks(book, [english], lambda _: None, torch)
    assert not unchanged(book, [english], strict=False)
    _publish(book, "en", "pt")
    assert unchanged(book, [english], strict=False)
    with zipfile.ZipFile(published) as epub:
        assert epub.testzip() is None
        assert "Only <strong>torch</strong>" in epub.read("trip.xhtml").decode()
    assert not (book.site / "pt" / "books").exists()
    assert 'href="books/en-torch.epub"' in (book.site / "en" / "index.html").read_text("utf-8")
    note_path(book.build / "books" / "en-torch.epub").unlink()
    assert not unchanged(book, [english], strict=False)
    write(book.root, {"docs/words.md": "# Words\n\nOther words.\n"})
    _publish(book, "en", "pt")
    assert not (book.site / "en" / "books").exists()
    assert "books/" not in (book.site / "en" / "index.html").read_text("utf-8")
