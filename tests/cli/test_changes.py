"""The kind of a change: what is not known to be harmless is code."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.cli.changes import Kind, kind_of, kind_of_one
from polytab.errors import UsageError
from polytab.git import Change, changes_since, text_at
from polytab.settings import load_settings
from tests.support.commits import commit
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from polytab.settings import Settings

ROOT = Path(__file__).parents[2]
PLAIN = "100644"


@pytest.mark.parametrize(
    ("path", "mode", "kind"),
    [
        ("translations/zh_CN/LC_MESSAGES/compilers.po", PLAIN, Kind.TRANSLATION),
        ("translations/pt_BR/LC_MESSAGES/snippets/compilers.po", PLAIN, Kind.TRANSLATION),
        ("translations/zh_CN/LC_MESSAGES/compilers.po", "000000", Kind.TRANSLATION),
        ("docs/compilers.md", PLAIN, Kind.TEXT),
        ("docs/figures/data-flow.svg", PLAIN, Kind.TEXT),
        ("README.md", PLAIN, Kind.TEXT),
        # an interface catalog, a compiled one, an unknown language, a glossary the lint obeys
        ("translations/zh_CN/LC_MESSAGES/sphinx.po", PLAIN, Kind.CODE),
        ("translations/zh_CN/LC_MESSAGES/polytab.po", PLAIN, Kind.CODE),
        ("translations/zh_CN/LC_MESSAGES/compilers.mo", PLAIN, Kind.CODE),
        ("translations/xx/LC_MESSAGES/compilers.po", PLAIN, Kind.CODE),
        ("translations/zh_CN/glossary.toml", PLAIN, Kind.CODE),
        # a link or an executable file in a harmless place
        ("docs/compilers.md", "120000", Kind.CODE),
        ("translations/zh_CN/LC_MESSAGES/compilers.po", "120000", Kind.CODE),
        ("translations/zh_CN/LC_MESSAGES/compilers.po", "100755", Kind.CODE),
        # a path that only looks harmless
        ("docs/conf.py", PLAIN, Kind.CODE),
        # what programs take orders from, wherever it lies and however it is spelled
        ("AGENTS.md", PLAIN, Kind.CODE),
        ("CLAUDE.md", PLAIN, Kind.CODE),
        ("SECURITY.md", PLAIN, Kind.CODE),
        ("docs/AGENTS.md", PLAIN, Kind.CODE),
        ("docs/contributing/Claude.md", PLAIN, Kind.CODE),
        ("docs/GEMINI.md", PLAIN, Kind.CODE),
        ("docs/skill.md", PLAIN, Kind.CODE),
        ("docs/agents.md", PLAIN, Kind.CODE),
        ("docs/agents-of-change.md", PLAIN, Kind.TEXT),
        ("docs/../conf.md", PLAIN, Kind.CODE),
        ("docs/compilers.md\n.py", PLAIN, Kind.CODE),
        ("docs/_static/tabs.js", PLAIN, Kind.CODE),
        ("snippets/compilers/torch.py", PLAIN, Kind.CODE),
        ("recordings/compilers/torch.cpu.ipynb", PLAIN, Kind.CODE),
        ("environments/torch.txt", PLAIN, Kind.CODE),
        ("conf.py", PLAIN, Kind.CODE),
        (".github/workflows/publish.yml", PLAIN, Kind.CODE),
    ],
)
def test_the_kind_of_one_path(path: str, mode: str, kind: Kind) -> None:
    settings = load_settings(ROOT)
    if "/zh_CN/" in path or "/pt_BR/" in path:
        assert {"zh_CN", "pt_BR"} <= {language.locale for language in settings.languages}
    assert kind_of_one(settings, Change(path, mode)) is kind


def test_one_powerful_path_makes_the_whole_change_powerful() -> None:
    settings = load_settings(ROOT)
    catalog = Change("translations/zh_CN/LC_MESSAGES/compilers.po", PLAIN)
    text = Change("docs/index.md", PLAIN)
    code = Change("noxfile.py", PLAIN)
    assert kind_of(settings, []) is Kind.TRANSLATION
    assert kind_of(settings, [catalog]) is Kind.TRANSLATION
    assert kind_of(settings, [catalog, text]) is Kind.TEXT
    assert kind_of(settings, [code, catalog, text]) is Kind.CODE


def _git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


def test_changes_are_read_from_git_with_their_modes(tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "kept.md").write_text("kept")
    (tmp_path / "gone.md").write_text("gone")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-q", "-m", "before")
    _git(tmp_path, "switch", "-q", "-c", "change")
    (tmp_path / "gone.md").unlink()
    (tmp_path / "committed.md").write_text("new")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-q", "-m", "after")
    (tmp_path / "untracked 文.md").write_text("new")
    (tmp_path / "loose.md").symlink_to("kept.md")
    (tmp_path / "executable.md").write_text("new")
    (tmp_path / "executable.md").chmod(0o744)
    (tmp_path / "for others.md").write_text("new")
    (tmp_path / "for others.md").chmod(0o655)
    assert changes_since(tmp_path, "main") == (
        Change("committed.md", PLAIN),
        Change("executable.md", "100755"),
        Change("for others.md", PLAIN),  # git looks at the owner's bit alone
        Change("gone.md", "000000"),
        Change("link.md", "120000"),
        Change("loose.md", "120000"),
        Change("untracked 文.md", PLAIN),
    )


def test_a_new_text_that_can_be_executed_is_code(handbook: Settings) -> None:
    commit(handbook.root, "2026-01-02")
    new = handbook.docs / "new.md"
    write(handbook.root, {"docs/new.md": "# New\n"})
    assert kind_of(handbook, changes_since(handbook.root, "HEAD")) is Kind.TEXT
    new.chmod(0o755)
    assert kind_of(handbook, changes_since(handbook.root, "HEAD")) is Kind.CODE


@pytest.mark.parametrize("relative", ["true", "false"])
def test_paths_begin_at_the_book_though_its_repository_holds_more(
    tmp_path: Path, relative: str
) -> None:
    settings = write_handbook(tmp_path / "书 & books" / "one")
    write(tmp_path, {"beside.sh": "true\n", "书 & books/two.md": "# Two\n"})
    commit(tmp_path, "2026-01-02")
    _git(tmp_path, "config", "diff.relative", relative)
    before = (settings.docs / "tour.md").read_text("utf-8")
    write(settings.root, {"docs/tour.md": "# Tour\n", "docs/new.md": "# New\n"})
    inside = (Change("docs/new.md", PLAIN), Change("docs/tour.md", PLAIN))
    assert changes_since(settings.root, "HEAD") == inside
    assert kind_of(settings, inside) is Kind.TEXT
    assert text_at(settings.root, "HEAD", "docs/tour.md") == before
    assert text_at(settings.root, "HEAD", "docs/new.md") is None
    # what lies outside the book is seen, committed or not, and is no text of the book
    write(tmp_path, {"beside.sh": "false\n", "README.md": "# New\n", "书 & books/two.md": "# 2\n"})
    outside = ("../../README.md", "../../beside.sh", "../two.md")
    found = changes_since(settings.root, "HEAD")
    assert found == (*(Change(path, PLAIN) for path in outside), *inside)
    assert [kind_of_one(settings, change) for change in found[:3]] == [Kind.CODE] * 3


def test_an_unknown_base_is_wrong_usage(tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q", "-b", "main")
    _git(tmp_path, "commit", "-q", "--allow-empty", "-m", "before")
    assert changes_since(tmp_path, "main") == ()
    for base in ("no-such-branch", "0" * 40, "--octopus"):
        with pytest.raises(UsageError, match=f"git merge-base: .*{base}") as caught:
            changes_since(tmp_path, base)
        assert caught.value.hint == "name a commit or a branch"
        with pytest.raises(UsageError, match="git rev-parse"):
            text_at(tmp_path, base, "conf.py")
    assert text_at(tmp_path, "main", "conf.py") is None
