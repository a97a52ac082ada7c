"""A list of chapters says what each page asks and how long it takes, as the pages say it now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from docutils import nodes

from polytab.pages.markdown.check import check_pages
from polytab.pages.markdown.toctrees import find_unlisted
from polytab.settings import load_settings
from tests.support.forms_site import write_forms
from tests.support.numbers_site import complaints, words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built
    from tests.support.numbers_site import NumbersSite

START = "# Numbers\n\nAll of them.\n\n```{chapters}\nspeed\nplain\n```\n"
PLAIN = "# Plain\n\nA sum, as in {ref}`sums`. It is short.\n\n(sums)=\n## Sums of *all*\n\nMore.\n"


def write(to: Path, start: str = START) -> NumbersSite:
    site = write_forms(to)
    site.write("docs/index.md", start)
    site.write("docs/plain.md", PLAIN)
    return site


def told(built: Built) -> list[tuple[str, ...]]:
    """Return the words of each entry, and where it leads."""
    return [
        (*(words(each) for each in item.select("p")), str(item.select("a")[0]["href"]))
        for item in built.page("index").select("ul.chapters > li")
    ]


def test_a_chapter_is_told_by_its_opening_or_else_by_its_first_words(tmp_path: Path) -> None:
    built = write(tmp_path).build()
    assert told(built) == [
        ("Speed", "Why is the first call slow?", "1,200 minutes", "speed.html"),
        ("Plain", "A sum, as in Sums of all. It is short.", "1 minute", "plain.html"),
    ]
    assert complaints(built, "index") == []


def test_a_chapter_is_told_without_the_colon_that_leads_to_what_follows(tmp_path: Path) -> None:
    site = write(tmp_path)
    site.write("docs/plain.md", PLAIN.replace("It is short.", "You will see:"))
    assert told(site.build())[1][1] == "A sum, as in Sums of all."
    site.write("docs/plain.md", "# Plain\n\nYou will see:\n\n- a sum\n")
    assert told(site.build())[1][1] == "You will see…"


def test_sphinx_follows_it_as_a_list_of_pages(tmp_path: Path) -> None:
    built = write(tmp_path).build()
    assert built.app.env.toctree_includes["index"] == ["speed", "plain"]
    assert built.page("index").select(".toctree-wrapper li") == []  # readers see one list
    sidebar = built.text("plain.html").partition('class="sidebar-scroll')[2]
    assert 'href="speed.html"' in sidebar


def test_it_says_what_the_pages_say_now(tmp_path: Path) -> None:
    site = write(tmp_path)
    site.build()
    site.write("docs/plain.md", PLAIN.replace("# Plain", "# Bare").replace("A sum", "A product"))
    built = site.build()
    assert "index" not in built.read
    assert told(built)[1][:2] == ("Bare", "A product, as in Sums of all. It is short.")


def test_no_document_is_kept_for_its_first_words(tmp_path: Path) -> None:
    built = write(tmp_path).build()
    for page in ("speed", "plain"):
        about, _ = built.app.env.metadata[page]["polytab_chapter"]
        assert {each.document for each in about.findall(nodes.Element)} == {None}


@pytest.mark.parametrize(
    ("language", "time"), [("zh_CN", "约1,200分钟"), ("pt_BR", "1.200 minutos")]
)
def test_the_words_around_it_are_in_the_language_of_the_build(
    tmp_path: Path, language: str, time: str
) -> None:
    assert told(write(tmp_path).build(language=language))[0][2] == time


def test_a_page_that_is_not_there_is_said(tmp_path: Path) -> None:
    built = write(tmp_path, START.replace("plain\n", "plain\nnowhere\n")).build()
    assert "nonexisting document 'nowhere'" in built.warnings
    assert len(told(built)) == 2


def test_the_check_knows_the_list(tmp_path: Path) -> None:
    site = write(tmp_path)
    settings = load_settings(site.root)
    assert list(find_unlisted(settings)) == []
    site.write("docs/plain.md", f"{PLAIN}\n```{{chapters}}\nindex\n```\n")
    found = [each for each in check_pages(settings) if each.rule == "toctree"]
    assert ["stands above this page" in each.message for each in found] == [True]
