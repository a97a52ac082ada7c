"""Every language is built by a Sphinx of its own; a root page offers those that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

import polytab
from polytab.settings import START, load_settings, page_path
from polytab.site.bare_pages import not_found_page, root_page
from polytab.site.build import build, compile_translations
from polytab.site.html import parse
from polytab.site.language_files import files_in
from polytab.site.page import read_page
from polytab.site.policy import POLICY, check_policies
from polytab.site.sphinx import site_run
from polytab.translations.catalogs import Entry
from polytab.translations.compiled import load_messages
from tests.support.handbook import FILES, record, write, write_handbook
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.settings import Settings

TITLE = "Tiny & <Small>"
LANGUAGES = """\
en = { name = "English", locale = "en", tag = "en" }
pt = { name = "Português do Brasil", locale = "pt_BR", tag = "pt-BR" }
zh = { name = "简体中文", locale = "zh_CN", tag = "zh-Hans" }
"""


def _write(root: Path) -> Settings:
    """Write the tiny handbook in three languages, with every output recorded."""
    write_handbook(root)
    [before, _] = FILES["pyproject.toml"].split("en = {")
    text = before.replace("A Tiny Handbook", TITLE) + LANGUAGES
    write(root, {"pyproject.toml": text})
    settings = load_settings(root)
    record(settings)
    return settings


class Site:
    """A site that was built, what was reported, and the exit code."""

    def __init__(self, settings: Settings, *codes: str, strict: bool = False) -> None:
        self.settings = settings
        self.said: list[str] = []
        languages = [settings.language(code) for code in codes]
        self.code = build(settings, languages, strict=strict, report=self.said.append)

    def page(self, name: str) -> BeautifulSoup:
        text = (self.settings.site / name).read_text(encoding="utf-8")
        return BeautifulSoup(text, "html.parser")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(_write(tmp_path_factory.mktemp("site")), "en", "pt", strict=True)


def test_each_language_that_was_asked_for_is_built(site: Site) -> None:
    assert site.code == 0
    for code in ("en", "pt"):
        assert site.page(f"{code}/tour.html").select("div.snippet")
    assert not (site.settings.site / "zh").exists()


def test_it_is_told_what_is_built_and_where(site: Site) -> None:
    told = [line for line in site.said if line.startswith("pt: 3 pages read, built in ")]
    assert len(told) == 1
    assert told[0].endswith(f"open {site.settings.site / 'pt' / 'index.html'}")


def test_the_root_page_offers_the_languages_that_are_there_in_order(site: Site) -> None:
    links = site.page("index.html").select("li a")
    assert [(link.get_text(), link["href"], link["lang"], link["hreflang"]) for link in links] == [
        ("English", "en/index.html", "en", "en"),
        ("Português do Brasil", "pt/index.html", "pt-BR", "pt-BR"),
    ]


def test_the_root_page_says_what_each_start_page_says_of_itself(
    handbook: Settings, tmp_path: Path
) -> None:
    start = tmp_path / "index.html"
    start.write_text('<meta property="og:description" content="Of &lt;all&gt; things.">')
    files = {page_path(handbook.languages[0], START): start}
    said = BeautifulSoup(root_page(handbook, handbook.languages, files), "html.parser")
    assert [each.get_text() for each in said.select("li p")] == ["Of <all> things."]
    bare = BeautifulSoup(root_page(handbook, handbook.languages, {}), "html.parser")
    assert bare.select("li p") == []


@pytest.mark.parametrize(("name", "title"), [("index.html", TITLE), ("404.html", f"404 · {TITLE}")])
def test_the_title_is_text_and_no_markup(site: Site, name: str, title: str) -> None:
    page = site.page(name)
    assert page.title is not None
    assert page.title.get_text() == title
    assert page.select("small") == []


def test_an_address_that_leads_nowhere_is_answered_in_every_language_that_is_there(
    site: Site,
) -> None:
    items = site.page("404.html").select("li")
    assert [(item["lang"], item["data-code"]) for item in items] == [("en", "en"), ("pt-BR", "pt")]
    assert [item.get_text("|", strip=True) for item in items] == [
        "There is no page at this address.|To the start page",
        "Não há nenhuma página neste endereço.|Ir para a página inicial",
    ]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (None, "./en/index.html"),
        ("https://book.example", "/en/index.html"),
        ("https://book.example/a&b/book", "/a&b/book/en/index.html"),
    ],
)
def test_the_way_back_holds_at_any_depth_where_the_address_is_known(
    handbook: Settings, address: str | None, expected: str
) -> None:
    settings = replace(handbook, address=address)
    page = BeautifulSoup(not_found_page(settings, settings.languages, {}), "html.parser")
    assert [link["href"] for link in page.select("a")] == [expected]
    assert page.select("[src], link") == []  # what is served at any depth brings all it needs


def test_the_pages_above_the_languages_have_the_icon_and_the_colours(site: Site) -> None:
    [icon] = site.page("index.html").select("link[rel=icon]")
    assert (site.settings.site / str(icon["href"])).is_file()
    for name in ("index.html", "404.html"):
        assert len(site.page(name).select("meta[name=theme-color]")) == 2
    assert site.page("404.html").select("link") == []
    settings = replace(site.settings, address="https://book.example/tiny")
    files = {"en/_static/favicon.svg": Path("favicon.svg")}
    page = BeautifulSoup(not_found_page(settings, settings.languages, files), "html.parser")
    [icon] = page.select("link[rel=icon]")
    assert icon["href"] == "/tiny/en/_static/favicon.svg"


@pytest.mark.parametrize("make", [root_page, not_found_page])
def test_the_pages_above_the_languages_have_a_policy_that_stops_nothing_of_them(
    handbook: Settings, make: Callable[..., bytes]
) -> None:
    files = {"en/_static/favicon.svg": Path("favicon.svg")}
    content = make(handbook, handbook.languages, files)
    assert list(check_policies(handbook, {"a.html": read_page("a.html", content).complaints})) == []
    policy = next(parse("a.html", content).iter("meta")).get("content", "")
    assert policy.count("'sha256-") == 2
    assert b'charset="utf-8"' in content[:1024]  # where browsers look for it


def test_a_sitemap_is_written_where_the_address_is_known(handbook: Settings) -> None:
    settings = replace(handbook, address="https://book.example")
    assert build(settings, settings.languages, strict=False, report=lambda _: None) == 0
    assert "https://book.example/en/tour.html" in (settings.site / "sitemap.xml").read_text(
        encoding="utf-8"
    )


def test_a_page_whose_name_needs_quoting_is_addressed_alike_everywhere(tmp_path: Path) -> None:
    settings = replace(_write(tmp_path), address="https://book.example")
    pyproject = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    address = '[tool.polytab]\naddress = "https://book.example"\n'
    moved = '\n[tool.polytab.moved]\n"old" = "a-é"\n'
    pyproject = pyproject.replace("[tool.polytab]\n", address) + moved
    write(tmp_path, {"pyproject.toml": pyproject})
    words = "---\norphan: true\n---\n\n# Named\n\n:::{snippet} only\n:::\n"
    script = "# %% only\nprint(1)\n"
    write(tmp_path, {"docs/a-é.md": words, "snippets/a-é/python.py": script})
    with (tmp_path / "conf.py").open("a") as conf:
        conf.write('extensions.append("polytab.export")\n')
    settings = load_settings(tmp_path)
    record(settings)
    site = Site(settings, "en", "pt")
    assert site.code == 0, site.said
    whole = "https://book.example/en/a-%C3%A9.html"
    page = site.page("en/a-é.html")
    assert [each["href"] for each in page.select("link[rel=canonical]")] == [whole]
    assert [each["content"] for each in page.select("meta[property='og:url']")] == [whole]
    assert page.select_one(f"link[hreflang=en][href='{whole}']")
    assert page.select_one("nav.languages a[href='../pt/a-%C3%A9.html']")
    taken = [each["href"] for each in page.select("a[download]")]
    assert taken == [f"downloads/a-%C3%A9-python.{suffix}" for suffix in ("ipynb", "py")]
    assert (settings.site / "en" / "downloads" / "a-é-python.py").is_file()
    redirect = site.page("en/old.html")
    assert [each["href"] for each in redirect.select("link[rel=canonical]")] == [whole]
    assert [each["href"] for each in redirect.select("main a")] == ["a-%C3%A9.html"]
    assert f"<loc>{whole}</loc>" in (settings.site / "sitemap.xml").read_text(encoding="utf-8")


def test_a_language_that_is_not_asked_for_stays_as_it_was_published(
    handbook: Settings,
) -> None:
    settings = replace(with_languages(handbook), address="https://book.example")
    assert Site(settings, "en", "zh").code == 0
    chinese = files_in(settings.site / "zh", "zh")
    before = {name: path.read_bytes() for name, path in chinese.items()}
    shutil.rmtree(settings.build / "html")
    write(settings.site, {"nl/index.html": "of a language that the settings do not name"})
    site = Site(settings, "en")
    assert site.code == 0
    assert {name: path.read_bytes() for name, path in chinese.items()} == before
    assert "zh/pagefind/pagefind.js" in before
    assert len(site.page("index.html").select("li a")) == 2
    assert not (settings.site / "nl").exists()


def test_a_page_that_came_since_is_built_in_one_language_and_then_in_the_other(
    handbook: Settings,
) -> None:
    settings = with_languages(handbook)
    assert Site(settings, "en", "zh").code == 0
    start = (settings.docs / "index.md").read_text(encoding="utf-8")
    write(settings.docs, {"index.md": start.replace("end\n", "end\nnew\n"), "new.md": "# New\n"})
    english = Site(settings, "en")
    assert (english.code, [line for line in english.said if "nowhere" in line]) == (0, [])
    switch = english.page("en/new.html").select_one("nav.languages a[href='../zh/new.html']")
    assert switch is not None
    assert not (settings.site / "zh" / "new.html").exists()
    assert Site(settings, "zh").code == 0
    assert (settings.site / "zh" / "new.html").is_file()


def test_only_languages_that_are_built_are_complained_of_but_all_are_counted(
    tmp_path: Path,
) -> None:
    settings = _write(tmp_path)
    chinese, portuguese = settings.language("zh"), settings.language("pt")
    write_catalog(settings, chinese, "tour", Entry("Tour", "<b>导览</b>"))
    write_catalog(settings, portuguese, "tour", Entry("Tour", "Passeio"))
    assert compile_translations(settings, [portuguese]) == ()
    assert len(load_messages(settings, chinese, "tour")) == 1
    assert compile_translations(settings, settings.languages) != ()


def test_every_page_of_a_language_has_the_policy(site: Site) -> None:
    pages = [path for code in ("en", "pt") for path in (site.settings.site / code).rglob("*.html")]
    assert len(pages) > 4
    for path in pages:
        page = site.page(path.relative_to(site.settings.site).as_posix())
        [policy] = page.select("head > meta[http-equiv=Content-Security-Policy]:first-child")
        assert policy["content"] == POLICY, path


def test_no_page_asks_another_host(site: Site) -> None:
    pages = list(site.settings.site.rglob("*.html"))
    assert len(pages) > 6
    for path in pages:
        page = site.page(path.relative_to(site.settings.site).as_posix())
        fetched = [each["src"] for each in page.select("[src]")]
        fetched += [each["href"] for each in page.select("link[href]:not([rel=canonical])")]
        assert [each for each in fetched if "//" in str(each)] == [], path


def test_languages_share_no_doctree(site: Site) -> None:
    settings = site.settings
    languages = [settings.language(code) for code in ("en", "pt", "zh")]
    assert len({site_run(settings, each, strict=True).doctrees for each in languages}) == 3


def test_a_stale_output_is_an_error_where_it_is_published(
    handbook: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    assert Site(handbook, "en").code == 0
    assert capfd.readouterr().err == ""
    strict = Site(handbook, "en", strict=True)
    assert strict.code == 1
    assert strict.said[-1] == "en: 3 pages read, built with complaints, see above"
    assert "tour/torch is stale: there is no recording yet" in capfd.readouterr().err


def test_a_complaint_fails_the_build_after_all_is_built(
    handbook: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    write(handbook.root, {"docs/end.md": "# End\n\n:::{snippet} nowhere\n:::\n"})
    site = Site(handbook, "en")
    assert site.code == 1
    assert f"{handbook.docs / 'end.md'}:3: WARNING: no script" in capfd.readouterr().err
    assert site.page("en/tour.html").select("div.snippet")
    assert site.page("index.html").select("li a")


def test_pages_that_an_older_engine_wrote_are_written_anew(
    handbook: Settings, tmp_path: Path
) -> None:
    record(handbook)
    engine = tmp_path / "engine" / "polytab"
    shutil.copytree(Path(polytab.__file__).parent, engine)
    written = tmp_path / "html"

    def when_written() -> int:
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-q"]
        command += ["-c", str(handbook.root), str(handbook.docs), str(written)]
        variables = {**os.environ, "PYTHONPATH": str(engine.parent)}
        subprocess.run(command, cwd=handbook.root, env=variables, check=True)
        return (written / "end.html").stat().st_mtime_ns

    first = when_written()
    assert when_written() == first
    with (engine / "ratios.py").open("a", encoding="utf-8") as file:
        file.write("# Otherwise than before.\n")
    assert when_written() > first
