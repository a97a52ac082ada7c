"""Given a section that introduces a term, when it is built, then its English name is in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.terms.site import PAGE, TERMS, built_in, write_book

if TYPE_CHECKING:
    from pathlib import Path


def terms(name: str, *lines: str) -> str:
    return "\n".join([f'["{name}"]', 'definition = "It is so."', *lines, ""])


@pytest.mark.parametrize(
    ("name", "section", "shown"),
    [
        ("bandwidth", "moving", True),
        ("Latency", "moving", True),
        ("byte", "moving", True),
        ("width", "moving", False),
        ("barrier", "moving", False),
        ("overhead", "moving", False),
        ("shape", "moving", False),
        ("shape", "below", True),
    ],
)
def test_a_name_is_seen_in_text_of_the_section_outside_of_tabs_and_folds(
    name: str,
    section: str,
    shown: bool,  # noqa: FBT001  # a column of the table
    tmp_path: Path,
) -> None:
    settings = write_book(tmp_path, terms(name, f'introduced = "speed#{section}"'))
    warnings = built_in(settings, "en").warnings
    assert ("does not show" not in warnings) is shown
    assert ("docs/terms.toml:1: WARNING" in warnings) is not shown


def test_what_waits_is_no_warning_until_it_is_shown(tmp_path: Path) -> None:
    waiting = terms("barrier", 'introduced = "speed#moving"', 'waits = ["en"]')
    assert built_in(write_book(tmp_path / "a", waiting), "en").warnings == ""
    seen = PAGE.replace("The other is", "No barrier is")
    warnings = built_in(write_book(tmp_path / "b", waiting, seen), "en").warnings
    assert "take `en` off its `waits`" in warnings


def test_a_translation_names_the_english_beside_its_own_name(tmp_path: Path) -> None:
    warnings = built_in(write_book(tmp_path), "zh").warnings
    assert "`speed#moving` does not show `latency` in zh" in warnings
    assert "zebra" not in warnings  # one of its English names stands there: bandwidth


def test_english_elsewhere_in_the_section_is_not_beside_it(tmp_path: Path) -> None:
    page = PAGE.replace("### Below", "Latency is no bandwidth.\n\n### Below")
    warnings = built_in(write_book(tmp_path, page=page), "zh").warnings
    assert "does not show `latency` in zh" in warnings


def test_a_term_of_no_section_is_a_warning_at_its_line(tmp_path: Path) -> None:
    nowhere = TERMS + terms("shape", 'introduced = "speed#nowhere"')
    warnings = built_in(write_book(tmp_path, nowhere), "en").warnings
    assert "docs/terms.toml:9: WARNING: `speed` has no section `nowhere`" in warnings


def test_the_section_tells_the_search_every_name(tmp_path: Path) -> None:
    section = built_in(write_book(tmp_path), "zh").page("speed").select_one("#moving")
    assert section is not None
    [names] = section.select(":scope > [data-search-names]")
    assert names["data-search-names"] == "带宽|内存带宽|zebra|bandwidth|zebras|延迟|latency"
    assert names.has_attr("hidden")
    assert names.get_text() == ""
