"""Every page and drawing is checked, and what is for builders is not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from polytab.pages.markdown.check import check_pages
from tests.support.built import build
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


def test_a_pipe_holds_nobody_up(handbook: Settings) -> None:
    for name in ("pipe.md", "pipe.svg", "pipe.png"):
        os.mkfifo(handbook.docs / name)
    assert _found(handbook) == [
        (name, None, "outside") for name in ("pipe.md", "pipe.png", "pipe.svg")
    ]
    write(handbook.docs, {"end.md": "# End\n\n![x](pipe.png)\n\n{download}`y <pipe.svg>`\n"})
    site = build(handbook.root)
    assert site.complaints("end").keys() == {3, 5}


def test_a_name_that_the_files_of_a_build_cannot_have_is_told(handbook: Settings) -> None:
    longest, deep = "n" * 147, "/".join(["deep" * 30] * 9)
    write(handbook.docs, {f"{longest}.md": "# A\n", f"{'文' * 80}.md": "# B\n"})
    (handbook.docs / deep).mkdir(parents=True)
    assert _found(handbook) == [(deep, None, "outside"), (f"{'文' * 80}.md", None, "outside")]
    site = build(handbook.root)
    assert longest in site.read
    assert site.warnings.count("rename it") == 2


TABS = "# End\n\n:::{tab} x\nwords\n:::\n\n::::{tabs}\n:::{group-tab} <b>x</b>\nwords\n:::\n::::\n"


def test_a_tab_without_tabs_and_a_label_of_html_are_told(handbook: Settings) -> None:
    write(handbook.docs, {"end.md": TABS})
    assert set(_found(handbook)) == {("end.md", 3, "tabs"), ("end.md", 8, "html")}
    site = build(handbook.root)
    assert "end.md:3: WARNING: `{tab}` stands in no `{tabs}` [polytab.tabs]" in site.warnings
    assert site.page("end").find("b") is None
