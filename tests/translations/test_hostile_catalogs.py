"""Whole files as they may arrive: what is refused, and what may still be shown."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from polytab.translations.catalogs import CatalogError
from polytab.translations.po_parser import read_catalog
from polytab.translations.rules.lint import lint_messages
from polytab.translations.rules.message import Message
from tests.translations.corpus import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = FIXTURES / "catalogs"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "expected"), EXPECTED.items(), ids=EXPECTED.keys())
def test_a_file_is_refused_by_the_rules_it_names(name: str, expected: dict[str, Any]) -> None:
    rules, passed = checked(name)
    assert (rules, passed) == (set(expected["rules"]), set(expected["passes"]))


def test_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "y.po"
    os.mkfifo(path)
    with pytest.raises(CatalogError) as caught:
        read_catalog(path, "pt_BR")
    assert caught.value.message == "this is no file; put the catalog itself here"


def test_every_file_is_expected() -> None:
    assert {path.stem for path in FOLDER.glob("*.po")} == EXPECTED.keys()


def checked(name: str) -> tuple[set[str], set[str]]:
    """Read a catalog and check it; return the rules that complain and the English that passes."""
    path = FOLDER / f"{name}.po"
    try:
        catalog = read_catalog(path, "pt_BR")
    except CatalogError as error:
        return {finding.rule for finding in error.findings}, set()
    assert catalog is not None
    results = list(
        lint_messages(
            Message(
                *(entry.source, entry.translation, path, entry.line, "pt_BR", entry.previous),
                outdated=entry.fuzzy,
            )
            for entry in catalog.entries
        )
    )
    rules = {finding.rule for result in results for finding in result.findings}
    return rules, {result.message.source for result in results if result.passed}
