from __future__ import annotations

import re
import sys
from subprocess import run
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

from polytab.pages.markdown.messages import source_page
from polytab.pages.markdown.translatable import SOURCE, lint_source
from polytab.translations.rules.structure import EXTENSIONS
from tests.translations.corpus import FIXTURES
from tests.translations.examples import examples

if TYPE_CHECKING:
    from pathlib import Path

BAD = FIXTURES / "pages" / "bad.md"
GOOD = FIXTURES / "pages" / "good.md"


def test_each_passage_of_a_bad_page_is_refused_by_the_rule_named_above_it() -> None:
    lines = BAD.read_text(encoding="utf-8").split("\n")
    expected = [
        (number + 1, match[1])
        for number, line in enumerate(lines, start=1)
        if (match := re.fullmatch(r"% expect: (\S+)", line))
    ]
    assert {(each.line, each.rule) for each in lint_source(BAD)} == set(expected)
    assert len(expected) > 10


def test_a_good_page_has_no_findings() -> None:
    assert list(lint_source(GOOD)) == []


def test_a_page_that_defines_substitutions_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("---\nmyst: {substitutions: {x: y}}\n---\n\nText.\n", encoding="utf-8")
    (finding,) = lint_source(page)
    assert (finding.file, finding.line, finding.rule) == (page, 1, "page-substitution")


def test_a_page_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"caf\xe9")
    (finding,) = lint_source(page)
    assert finding.rule == "encoding"


def test_the_messages_of_a_page_are_those_that_sphinx_extracts(tmp_path: Path) -> None:
    text = GOOD.read_text(encoding="utf-8").replace(":::{snippet} net\n:::\n", "")
    (tmp_path / "index.md").write_text(text, encoding="utf-8")
    (tmp_path / "chart.svg").write_text("<svg/>", encoding="utf-8")
    settings = f"extensions = ['myst_parser']\nmyst_enable_extensions = {sorted(EXTENSIONS)}\n"
    (tmp_path / "conf.py").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "gettext", ".", "pot"]
    run(command, cwd=tmp_path, check=True)
    with (tmp_path / "pot" / "index.pot").open("rb") as file:
        extracted = {str(message.id) for message in read_po(file) if message.id}
    no_passages = {"A page that can be translated", "<b> {{ x }} </b>"}  # a setting, a formula
    assert {passage.text for passage in source_page(text).passages} == extracted - no_passages


@pytest.mark.parametrize(("name", "text"), examples(SOURCE, "Bad"))
def test_a_bad_page_is_refused_by_its_rule(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    assert {each.rule for each in lint_source(tmp_path / "page.md")} == {name}


@pytest.mark.parametrize(("name", "text"), examples(SOURCE, "Good"))
def test_a_good_page_is_not_refused(name: str, text: str, tmp_path: Path) -> None:
    del name
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    assert list(lint_source(tmp_path / "page.md")) == []
