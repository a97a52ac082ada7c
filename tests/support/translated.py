"""The tiny handbook in the hands of its translators: extracted, translated, typed commands in."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup

from polytab import cli
from polytab.settings import load_settings
from polytab.translations.catalogs import catalog_path
from tests.support.languages_site import STATES, WORDS, write_pages

if TYPE_CHECKING:
    from bs4 import Tag

    from polytab.settings import Settings

CODES = ("en", "zh", "pt")


def polytab(root: Path, *words: str) -> int:
    """Type a command in a folder."""
    with chdir(root):
        return cli.main(words)


def put(path: Path, old: str, new: str) -> None:
    """Change a file with a text editor."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (old, path)
    path.write_text(text.replace(old, new), encoding="utf-8")


def put_words(settings: Settings) -> None:
    """Fill in what translators know; the page `states` is only begun."""
    for number, code in enumerate(CODES[1:]):
        language = settings.language(code)
        begun = {each.source: each.translation for each in STATES[code] if not each.fuzzy}
        known = {name: {source: said[number] for source, said in page.items()}
                 for name, page in WORDS.items()}  # fmt: skip
        for name, words in {**known, "states": begun}.items():
            for source, said in words.items():
                path = catalog_path(settings, language, name)
                put(path, f'msgid "{source}"\nmsgstr ""\n', f'msgid "{source}"\nmsgstr "{said}"\n')


def write_translated(root: Path) -> Settings:
    """Write the handbook, extract its messages, and translate them; one catalog is lost."""
    settings = write_pages(root)
    assert polytab(settings.root, "translate") == 0
    put_words(settings)
    for code in CODES[1:]:
        catalog_path(settings, settings.language(code), "bare").unlink()
    return settings


def copy(settings: Settings, to: Path) -> Settings:
    return load_settings(Path(shutil.copytree(settings.root, to)))


def page(settings: Settings, name: str) -> BeautifulSoup:
    text = (settings.site / name).read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def marks(article: Tag) -> list[tuple[str, str]]:
    """Return each paragraph that is marked, with its mark."""
    found = article.select(".outdated, .untranslated")
    return [(" ".join(each["class"]), each.get_text()) for each in found]
