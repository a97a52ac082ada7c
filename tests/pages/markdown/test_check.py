"""Every page and drawing is checked, and what is for builders is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.markdown.check import check_pages
from tests.support.handbook import write

if TYPE_CHECKING:
    from polytab.settings import Settings


def _found(settings: Settings) -> list[tuple[str, int | None, str]]:
    return [
        (each.file.relative_to(settings.docs).as_posix(), each.line, each.rule)
        for each in check_pages(settings)
    ]


def test_what_pages_use_say_and_hold_for_translators_is_checked(handbook: Settings) -> None:
    text = "# End\n\n{raw}`x`\n\nIt is faster.\n\n<div>\n"
    write(handbook.docs, {"deep/end.md": text})
    assert _found(handbook) == [
        ("deep/end.md", 3, "role"),
        ("deep/end.md", 5, "comparison"),
        ("deep/end.md", 7, "block-html"),
    ]


def test_pages_for_builders_are_not_checked(handbook: Settings) -> None:
    write(handbook.docs, {"contributing/end.md": "# End\n\nIt is faster.\n"})
    assert _found(handbook) == []


def test_drawings_are_checked(handbook: Settings) -> None:
    write(handbook.docs, {"bad.svg": "<svg><script/></svg>", "deep/broken.svg": "<svg"})
    assert _found(handbook) == [("bad.svg", None, "drawing"), ("deep/broken.svg", None, "drawing")]


def test_a_page_that_is_a_link_or_no_text_is_told(handbook: Settings) -> None:
    (handbook.docs / "linked.md").symlink_to("tour.md")
    (handbook.docs / "raw.md").write_bytes(b"# \xff\n")
    assert _found(handbook) == [("linked.md", None, "outside"), ("raw.md", None, "utf-8")]
