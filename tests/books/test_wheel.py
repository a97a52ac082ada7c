"""Two books made with the wheel, outside of this checkout: a new one, and that of `dataframes/`.

Slow, as it installs the engine and three libraries from an index: `nox -s wheel` runs it, and
`nox -s tests` does not. Both books take the same pins, and so share three environments. Of the
second, what prints and draws is verified; what measures belongs to one kind of machine.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup, Tag

from tests.books.stranger import CHECKOUT, Stranger, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

BOOK = Path(__file__).parent / "dataframes"
MANUAL = CHECKOUT / "docs" / "contributing" / "book.md"
NEW = 'polytab new "Dataframes, Measured" --frameworks numpy,pandas,polars --languages en,ja'


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    return settle(tmp_path_factory.mktemp("wheel"))


def test_a_new_book_goes_the_way_of_the_manual(stranger: Stranger) -> None:
    stranger(NEW)
    stranger.folder /= "dataframes-measured"
    share_environments(stranger)
    assert "3 recorded" in stranger("polytab build")
    told = article(stranger, "en/sum").get_text()
    assert "In all three: The function that is built in takes less time" in told
    assert min(map(float, re.findall(r"([\d.]+) \(95 %", told))) > 1
    assert "sum" in stranger.look_at("polytab live", "index.html")

    stranger.edit("snippets/sum/numpy.py", "10_000", "20_000")
    stranger("polytab record")
    stranger.edit("pyproject.toml", "ja = {", 'fr = { name = "Français" }\nja = {')
    stranger("polytab translate --add fr")
    translate(stranger, "fr/LC_MESSAGES/sum.po", "A sum", "Une somme")
    assert "Une somme" in stranger.look_at("polytab live fr --no-record", "sum.html")
    stranger("polytab translate")
    assert "0 findings" in stranger("polytab check")
    assert "sum" in stranger("polytab status")
    stranger("polytab build --strict")
    sum_in_french = article(stranger, "fr/sum").get_text()
    assert "Une somme" in sum_in_french
    assert "numpy 199990000" in sum_in_french
    stranger("polytab export")
    ebooks = stranger.folder / "_build" / "books"
    assert (ebooks / "fr.epub").is_file()
    stranger('pip install "polytab[export]"')
    stranger("polytab export fr")
    assert (ebooks / "fr.pdf").is_file()
    stranger("polytab export --framework polars fr")
    assert (ebooks / "fr-polars.pdf").is_file()

    stranger("git init -q")
    stranger("git add .")
    stranger("git -c user.name=author -c user.email=author commit -q -m begin")
    stranger("polytab compare HEAD")
    stranger("polytab verify sum polars")
    (stranger.folder / ".nox").symlink_to(stranger.home.parent)  # so that nox installs nothing
    stranger("nox -s build")
    stranger("polytab pin polars")
    stranger("polytab pin polars pyarrow")

    needs_a_gpu = {each for each in commands() if each.endswith("--device cuda")}
    assert {each for each in commands() if not begins(each, stranger.ran)} == needs_a_gpu


def test_the_second_book_is_built_changed_translated_and_verified(
    stranger: Stranger, tmp_path: Path
) -> None:
    stranger.folder = tmp_path / "dataframes"
    shutil.copytree(BOOK, stranger.folder, ignore=shutil.ignore_patterns("_build"))
    share_environments(stranger)
    stranger("polytab check")
    stranger("polytab translate --check")
    stranger("polytab build --strict --no-record")
    planets = article(stranger, "ja/planets")
    assert len(planets.select("table")) == 4
    assert [Path(str(each["src"])).suffix for each in planets.select("img")] == [
        ".svg",
        ".png",
        ".png",
    ]
    assert "倍の時間がかかります" in article(stranger, "ja/grouping").get_text()

    stranger.edit("docs/missing.md", "Is each of them above 2?", "Which of them are above 2?")
    stranger("polytab translate")
    catalog, asked = "ja/LC_MESSAGES/missing.po", "2より大きいのはどれでしょうか。"
    translate(stranger, catalog, "Which of them are above 2?", asked)
    stranger.edit("snippets/missing/numpy.py", "print(heights > 2)", "print(*heights > 2)")
    assert "1 recorded, 8 reused" in stranger("polytab build")
    missing = article(stranger, "ja/missing").get_text()
    assert asked in missing
    assert "False False True" in missing
    stranger("polytab record")
    stranger("polytab verify planets missing")


def share_environments(stranger: Stranger) -> None:
    """Have a book make its environments, with the pins of the second, where the other does."""
    shared = stranger.home.parents[1] / "environments"
    shared.mkdir(exist_ok=True)
    (stranger.folder / "_build").mkdir(exist_ok=True)
    (stranger.folder / "_build" / "envs").symlink_to(shared)
    own = stranger.folder / "environments"
    shutil.copytree(BOOK / "environments", own, dirs_exist_ok=True)


def translate(stranger: Stranger, catalog: str, english: str, translation: str) -> None:
    """Write a translation into a catalog, as an editor of catalogs does."""
    path = stranger.folder / "translations" / catalog
    entry = re.compile(
        rf'(?:#, fuzzy\n)?(?:#\| msgid .*\n)?(msgid "{re.escape(english)}"\nmsgstr) ".*"'
    )
    text, times = entry.subn(rf'\1 "{translation}"', path.read_text(encoding="utf-8"))
    assert times == 1, english
    path.write_text(text, encoding="utf-8")


def article(stranger: Stranger, page: str) -> Tag:
    """Return what a built page says."""
    text = stranger.read(f"_build/site/{page}.html")
    found = BeautifulSoup(text, "html.parser").find("article")
    assert isinstance(found, Tag)
    return found


def begins(command: str, ran: set[str]) -> bool:
    """Tell whether a command was run, if only with more words."""
    return any(f"{each} ".startswith(f"{command} ") for each in ran)


def commands() -> Iterator[str]:
    """Yield each command that the manual shows, but for what follows `#`."""
    text = MANUAL.read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    for line in [*blocks.splitlines(), *re.findall(r"`([^`\n]+)`", text)]:
        words = line.partition(" #")[0].strip()
        if words.startswith(("polytab ", "nox ", "pip ")):
            yield words
