"""What a reviewer types: what changed in recordings, and how far translations are."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from polytab.recordings.files import save_recording
from polytab.translations.catalogs import Entry, catalog_path
from polytab.translations.compiled import compile_catalogs
from tests.support.handbook import job, record, recording, stream, write
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.settings import Settings
    from tests.cli.said import Said


def _commit(root: Path) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "recorded"]):
        subprocess.run(["git", *identity, *words], cwd=root, check=True)


def test_recordings_that_say_something_else_are_shown(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _commit(handbook.root)
    said = polytab("compare", "HEAD")
    assert (said.code, said.lines) == (0, ["4 recordings, 0 say something else"])
    made = recording(job(handbook, "tour", "torch"), {"add": [stream("torch 4\n")]})
    save_recording(handbook.recordings, made)
    said = polytab("compare", "HEAD")
    assert said.code == 1
    assert {"-add", "+torch 4"} <= set(said.lines)
    assert said.lines[-1] == "4 recordings, 1 say something else"


def test_a_commit_that_is_not_there_is_wrong_usage(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _commit(handbook.root)
    assert polytab("compare", "no-such-commit").code == 2


def test_the_table_for_a_pull_request_lists_what_is_outdated_as_text(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    settings = with_languages(handbook)
    write(settings.docs, {"end.md": "# End\n\nIt ends `@now`.\n"})
    chinese = settings.language("zh")
    source = "It ends `@now`."
    outdated = Entry(source, "它在`@now`结束。", fuzzy=True, previous="It stops `@now`.")
    path = write_catalog(settings, chinese, "end", Entry("End", "结束"), outdated)
    said = polytab("status", "--markdown")
    assert said.code == 0
    assert "| end | zh | 1 of 2 | 1 | 0 |" in said.lines
    line = path.read_text(encoding="utf-8").splitlines().index("#, fuzzy") + 1
    assert len(said.lines) == said.lines.index("Outdated, with the English of today:") + 3
    assert said.lines[-1].startswith("- <code>translations/zh_CN/LC_MESSAGES/end.po:")
    assert said.lines[-1].endswith("<code>It ends &#96;&#64;now&#96;.</code>")
    assert abs(int(said.lines[-1].partition("end.po:")[2].partition("<")[0]) - line) <= 3


def test_words_of_the_theme_among_the_catalogs_are_found_and_ignored(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    settings = with_languages(handbook)
    chinese = settings.language("zh")
    for name in ("sphinx", "polytab", "nowhere"):
        write_catalog(settings, chinese, name, Entry("Search", "坏"))
    assert polytab("lint").code == 1
    said = polytab("lint").lines
    assert sum("[stray]" in line for line in said) == 3
    compile_catalogs(settings, chinese)
    assert not list(settings.locale.rglob("sphinx.*"))
    assert not list(settings.locale.rglob("polytab.*"))
    assert catalog_path(settings, chinese, "sphinx").is_file()


def test_addresses_that_answer_are_well_and_pages_without_any_too(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    del handbook
    said = polytab("links")
    assert (said.code, said.lines) == (0, ["every address answers"])
