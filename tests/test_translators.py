"""What a translator does, and what a change of the English does to a translator's work."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import pytest

from tests.support.languages_site import WORDS, build_language
from tests.support.translated import CODES, copy, marks, page, polytab, put, write_translated

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from polytab.settings import Settings


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return write_translated(tmp_path_factory.mktemp("translators") / "site")


def articles(settings: Settings, code: str) -> dict[str, Tag]:
    built = build_language(settings, code)
    assert built.warnings == ""
    return {name: built.page(name) for name in ("index", "tour", "speed", "states", "more/deep")}


def followed(handbook: Settings, to: Path, name: str, old: str, new: str) -> Settings:
    """Copy the handbook, change one file, and bring the catalogs up to it."""
    settings = copy(handbook, to / "site")
    put(settings.root / name, old, new)
    assert polytab(settings.root, "translate") == 0
    return settings


def test_a_changed_sentence_makes_its_own_paragraph_outdated_and_no_other(
    handbook: Settings, tmp_path: Path
) -> None:
    changed = followed(handbook, tmp_path, "docs/tour.md", "snippet runs.", "snippet is run.")
    for number, code in enumerate(CODES[1:]):
        after = articles(changed, code)
        before = {name: marks(each) for name, each in articles(handbook, code).items()}
        [outdated] = after["tour"].select(".outdated")
        assert outdated.get_text() == WORDS["tour"]["Every snippet runs."][number]
        [difference] = after["tour"].select("details.translation-status p")
        assert difference.decode_contents() == "Every snippet <del>runs.</del><ins>is run.</ins>"
        now = {name: marks(each) for name, each in after.items()}
        assert now == {**before, "tour": [("outdated", outdated.get_text())]}


def catalogs(settings: Settings) -> dict[str, bytes]:
    paths = sorted(settings.translations.rglob("*.po"))
    return {path.relative_to(settings.root).as_posix(): path.read_bytes() for path in paths}


def test_changed_code_makes_nothing_outdated(handbook: Settings, tmp_path: Path) -> None:
    script = "snippets/tour/torch.py"
    changed = followed(handbook, tmp_path, script, "x = 1 + 2", "x = 3 * 4")
    before = catalogs(handbook)
    after = catalogs(changed)
    assert {name: after[name] for name in before} == before  # `bare` is back, and is new
    article = articles(changed, "zh")["tour"]
    assert marks(article) == []
    assert "x = 3 * 4  # 总和。" in article.select("#add-torch pre")[0].get_text()


def test_a_changed_comment_makes_itself_outdated_and_no_other(
    handbook: Settings, tmp_path: Path
) -> None:
    script = "snippets/tour/torch.py"
    changed = followed(handbook, tmp_path, script, "# The sum.", "# The total.")
    before, after = catalogs(handbook), catalogs(changed)
    different = {name for name in before if after[name] != before[name]}
    assert different == {
        f"translations/{locale}/LC_MESSAGES/snippets/tour.po" for locale in ("zh_CN", "pt_BR")
    }
    for name in different:
        lines = after[name].decode().split("\n")
        assert [line for line in lines if line not in before[name].decode().split("\n")] == [
            *("#, fuzzy", '#| msgid "The sum."', 'msgid "The total."'),
        ]
    article = articles(changed, "zh")["tour"]
    assert marks(article) == []
    code = article.select("#add-torch pre")[0].get_text()
    assert code.startswith("# 把两个数相加。\nx = 1 + 2  # The total.\n")


def snapshot(folder: Path) -> dict[Path, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_a_translator_mends_a_word_and_sees_it(handbook: Settings, tmp_path: Path) -> None:
    settings = copy(handbook, tmp_path / "clone")
    recorded = snapshot(settings.recordings)
    path = settings.translations / "zh_CN" / "LC_MESSAGES" / "tour.po"
    put(path, "每段代码都能运行。", "每段代码都可以运行。")
    assert polytab(settings.root, "site", "zh") == 0
    text = page(settings, "zh/tour.html").select("article")[0].get_text()
    assert "每段代码都可以运行。" in text
    assert "每段代码都能运行。" not in text
    assert recorded
    assert snapshot(settings.recordings) == recorded
    assert not settings.overlay.exists()
    assert not (settings.build / "envs").exists()


HOSTILE = "每段代码<script>alert(1)</script>"


@pytest.fixture(scope="module")
def attacked(handbook: Settings) -> tuple[Settings, int, str]:
    """Build Chinese with one hostile message, one catalog cut short, and all else good."""
    settings = copy(handbook, handbook.root.with_name("attacked"))
    folder = settings.translations / "zh_CN" / "LC_MESSAGES"
    put(folder / "tour.po", "每段代码都能运行。", HOSTILE)
    whole = (folder / "speed.po").read_bytes()
    (folder / "speed.po").write_bytes(whole[: whole.index("值得".encode())])
    with redirect_stdout(io.StringIO()) as said:
        code = polytab(settings.root, "site", "zh")
    return settings, code, said.getvalue()


def test_a_hostile_message_is_told_with_its_place(attacked: tuple[Settings, int, str]) -> None:
    settings, code, said = attacked
    path = settings.translations / "zh_CN" / "LC_MESSAGES" / "tour.po"
    source = 'msgid "Every snippet runs."'
    line = path.read_text(encoding="utf-8").split("\n").index(source) + 1
    assert code == 1
    assert f"{path}:{line}: [raw-html]" in said


def test_nothing_hostile_is_shown_and_the_good_is(attacked: tuple[Settings, int, str]) -> None:
    settings, _, _ = attacked
    article = page(settings, "zh/tour.html").select("article")[0]
    assert marks(article) == [("untranslated", "Every snippet runs.")]
    assert "数据在流动。" in article.get_text()
    for folder in (settings.site, settings.locale):
        files = [path for path in folder.rglob("*") if path.suffix in {".html", ".mo", ".json"}]
        assert files
        assert not [path for path in files if b"alert(1)" in path.read_bytes()]


def test_a_broken_catalog_is_told_and_its_page_is_english(
    attacked: tuple[Settings, int, str],
) -> None:
    settings, _, said = attacked
    path = settings.translations / "zh_CN" / "LC_MESSAGES" / "speed.po"
    assert re.search(rf"^{re.escape(str(path))}(:\d+)?: \[", said, re.MULTILINE)
    article = page(settings, "zh/speed.html").select("article")[0]
    assert ("untranslated", "Compiling pays.") in [
        (mark, text.removeprefix("PyTorch：")) for mark, text in marks(article)
    ]
    assert "编译值得" not in article.get_text()
