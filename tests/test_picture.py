"""The README's picture of a page is of a page as it looks now; `nox -s picture` takes it again."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "picture.py"))


def test_it_is_not_older_than_the_look_of_the_pages() -> None:
    script = _script()
    taken = script["DIGEST"].read_text(encoding="utf-8").strip()
    assert taken == script["digest_of_look"](), "the look has changed: run `nox -s picture`"


def test_the_readme_shows_it_light_and_dark_and_says_what_is_on_it() -> None:
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', README)
    folder = _script()["FOLDER"].relative_to(ROOT).as_posix()
    assert sorted(shown) == [f"{folder}/page-dark.png", f"{folder}/page-light.png"]
    [alt] = re.findall(r'<img [^>]*alt="([^"]+)"', README)
    assert len(alt) > 100


def test_it_is_light_to_load() -> None:
    pictures = sorted(_script()["FOLDER"].glob("*.png"))
    assert len(pictures) == 2
    assert max(path.stat().st_size for path in pictures) < 200_000


def test_what_the_readme_says_becomes_the_picture_stands_in_the_page() -> None:
    """Line by line, in the order of the README; what it leaves out is left out at a line's end."""
    [source] = re.findall(r"````md\n(.*?)````", README, re.DOTALL)
    page = (ROOT / "docs" / f"{_script()['PAGE']}.md").read_text(encoding="utf-8")
    for line in source.splitlines():
        assert line.removesuffix("…") in page, line
