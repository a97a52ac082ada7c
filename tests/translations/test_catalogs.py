"""What a catalog looks like as a file."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from polytab.recordings.atomic import write_atomic
from polytab.translations.catalogs import (
    Catalog,
    Entry,
    catalog_files,
    catalog_path,
    catalog_text,
)
from polytab.translations.po_parser import read_catalog
from tests.translations.strategies import catalogs
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from polytab.settings import Settings

LONG = "It is faster on the CPU, and " * 10 + "that is all."


def test_a_message_is_written_as_translators_know_it() -> None:
    entry = Entry(
        "Now it is slower.",
        "现在更慢。",
        fuzzy=True,
        previous="Now it is faster.",
        comments=("See the glossary.",),
        locations=("docs/a.md", "docs/b.md"),
    )
    catalog = Catalog((entry,), (Entry("Gone.", "没了。"),), (("Language", "zh_CN"),), ("Ours.",))
    assert (
        catalog_text(catalog)
        == """\
# Ours.
msgid ""
msgstr "Language: zh_CN\\n"

# See the glossary.
#: docs/a.md
#: docs/b.md
#, fuzzy
#| msgid "Now it is faster."
msgid "Now it is slower."
msgstr "现在更慢。"

#~ msgid "Gone."
#~ msgstr "没了。"
"""
    )


def test_no_text_and_no_comment_is_wrapped() -> None:
    catalog = Catalog((Entry(LONG, LONG, comments=(LONG, LONG)),))
    assert [line for line in catalog_text(catalog).split("\n") if LONG in line] == [
        f"# {LONG}",
        f"# {LONG}",
        f'msgid "{LONG}"',
        f'msgstr "{LONG}"',
    ]


@given(catalogs())
def test_what_is_written_is_what_is_read(catalog: Catalog) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.po"
        write_atomic(path, catalog_text(catalog).encode())
        assert read_catalog(path, "zh_CN") == catalog


@pytest.mark.skipif(not shutil.which("msgfmt"), reason="GNU gettext is not installed")
@given(catalogs())
def test_gettext_reads_what_is_written(catalog: Catalog) -> None:
    command = ["msgfmt", "--output-file=/dev/null", "-"]
    text = catalog_text(catalog).encode()
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_catalogs_of_a_language_are_found_by_name(handbook: Settings) -> None:
    settings = with_languages(handbook)
    _, chinese, portuguese = settings.languages
    for language in (chinese, portuguese):
        for name in ("tour", "snippets/tour"):
            write_atomic(catalog_path(settings, language, name), b"")
    assert list(catalog_files(settings, chinese)) == ["snippets/tour", "tour"]
    assert catalog_files(settings, chinese)["tour"] == (
        settings.root / "translations/zh_CN/LC_MESSAGES/tour.po"
    )


def test_a_folder_that_is_a_link_is_not_looked_into(handbook: Settings, tmp_path: Path) -> None:
    settings = with_languages(handbook)
    chinese = settings.languages[1]
    write_atomic(tmp_path / "elsewhere" / "LC_MESSAGES" / "tour.po", b"")
    settings.translations.mkdir()
    (settings.translations / chinese.locale).symlink_to(tmp_path / "elsewhere")
    assert not catalog_files(settings, chinese)
