"""From a page to a translated page and back, with real Sphinx, as people would go."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from polytab.translations.catalogs import catalog_path
from polytab.translations.compiled import State, compile_catalogs, load_messages
from polytab.translations.status import coverage
from polytab.translations.templates import extract
from polytab.translations.upkeep import check_catalogs, update_catalogs
from tests.support.handbook import write
from tests.translations.tongues import with_languages, with_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.settings import Settings
    from polytab.translations.catalogs import Template

PAGE = "# Tour\n\nIt is {speed}\non the **CPU**.\n\nThat is all.\n"
SCRIPT = "# %% add\n# The sum.\nx = {sum}  # {comment}\n"
CHINESE = {
    "Tour": "导览",
    "It is faster on the **CPU**.": "在**CPU**上更快。",
    "That is all.": "就是这些。",
    "The sum.": "求和。",
    "Said once.": "说一次。",
}


@pytest.fixture
def settings(handbook: Settings) -> Settings:
    settings = with_languages(handbook)
    rewrite(settings)
    return settings


def rewrite(
    settings: Settings, speed: str = "faster", summed: str = "1 + 2", comment: str = "Said once."
) -> None:
    with_pages(settings, {"index": PAGE.format(speed=speed)})
    for path in settings.snippets.glob("*/*.py"):
        path.unlink()
    write(settings.snippets, {"index/python.py": SCRIPT.format(sum=summed, comment=comment)})


def translate(settings: Settings, words: Mapping[str, str]) -> None:
    """Fill the Chinese catalogs in as somebody with a text editor would."""
    for name in ("index", "snippets/index"):
        path = catalog_path(settings, settings.language("zh"), name)
        text = path.read_text(encoding="utf-8")
        for english, chinese in words.items():
            text = text.replace(f'"{english}"\nmsgstr ""', f'"{english}"\nmsgstr "{chinese}"')
        path.write_text(text, encoding="utf-8")


def update(settings: Settings) -> Sequence[Template]:
    templates = extract(settings)
    update_catalogs(settings, templates, settings.languages[1:])
    return templates


def build(settings: Settings) -> str:
    """Build the page in Chinese and return its text."""
    folder = settings.build / "text"
    command = [
        *(sys.executable, "-m", "sphinx", "-b", "text", "-q", "-W", "-E", "-D", "language=zh_CN"),
        *("-c", str(settings.root), "-D", f"locale_dirs={settings.locale}"),
        *("-D", "gettext_compact=0", str(settings.docs), str(folder)),
    ]
    subprocess.run(command, check=True)
    return (folder / "index.txt").read_text(encoding="utf-8")


def states(settings: Settings, name: str) -> dict[str, State]:
    messages = load_messages(settings, settings.language("zh"), name)
    return {message.source: message.state for message in messages}


def test_a_page_is_translated_and_follows_its_english(settings: Settings) -> None:
    templates = update(settings)
    translate(settings, CHINESE)
    chinese = settings.language("zh")
    assert compile_catalogs(settings, chinese) == ()
    first = build(settings)
    assert "导览" in first
    assert "在**CPU**上更快。" in first
    rows = coverage(settings, templates)
    assert [row.missing for row in rows if row.language == "zh"] == [0, 0]

    rewrite(settings, speed="slower")
    templates = extract(settings)
    assert [finding.rule for finding in check_catalogs(settings, templates)] == ["behind", "behind"]
    update_catalogs(settings, templates, settings.languages[1:])
    assert check_catalogs(settings, templates) == ()
    assert compile_catalogs(settings, chinese) == ()
    assert build(settings) == first
    assert states(settings, "index") == {
        "Tour": State.TRANSLATED,
        "It is slower on the **CPU**.": State.OUTDATED,
        "That is all.": State.TRANSLATED,
    }


def test_comments_follow_their_script_and_code_touches_nothing(settings: Settings) -> None:
    update(settings)
    translate(settings, CHINESE)
    rewrite(settings, summed="2 + 3")
    assert check_catalogs(settings, extract(settings)) == ()

    rewrite(settings, comment="Said twice.")
    update(settings)
    assert compile_catalogs(settings, settings.language("zh")) == ()
    assert set(states(settings, "index").values()) == {State.TRANSLATED}
    assert states(settings, "snippets/index") == {
        "The sum.": State.TRANSLATED,
        "Said twice.": State.OUTDATED,
    }
