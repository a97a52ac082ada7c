"""Why there is a lint: what a translation can do to a stock build, and what is left of it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from subprocess import run
from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from polytab.translations.rules.lint import lint_messages
from polytab.translations.rules.message import Message
from polytab.translations.rules.structure import EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TRANSLATIONS = {
    "One runs a command.": (
        "---\nmyst: {substitutions: {x: y}}\n---\n"
        "{{ cycler.__init__.__globals__.os.system('echo ran > ran.txt') }}"
    ),
    "Two reads a file.": "```{eval-rst}\n.. raw:: html\n   :file: SECRET\n```",
    "Three writes a script.": "Três<script>alert()</script>.",
    "Four leads [elsewhere](https://docs.python.org/four).": (
        "Quatro leva [a outro lugar](https://example.org/four)."
    ),
    "Five leads [elsewhere](https://docs.python.org/five).": (
        "--- Cinco leva [a outro lugar](https://docs.python.org/five).\n"
        'myst: {url_schemes: {https: {url: "https://example.org/five"}}}'
    ),
    "Six copies a file.": "Seis copia [um arquivo](../secret.txt).",
    "Seven hides a {ref}`lost label <lost>`.": "Sete esconde tudo. # noqa",
    "Eight is **good**.": "Oito é **bom**.",
}
PAGE = "# Start\n\n(lost)=\n## Lost\n\n" + "\n\n".join(TRANSLATIONS)
CONF = f"""\
extensions = ["myst_parser"]
root_doc = "index"
myst_enable_extensions = {sorted(EXTENSIONS)}
language = "pt_BR"
locale_dirs = ["../locale"]
html_theme = "basic"
html_copy_source = False
"""


@dataclass(frozen=True)
class Built:
    """A stock build: its page, its warnings, and what it left behind."""

    html: str
    warnings: str
    ran: bool
    files: frozenset[str]


def build(root: Path, translations: Mapping[str, str]) -> Built:
    """Build the page in Portuguese, with Sphinx and MyST as they come."""
    secret = root / "secret.txt"
    secret.parent.mkdir(exist_ok=True)
    secret.write_text("the contents of a file", encoding="utf-8")
    (root / "docs").mkdir()
    (root / "docs" / "conf.py").write_text(CONF, encoding="utf-8")
    (root / "docs" / "index.md").write_text(PAGE, encoding="utf-8")
    catalog = Catalog("pt_BR")
    for source, translation in translations.items():
        catalog.add(source, translation.replace("SECRET", str(secret)))
    messages = root / "locale" / "pt_BR" / "LC_MESSAGES"
    messages.mkdir(parents=True)
    with (messages / "index.mo").open("wb") as file:
        write_mo(file, catalog)
    command = [sys.executable, "-m", "sphinx", "-q", "-E", str(root / "docs"), str(root / "html")]
    done = run(command, cwd=root, capture_output=True, text=True, check=True)
    html = (root / "html" / "index.html").read_text(encoding="utf-8")
    files = frozenset(path.name for path in (root / "html").rglob("*"))
    return Built(html, done.stderr, (root / "ran.txt").exists(), files)


def passed(translations: Mapping[str, str], root: Path) -> dict[str, str]:
    """Keep what the lint lets Sphinx see."""
    messages = [
        Message(source, translation, root / "index.po", line, "pt_BR")
        for line, (source, translation) in enumerate(translations.items(), start=1)
    ]
    checked = lint_messages(messages)
    return {each.message.source: each.message.translation for each in checked if each.passed}


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("stock"), TRANSLATIONS)


@pytest.fixture(scope="module")
def linted(tmp_path_factory: pytest.TempPathFactory) -> Built:
    root = tmp_path_factory.mktemp("linted")
    return build(root, passed(TRANSLATIONS, root))


def test_a_stock_build_obeys_translations(stock: Built) -> None:
    assert stock.ran
    assert "the contents of a file" in stock.html
    assert "<script>alert()</script>" in stock.html
    assert "https://example.org/four" in stock.html
    assert "https://example.org/five" in stock.html
    assert "secret.txt" in stock.files


def test_a_stock_build_does_not_complain_of_them(stock: Built) -> None:
    assert stock.warnings == ""


def test_nothing_of_it_is_left_behind_the_lint(linted: Built) -> None:
    assert not linted.ran
    assert "the contents of a file" not in linted.html
    assert "alert()" not in linted.html
    assert "example.org" not in linted.html
    assert "secret.txt" not in linted.files
    assert linted.warnings == ""


def test_the_good_translation_of_the_same_catalog_is_shown(linted: Built) -> None:
    assert "Oito é <strong>bom</strong>." in linted.html
    assert "One runs a command." in linted.html
