"""Given a page that is published, then its policy is the first thing in it; a preview has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.pages.frame.policy import POLICY
from tests.support.built import build
from tests.support.handbook import write_handbook

if TYPE_CHECKING:
    from pathlib import Path

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

META = "meta[http-equiv=Content-Security-Policy]"


def test_a_published_page_begins_with_its_policy(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    built = build(tmp_path, polytab_published=True)
    pages = list(built.app.outdir.glob("*.html"))
    assert len(pages) == 3
    for each in pages:
        page = BeautifulSoup(each.read_text(encoding="utf-8"), "html.parser")
        [meta] = page.select(META)
        assert meta["content"] == POLICY
        assert page.head is not None
        assert page.head.find(recursive=False) == meta


def test_a_preview_has_none(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    assert "Content-Security-Policy" not in build(tmp_path).text("tour.html")


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    allowed = {each for directive in POLICY.split("; ") for each in directive.split(" ")[1:]}
    assert allowed == {"'none'", "'self'", "'wasm-unsafe-eval'", "data:"}
