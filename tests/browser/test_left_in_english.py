"""In Chinese and Portuguese, pages and downloads hold no English but names, titles and code.

English is told by its small words, which neither language has. What an English name may bring along
is asked of the terms; titles of works stand in emphasis or lead to another site. Strings of a
program are code, whatever they say, but for docstrings. A page whose translation waits is not read.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import tomllib
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString

from polytab.translations.po_parser import read_catalog
from tests.browser.served import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.served import Server

SMALL = re.compile(
    r"(?<![\w.`/-])(?:the|of|is|are|with|which|from|this|that|and|its|it|was|has|have|by)"
    r"(?![\w`(/=-]|\.\w)"
)
CODE = "pre, code, kbd, samp, script, style, math, [lang=en]"
WORKS = "em, a[href^=http]"
SPOKEN = ("aria-label", "title", "alt", "placeholder", "content")
NO_PROSE = re.compile(
    r"```.*?```|~~~.*?~~~|`[^`\n]*`|\$[^$\n]*\$|\*[^*\n]+\*|\[[^]\n]*\]\(http[^)]*\)|\]\([^)]*\)",
    re.DOTALL,
)
"""What in Markdown is code, a formula, emphasised, a link to elsewhere, or an address."""

TOOLS = re.compile(r"# (?:noqa|type:|fmt:|pragma)|# ///|# %%")


def _names() -> re.Pattern[str]:
    """Match every English name that has small words, such as `ahead of time`."""
    terms = tomllib.loads((ROOT / "docs" / "terms.toml").read_text("utf-8"))
    names = {name for term, said in terms.items() for name in (term, *said.get("also", ()))}
    having = sorted((name for name in names if SMALL.search(name)), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, having)) or r"(?!)", re.IGNORECASE)


NAMES = _names()


def english(text: str) -> bool:
    return SMALL.search(NAMES.sub("", text)) is not None


def of_page(html: str) -> Iterator[str]:
    """Yield what is English on a page: text, what is spoken, comments and docstrings of code."""
    page = BeautifulSoup(html, "html.parser")
    said = [" ".join(each.get_text().split()) for each in page.select(".c1, .sd")]
    for each in page.select(f"{CODE}, {WORKS}"):
        each.decompose()
    said += [str(each) for each in page.find_all(string=True) if type(each) is NavigableString]
    for tag in page.select("*"):
        said += [str(tag[name]) for name in SPOKEN if tag.has_attr(name)]
    yield from (each for each in said if english(each))


def of_markdown(text: str) -> Iterator[str]:
    yield from (line for line in NO_PROSE.sub("", text).splitlines() if english(line))


def of_code(text: str) -> Iterator[str]:
    """Yield the English among comments and docstrings; prose of a script is comments."""
    try:
        tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except SyntaxError:  # a cell with a magic command holds no other comment
        return
    comments = [each.string for each in tokens if each.type == tokenize.COMMENT]
    yield from of_markdown("\n".join(each for each in comments if not TOOLS.match(each)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            told = ast.get_docstring(node)
            if told and english(told):
                yield told


def of_notebook(text: str) -> Iterator[str]:
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        yield from (of_markdown if cell["cell_type"] == "markdown" else of_code)(source)


READ = {".html": of_page, ".ipynb": of_notebook, ".py": of_code}


def waits(locale: str) -> frozenset[str]:
    """Return the pages with a message that is not translated, or whose original has changed."""
    folder = ROOT / "translations" / locale / "LC_MESSAGES"
    pages: set[str] = set()
    for path in folder.rglob("*.po"):
        catalog = read_catalog(path, locale)
        assert catalog is not None
        if any(each.fuzzy or not each.translation for each in catalog.entries):
            pages.add(path.stem)
    return frozenset(pages)


def left(folder: Path, waiting: frozenset[str]) -> list[str]:
    found: dict[str, str] = {}
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in READ and not path.stem.startswith(tuple(waiting))
    ]
    assert files
    for path in files:
        for text in READ[path.suffix](path.read_text(encoding="utf-8")):
            found.setdefault(text.strip(), path.relative_to(folder).as_posix())
    return [f"{where}: {text}" for text, where in found.items()]


@pytest.mark.parametrize(("code", "locale"), [("zh", "zh_CN"), ("pt", "pt_BR")])
def test_no_english_is_left(handbook: Server, code: str, locale: str) -> None:
    assert left(handbook.folder / code, waits(locale)) == []


@pytest.mark.parametrize(
    "html",
    [
        "<p>Isto and isso.</p>",
        '<img alt="the queue">',
        "<svg><text>time of a call</text></svg>",
        '<pre><span class="c1"># Keep what is needed.</span></pre>',
        '<pre><span class="sd">"""Keep what is needed."""</span></pre>',
    ],
)
def test_what_is_left_is_found_on_a_page(html: str) -> None:
    assert list(of_page(html))


def test_names_titles_and_code_are_no_finding() -> None:
    page = "<p>编译（ahead of time），<em>The Art of It</em>，<code>x is y</code>，in-place</p>"
    assert list(of_page(page)) == []


def test_what_is_left_is_found_in_downloads() -> None:
    code = (
        'def f():\n    """Keep what is needed."""\n    return "of no concern"  # with a comment\n'
    )
    assert sorted(of_code(code)) == ["# with a comment", "Keep what is needed."]
    cells = [{"cell_type": "markdown", "source": ["Veja *The Art of It*.\n", "This is `it`.\n"]}]
    assert list(of_notebook(json.dumps({"cells": cells}))) == ["This is ."]
