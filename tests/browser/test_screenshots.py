"""Every kind of page in each language, theme and width, to be looked at: _build/screenshots/."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.kinds import DESK, KINDS, LANGUAGES, PHONE
from tests.browser.served import ROOT

if TYPE_CHECKING:
    from typing import Literal

    from tests.browser.conftest import Open
    from tests.browser.served import Server

FOLDER = ROOT / "_build" / "screenshots"
PLACES = {
    "article": {"top": "h1", "middle": ".sphinx-tabs", "chart": ".benchmark", "end": "footer"},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_of_page_can_be_looked_at(
    handbook: Server, open_page: Open, language: str, theme: Literal["light", "dark"]
) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in (DESK, PHONE):
        with open_page(color_scheme=theme, viewport=size, reduced_motion="reduce") as page:
            for kind in KINDS:
                kind.open(page, handbook, language)
                for place, where in PLACES.get(kind.name, {"top": "body"}).items():
                    if place != "top":
                        page.locator(where).first.evaluate("each => each.scrollIntoView()")
                    name = f"{kind.name}-{place}-{language}-{theme}-{size['width']}.png"
                    path = FOLDER / name.replace(" ", "-")
                    page.screenshot(path=path)
                    assert path.stat().st_size > 2000
