"""A list of pages that leads back is found by the check, and ends no build."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.pages.markdown.check import check_pages
from polytab.pages.markdown.toctrees import DEEPEST, find_unlisted, wrong_ways
from tests.support.built import build
from tests.support.handbook import record, write

if TYPE_CHECKING:
    from polytab.settings import Settings


def _list(*entries: str) -> str:
    return "\n".join(["```{toctree}", *entries, "```", ""])


CIRCLES = {
    "back to the start": {"docs/end.md": f"# End\n\n{_list('index')}"},
    "a pattern": {"docs/end.md": f"# End\n\n{_list(':glob:', '*')}"},
    "with a title": {"docs/end.md": f"# End\n\n{_list('The start <index>')}"},
    "round two pages": {
        "docs/end.md": f"# End\n\n{_list('/more')}",
        "docs/more.md": f"# More\n\n{_list('tour', 'end.md')}",
    },
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_is_a_finding_and_ends_no_build(handbook: Settings, name: str) -> None:
    write(handbook.root, CIRCLES[name])
    record(handbook)
    [found] = [each for each in check_pages(handbook) if each.rule == "toctree"]
    assert found.line == 3
    assert "stands above this page: take it out" in found.message
    site = build(handbook.root)
    assert "stands above this page: take it out [polytab.toctree]" in site.warnings
    assert site.page("tour").get_text()


def test_a_pattern_without_a_circle_is_well(handbook: Settings) -> None:
    write(handbook.root, {"docs/index.md": f"# A\n\n{_list(':glob:', '*', 'https://example.org')}"})
    record(handbook)
    assert list(check_pages(handbook)) == []
    assert build(handbook.root).warnings == ""


def test_a_pile_of_pages_is_a_finding(handbook: Settings) -> None:
    high = 2 * DEEPEST
    pages = {f"docs/p{at}.md": f"# P\n\n{_list(f'p{at + 1}')}" for at in range(high)}
    write(handbook.root, {**pages, f"docs/p{high}.md": "# P\n"})
    [found] = [each for each in check_pages(handbook) if each.rule == "toctree"]
    assert found.message == "more than 20 pages stand below each other"


_TREES = st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefg")))


@given(_TREES)
def test_without_the_wrong_ways_no_page_stands_above_itself(below: dict[str, list[str]]) -> None:
    wrong = {(page, child) for page, child, _ in wrong_ways(below)}
    right = {
        page: [each for each in children if (page, each) not in wrong]
        for page, children in below.items()
    }
    assert list(wrong_ways(right)) == []

    def walk(page: str, above: tuple[str, ...]) -> None:
        assert page not in above
        for child in right.get(page, ()):
            walk(child, (*above, page))

    for page in right:
        walk(page, ())


def test_a_page_that_no_list_leads_to_is_found_unless_it_means_to_be_alone(
    handbook: Settings,
) -> None:
    write(
        handbook.root,
        {
            "docs/lost.md": "# Lost\n",
            "docs/alone.md": "---\norphan: true\n---\n\n# Alone\n",
            "docs/contributing/more.md": "# For builders\n",
        },
    )
    [found] = find_unlisted(handbook)
    assert (found.file.name, found.line, found.rule) == ("lost.md", 1, "unlisted")
