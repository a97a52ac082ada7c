"""Given code on a page, then its colours can be told from their ground in both schemes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pygments.styles import get_style_by_name

from polytab.pages.code.colours import stylesheet
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

PAIR = re.compile(r"\.highlight( \.\w+)? \{ color: light-dark\((#\w{6}), (#\w{6})\)")
GROUNDS = ("#f8f9fb", "#1a1c1e")  # --color-background-secondary
ENOUGH = 4.5


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_every_colour_of_a_book_that_chooses_none_has_enough_contrast(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    pairs = PAIR.findall(build(tmp_path).text("_static/code-colours.css"))
    assert len(pairs) > 20
    for _, *colours in pairs:
        for colour, ground in zip(colours, GROUNDS, strict=True):
            assert contrast(colour, ground) >= ENOUGH


def test_the_grounds_are_those_of_the_theme(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    text = build(tmp_path).text("_static/colours.css")
    assert f"--color-background-secondary: light-dark({', '.join(GROUNDS)});" in text


def test_a_book_chooses_other_styles(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    more = 'pygments_style = "xcode"\npygments_dark_style = "monokai"\n'
    write(tmp_path, {"conf.py": FILES["conf.py"] + more})
    expected = stylesheet(get_style_by_name("xcode"), get_style_by_name("monokai"))
    assert build(tmp_path).text("_static/code-colours.css") == expected
    assert ".highlight .k { color: light-dark(#a90d91, #66d9ef) }" in expected.lower()


def test_what_looks_like_text_has_no_rule() -> None:
    light = get_style_by_name("github-light-high-contrast")
    made = stylesheet(light, get_style_by_name("github-dark-high-contrast"))
    assert ".highlight .k {" in made
    assert ".highlight .w {" not in made
