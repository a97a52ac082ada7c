"""A section that has left its page is told there, and only there, to who asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.built import build
from tests.support.handbook import write_handbook
from tests.support.languages_site import build_language, whole, write_catalogs, write_pages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.built import Built

MOVED = """
[tool.polytab.moved]
"tour#old" = "more/deep#end"
"tour#older" = "speed"
"more/deep#start" = "tour#start"
"""
SAID = {
    "en": "This section has moved. To its new address",
    "zh": "本节已移至新的地址。 前往新地址",
    "pt": "Esta seção mudou de endereço. Ir para o novo endereço",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Built]:
    settings = write_pages(tmp_path_factory.mktemp("moved") / "site")
    write_catalogs(settings)
    with (settings.root / "pyproject.toml").open("a") as file:
        file.write(MOVED)
    return {code: build_language(settings, code) for code in SAID}


@pytest.mark.parametrize("code", SAID)
def test_a_page_leads_on_to_the_sections_that_left_it(
    built: Mapping[str, Built], code: str
) -> None:
    lines = whole(built[code], "tour").select("main > .moved-section")
    assert [(each["id"], each.a and each.a["href"]) for each in lines] == [
        ("old", "more/deep.html#end"),
        ("older", "speed.html"),
    ]
    assert [_follows(built["en"], each) for each in ("tour", "more/deep")] == [True, True]
    assert [_follows(built["en"], each) for each in ("speed", "bare")] == [False, False]
    assert whole(built["en"], "speed").select(".moved-section") == []


def _follows(built: Built, page: str) -> bool:
    """Tell whether a page loads what follows the links of sections that moved."""
    names = [
        str(each["src"]).rpartition("/")[2] for each in whole(built, page).select("script[src]")
    ]
    return any(".moved-section" in built.text(f"_static/{name}") for name in names)


def test_a_section_that_the_page_has_has_not_moved(tmp_path: Path) -> None:
    settings = write_handbook(tmp_path)
    with (settings.root / "pyproject.toml").open("a") as file:
        file.write('\n[tool.polytab.moved]\n"tour#the-start" = "index"\n')
    (settings.docs / "tour.md").write_text("# Tour\n\n## The start\n\nHere.\n", encoding="utf-8")
    assert "`tour#the-start` has moved, but the page has it" in build(settings.root).warnings
