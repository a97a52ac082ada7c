"""Given code on a page, then its colours can be told from their ground in both schemes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.theme import FOLDER
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

PAIR = re.compile(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);")
ENOUGH = 4.5


def variables(sheet: str) -> dict[str, tuple[str, str]]:
    """Return the colours that a stylesheet sets: light and dark."""
    text = (FOLDER / "static" / sheet).read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in PAIR.findall(text)}


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) > 4 else "".join(2 * each for each in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["primary", "secondary", "hover"])
def test_every_colour_has_enough_contrast_in_both_schemes(ground: str) -> None:
    colours = variables("code.css")
    assert len(colours) > 5
    grounds = variables("colours.css")[f"color-background-{ground}"]
    for name, pair in colours.items():
        for colour, behind in zip(pair, grounds, strict=True):
            assert contrast(colour, behind) >= ENOUGH, name


def test_every_colour_is_used() -> None:
    text = (FOLDER / "static" / "code.css").read_text(encoding="utf-8")
    assert {f"--{name}" for name in variables("code.css")} == set(re.findall(r"var\((.+?)\)", text))


def test_no_page_loads_the_colours_of_one_scheme_alone(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"conf.py": f'{FILES["conf.py"]}pygments_style = "xcode"\n'})
    plain = "# Plain\n\n```python\nclass A: pass\n```\n"
    write(tmp_path, {"docs/plain.md": plain, "docs/index.md": "# I\n\n```{toctree}\nplain\n```\n"})
    built = build(tmp_path)
    page = BeautifulSoup(built.text("plain.html"), "html.parser")
    [sheet] = page.select("link[rel=stylesheet]")
    text = built.text(str(sheet["href"]))
    assert "--code-keyword:light-dark(" in text
    assert "A90D91" not in text.upper()  # the keywords of that style
    assert page.select_one(".highlight .k") is not None
