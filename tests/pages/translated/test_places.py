"""Each message is placed at the line of its page with which it begins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.pages.translated.places import first_lines, with_lines
from polytab.translations.catalogs import Entry, Template
from tests.support.handbook import write

if TYPE_CHECKING:
    from polytab.settings import Settings

ROOT = Path(__file__).parents[3]

PAGE = """\
# Joins

One sentence
in two lines.

:::::{tabs}
::::{group-tab} pandas

:::{admonition} A title
A note.
:::
::::
:::::

| left | right |
|---|---|
| a cell | another |

One sentence
in two lines.
"""


def test_each_message_has_its_first_line() -> None:
    assert (
        first_lines(PAGE).items()
        >= {
            "Joins": 1,
            "One sentence in two lines.": 3,
            "A title": 9,
            "A note.": 10,
            "left": 15,
            "another": 17,
        }.items()
    )


def test_what_the_page_does_not_hold_keeps_its_file(handbook: Settings) -> None:
    write(handbook.docs, {"tour.md": PAGE})
    file = "docs/tour.md"
    sources = {"A note.": f"{file}:10", "On a drawing.": file}
    template = Template("tour", tuple(Entry(each, locations=(file,)) for each in sources))
    [found] = with_lines(handbook, [template])
    assert {each.source: each.locations for each in found.entries} == {
        source: (place,) for source, place in sources.items()
    }


def test_comments_and_pages_that_are_gone_are_left_as_they_are(handbook: Settings) -> None:
    entries = (Entry("A note.", locations=("snippets/tour/torch.py:3",)),)
    templates = (Template("snippets/tour", entries), Template("gone", entries))
    assert with_lines(handbook, templates) == templates


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem)
def test_the_places_in_the_handbook_begin_with_their_messages(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    places = {message: line for message, line in first_lines(text).items() if message}
    assert len(places) > 1
    for message, line in places.items():
        assert message.split()[0] in lines[line - 1]
