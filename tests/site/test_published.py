"""The same inputs give the same site; what moved is found; an address that was published stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.errors import SettingsError
from polytab.settings import load_settings
from polytab.site.bare_pages import redirects
from polytab.site.publish import MANIFEST
from tests.support.languages_site import write_catalogs, write_pages

if TYPE_CHECKING:
    from polytab.settings import Settings

ROOT = Path(__file__).parents[2]
MOVED = '[tool.polytab.moved]\n"old" = "tour#start"\n"deep/old" = "more/deep"\n'


def _built(root: Path, **environment: str) -> Settings:
    """Build the three languages in a process of its own, as a person does."""
    root.mkdir(parents=True)
    settings = write_pages(root)
    write_catalogs(settings)
    with (root / "pyproject.toml").open("a") as file:
        file.write(MOVED)
    command = [sys.executable, "-m", "polytab", "site"]
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return load_settings(root)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    root = tmp_path_factory.mktemp("one") / "book"
    return _built(root, TZ="UTC", PYTHONHASHSEED="1", SOURCE_DATE_EPOCH="1700000000")


def test_the_same_inputs_give_the_same_bytes(site: Settings, tmp_path: Path) -> None:
    """In another folder, in another time zone, with another order of sets."""
    elsewhere = tmp_path / "another" / "place"
    environment = {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "2"}
    other = _built(elsewhere, SOURCE_DATE_EPOCH="1700000000", **environment)
    one, two = (json.loads((each.site / MANIFEST).read_text()) for each in (site, other))
    assert len(one["files"]) > 30
    assert one == two


def test_the_manifest_lists_every_file_with_its_digest(site: Settings) -> None:
    listed = json.loads((site.site / MANIFEST).read_text())["files"]
    files = [path for path in site.site.rglob("*") if path.is_file()]
    there = {path.relative_to(site.site).as_posix(): path for path in files}
    assert list(listed) == sorted(there.keys() - {MANIFEST})
    for name, known in listed.items():
        assert sha256(there[name].read_bytes()).hexdigest() == known


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "This page has moved. To its new address"),
        ("zh", "本页已移至新的地址。 前往新地址"),
        ("pt", "Esta página mudou de endereço. Ir para o novo endereço"),
    ],
)
def test_a_page_that_moved_leaves_a_redirect_in_every_language(
    site: Settings, code: str, said: str
) -> None:
    page = BeautifulSoup((site.site / code / "old.html").read_text("utf-8"), "html.parser")
    [link] = page.select("main a")
    assert link["href"] == "tour.html#start"
    assert page.select("meta[http-equiv=refresh][content='0; url=tour.html#start']")
    assert page.html is not None
    assert page.html["lang"] == site.language(code).tag
    assert page.select("script") == []
    [text] = page.select("main p")
    assert text.get_text() == said
    deep = BeautifulSoup((site.site / code / "deep" / "old.html").read_text(), "html.parser")
    assert [each["href"] for each in deep.select("main a")] == ["../more/deep.html"]


def test_a_redirect_names_the_canonical_address(handbook: Settings) -> None:
    settings = replace(handbook, address="https://book.example", moved={"old": "é/tour"})
    [(path, content)] = redirects(settings, settings.languages).items()
    assert path == "en/old.html"
    page = BeautifulSoup(content, "html.parser")
    [link] = page.select("link[rel=canonical]")
    assert link["href"] == "https://book.example/en/%C3%A9/tour.html"
    assert [each["href"] for each in page.select("main a")] == ["%C3%A9/tour.html"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"tour" = "end"', "`tour` has moved, but there is such a page"),
        ('"../old" = "end"', "must be pages"),
        ('"old" = "javascript:alert(1)"', "must be pages"),
        ('"old" = "https://example.org"', "must be pages"),
        ('"old" = 1', "must be text"),
        ('"gone#start" = "tour"', "`gone#start` has moved from a page that is not there"),
        ('"tour#a" = "tour#b"\n"tour#b" = "tour#a"', "`tour#a` has moved to `tour#b`, which moved"),
        ('"tour#a b" = "tour"', "must be pages"),
    ],
)
def test_what_moved_is_a_page_and_goes_to_one(handbook: Settings, line: str, message: str) -> None:
    with (handbook.root / "pyproject.toml").open("a") as file:
        file.write(f"\n[tool.polytab.moved]\n{line}\n")
    with pytest.raises(SettingsError, match=message):
        load_settings(handbook.root)


def test_an_address_that_was_published_never_breaks() -> None:
    """Every page is listed once it is there, and is there, or redirects, once it is listed."""
    settings = load_settings(ROOT)
    listed = (ROOT / "docs" / "contributing" / "addresses.txt").read_text(encoding="utf-8")
    addresses = {line for line in listed.splitlines() if line and not line.startswith("#")}
    pages = {path.name for path in settings.docs.glob("*.md")}
    now = {f"{name.removesuffix('.md')}.html" for name in pages}
    assert now <= addresses, "add the new page to docs/contributing/addresses.txt"
    gone = addresses - now - {f"{old}.html" for old in settings.moved}
    assert gone == set(), "a page has left its address: name its new one in [tool.polytab.moved]"
