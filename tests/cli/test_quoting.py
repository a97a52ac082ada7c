"""A name that a stranger chose is quoted: no log obeys it, and no byte of it is a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.commits import commit
from tests.support.handbook import record, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from polytab.settings import Settings
    from tests.cli.said import Said

COMMAND = "a\n::error file=x::no\x1b[2J.md"
NOT_UTF_8 = b"docs/caf\xe9.md"


@pytest.fixture
def named(handbook: Settings) -> Settings:
    """Commit the tiny handbook, then add a page whose name is a command and one in Latin 1."""
    record(handbook)
    commit(handbook.root, "2026-01-02")
    write(handbook.docs, {COMMAND: "# A\n", f"_{COMMAND}.svg": "<svg/>"})
    root = os.fsencode(handbook.root)
    with open(os.path.join(root, NOT_UTF_8), "wb") as file:  # noqa: PTH118, PTH123  # bytes
        file.write(b"# B\n")
    return handbook


def _obeyed(said: str) -> bool:
    lines = said.splitlines()
    return "\x1b" in said or any(each.lstrip().startswith("::") for each in lines)


@pytest.mark.usefixtures("named")
def test_the_paths_of_a_change_are_quoted(polytab: Callable[..., Said]) -> None:
    said = polytab("changes", "HEAD")
    assert (said.code, said.lines) == (0, ["code"])
    assert not _obeyed(said.err)
    assert r"code: docs/a\u000a::error file=x::no\u001b[2J.md" in said.err.splitlines()
    assert r"code: docs/caf\udce9.md" in said.err.splitlines()


@pytest.mark.usefixtures("named")
def test_a_name_that_no_page_may_have_is_a_finding(polytab: Callable[..., Said]) -> None:
    said = polytab("lint")
    assert said.code == 1
    assert said.err == ""
    assert not _obeyed(said.out)
    refused = [line for line in said.lines if "[outside] it has a name with" in line]
    assert len(refused) == 3


def _site(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "polytab", "site"],
        cwd=root, capture_output=True, encoding="utf-8", check=False, timeout=300,
        env={**os.environ, "NO_COLOR": "1"},  # Sphinx colours its own words where CI is set
    )  # fmt: skip


def test_sphinx_leaves_such_pages_out_and_quotes_what_it_says_of_others(named: Settings) -> None:
    strange = "# Tour\n\n[x](nowhere&#10;&#10;::error::no)\n\n{doc}`y\x1b[2J`\n\n{ref}`::error::`\n"
    write(named.root, {"docs/tour.md": strange, "snippets/tour/README": "x"})
    ended = _site(named.root)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr, ended.stderr
    assert not _obeyed(ended.stderr + ended.stdout)
    assert ended.stderr.count("rename it") == 3
    assert "nowhere" in ended.stderr
