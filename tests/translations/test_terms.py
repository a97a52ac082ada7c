from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.errors import PolytabError
from polytab.settings import load_settings
from polytab.translations.terms import Definition, load_named_terms, load_terms, terms_path
from tests.support.handbook import FILES, write
from tests.translations.tongues import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

TERMS = """\
# The terms.

["dead code"]
definition = "What nobody needs."
introduced = "deep/tour#the-start"
also = ["DCE"]
waits = ["zh"]
"""
DEAD = Definition("dead code", "What nobody needs.", "deep/tour", "the-start", ("DCE",), ("zh",), 3)
GOOD = 'definition = "A word."\nintroduced = "tour#tour"\n'


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write(tmp_path, {**FILES, "pyproject.toml": FILES["pyproject.toml"] + LANGUAGES})
    write(tmp_path, {"docs/terms.toml": TERMS})
    return load_settings(tmp_path)


def test_terms_are_read_with_their_lines(settings: Settings) -> None:
    assert load_terms(terms_path(settings)) == (DEAD,)


def test_a_book_without_terms_has_none(tmp_path: Path) -> None:
    assert load_terms(tmp_path / "terms.toml") == ()


def test_a_language_names_a_term_and_english_names_are_names_too(settings: Settings) -> None:
    glossary = '[terms]\n"dead code" = { name = "死代码", forms = ["死"], also = ["无用代码"] }\n'
    write(settings.root, {"translations/zh_CN/glossary.toml": glossary})
    [chinese] = load_named_terms(settings, settings.language("zh"))
    assert (chinese.name, chinese.also) == ("死代码", ("无用代码",))
    assert chinese.names == ("死代码", "无用代码", "dead code", "DCE")
    assert chinese.forms == ("死", "死代码")


def test_a_term_that_a_language_does_not_name_has_its_english_name(settings: Settings) -> None:
    for code in ("pt", "en"):
        [term] = load_named_terms(settings, settings.language(code))
        assert (term.name, term.names) == ("dead code", ("dead code", "DCE"))


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("[x", "cannot be read", None),
        ("x = " + "[" * 9000, "cannot be read", None),
        ("x = 1", "no plain sentence", 1),
        (f"[x]\n{GOOD}[y]\nintroduced = 'a#b'", "definition of `y` is no plain", 4),
        ("[x]\ndefinition = 'Call `f`.'", "no plain sentence", 1),
        ("[x]\ndefinition = '# A title'", "no plain sentence", 1),
        ("[x]\ndefinition = 'See <b>it</b>.'", "no plain sentence", 1),
        ("[x]\ndefinition = ' A word.'", "no plain sentence", 1),
        ("[x]\ndefinition = 'A word.'\nintroduced = 'tour'", "no section of a page", 1),
        (f"[x]\n{GOOD}also = 'y'", "no list of names", 1),
        (f"[x]\n{GOOD}waits = [' ']", "no list of names", 1),
        (f"[x]\n{GOOD}name = 'y'", "has no `name`", 1),
    ],
)
def test_wrong_terms_are_an_error_with_their_place(
    text: str, message: str, line: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "terms.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolytabError, match=message) as caught:
        load_terms(path)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert caught.value.hint
