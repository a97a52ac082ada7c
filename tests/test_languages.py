"""A handbook in three languages, as its translators and its readers meet it."""

from __future__ import annotations

import io
import re
import shutil
import signal
import tokenize
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab import cli
from polytab.settings import load_settings
from polytab.site import compile_translations
from polytab.translations.catalogs import catalog_path
from polytab.translations.reading import read_catalog
from tests.handbook import write
from tests.pages.languages_site import PAGES, STATES, WORDS, build_language, write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bs4 import Tag

    from polytab.settings import Settings

CODES = ("en", "zh", "pt")
GENERATED = {"genindex.html", "search.html", "404.html"}


@contextmanager
def standing_in(root: Path) -> Iterator[None]:
    """Type commands in a folder."""
    before = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        yield
    signal.signal(signal.SIGTERM, before)


def polytab(root: Path, *words: str) -> int:
    with standing_in(root):
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


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Write the handbook, extract its messages, and translate them; one catalog is lost."""
    settings = write_pages(tmp_path_factory.mktemp("languages") / "site")
    assert polytab(settings.root, "translate") == 0
    put_words(settings)
    for code in CODES[1:]:
        catalog_path(settings, settings.language(code), "bare").unlink()
    return settings


@pytest.fixture(scope="module")
def site(handbook: Settings) -> Settings:
    """Build all three languages."""
    copied = copy(handbook, handbook.root.with_name("built"))
    assert polytab(copied.root, "site") == 0
    return copied


def copy(settings: Settings, to: Path) -> Settings:
    return load_settings(Path(shutil.copytree(settings.root, to)))


def page(settings: Settings, name: str) -> BeautifulSoup:
    text = (settings.site / name).read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def pages(settings: Settings, code: str) -> set[str]:
    top = settings.site / code
    return {path.relative_to(top).as_posix() for path in top.rglob("*.html")}


def blocks(settings: Settings, code: str, name: str) -> list[str]:
    """Return the text of every cell that a page shows."""
    return [each.get_text() for each in page(settings, f"{code}/{name}").select(".snippet-code pre")]


def tokens(text: str, *, comments: bool = False) -> list[str]:
    """Return the tokens of a text, its comments or all others."""
    read = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        each.string
        for each in read
        if each.type != tokenize.NL and (each.type == tokenize.COMMENT) is comments
    ]


def test_every_language_has_the_same_pages(site: Settings) -> None:
    english = pages(site, "en")
    assert english >= {"index.html", "tour.html", "states.html", "bare.html", "more/deep.html"}
    assert pages(site, "zh") == pages(site, "pt") == english


@pytest.mark.parametrize("code", CODES[1:])
def test_a_page_without_a_catalog_is_there_in_english(site: Settings, code: str) -> None:
    [heading] = page(site, f"{code}/bare.html").select("article h1")
    assert heading["lang"] == "en"
    assert heading.get_text().startswith("Bare")


@pytest.mark.parametrize("code", CODES[1:])
def test_code_is_the_same_token_for_token_except_comments(site: Settings, code: str) -> None:
    for name in sorted(pages(site, "en") - GENERATED):
        english = blocks(site, "en", name)
        translated = blocks(site, code, name)
        assert [tokens(each) for each in translated] == [tokens(each) for each in english]
    assert len(blocks(site, code, "tour.html")) == 3


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["# Said once.", "# Add two numbers.", "# The sum.", "# Add two numbers."]),
        ("zh", ["# 说一次。", "# 把两个数相加。", "# 总和。", "# 把两个数相加。"]),
        ("pt", ["# Dito uma vez.", "# Some dois números.", "# A soma.", "# Some dois números."]),
    ],
)
def test_comments_are_in_the_language_of_the_page(
    site: Settings, code: str, said: list[str]
) -> None:
    shown = blocks(site, code, "tour.html")
    assert [each for text in shown for each in tokens(text, comments=True)] == said
    assert 'print("plain # text")' in shown[0]


@pytest.mark.parametrize("code", CODES[1:])
def test_outputs_and_anchors_are_the_same_in_all_languages(site: Settings, code: str) -> None:
    for name in ("tour.html", "speed.html"):
        articles = [page(site, f"{each}/{name}").select("article")[0] for each in ("en", code)]
        english, translated = ([text.get_text() for text in article.select(".output")]
                               for article in articles)  # fmt: skip
        assert translated == english
        here, there = ([str(each["id"]) for each in article.select("[id]")]
                       for article in articles)  # fmt: skip
        assert here == there


@pytest.mark.parametrize(
    ("code", "name", "label"), [("zh", "从权重到总和", "权重"), ("pt", "Dos pesos à soma", "pesos")]
)
def test_a_drawing_speaks_the_language_and_its_code_does_not(
    site: Settings, code: str, name: str, label: str
) -> None:
    [drawing] = page(site, f"{code}/tour.html").select("svg.drawing")
    assert drawing["aria-label"] == name
    assert [each.get_text() for each in drawing.select("text")] == [label, "kept = sum"]


@pytest.mark.parametrize("code", CODES[1:])
def test_every_branch_of_a_verdict_is_translated_and_the_true_ones_are_shown(
    site: Settings, code: str
) -> None:
    catalog = read_catalog(catalog_path(site, site.language(code), "speed"), None)
    assert catalog is not None
    known = {entry.source: entry.translation for entry in catalog.entries}
    said = [known[f"Compiling {what}."] for what in ("pays", "costs", "does nothing")]
    assert all(said)
    text = page(site, f"{code}/speed.html").select("article")[0].get_text()
    assert [each in text for each in said] == [True, True, False]
    assert ("1,46" if code == "pt" else "1.46") in text


@pytest.mark.parametrize("code", CODES)
def test_every_link_to_a_language_leads_to_a_page(site: Settings, code: str) -> None:
    for name in pages(site, code) - {"404.html"}:
        links = page(site, f"{code}/{name}").select("nav.languages a")
        assert len(links) == 3, name
        for link in links:
            to = ((site.site / code / name).parent / str(link["href"])).resolve()
            assert to.is_file(), (name, link)


def test_the_root_page_offers_the_languages_without_a_script(site: Settings) -> None:
    root = page(site, "index.html")
    for script in root.select("script"):
        script.decompose()
    assert [(each["href"], each["lang"], each["hreflang"]) for each in root.select("a")] == [
        ("en/index.html", "en", "en"),
        ("zh/index.html", "zh-CN", "zh-CN"),
        ("pt/index.html", "pt-BR", "pt-BR"),
    ]
    assert root.select("meta[http-equiv]") == []  # nobody is sent anywhere


def compiled(settings: Settings) -> Settings:
    for code in CODES[1:]:
        assert compile_translations(settings, [settings.language(code)]) == ()
    return settings


def marks(article: Tag) -> list[tuple[str, str]]:
    """Return each paragraph that is marked, with its mark."""
    found = article.select(".outdated, .untranslated")
    return [(" ".join(each["class"]), each.get_text()) for each in found]


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
        before = {name: marks(each) for name, each in articles(handbook, code).items()}
        after = articles(changed, code)
        [outdated] = after["tour"].select(".outdated")
        assert outdated.get_text() == WORDS["tour"]["Every snippet runs."][number]
        [difference] = after["tour"].select("details.drift p")
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
    assert tokens(code, comments=True) == ["# 把两个数相加。", "# The total."]


def snapshot(folder: Path) -> dict[Path, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_a_translator_mends_a_word_and_sees_it(site: Settings, tmp_path: Path) -> None:
    settings = copy(site, tmp_path / "clone")
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
    with standing_in(settings.root), pytest.MonkeyPatch.context() as patch:
        said: list[str] = []
        patch.setattr(cli, "_say", said.append)
        code = cli.main(["site", "zh"])
    return settings, code, "\n".join(said)


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
    assert "编译" not in "".join(each.get_text() for each in article.select("p"))
