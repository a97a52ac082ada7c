"""What can happen to the settings, conf.py, styles, templates and history of the book."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from polytab.settings import load_settings
from tests.site.book import (
    ADDRESS,
    CHINESE,
    rewrite,
    some_word,
)
from tests.support.commits import commit
from tests.support.ebooks import lay_ebook
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


def change_book_title(root: Path, chance: Random) -> None:
    said = f'title = "Book of {some_word(chance)}"'
    rewrite(root / "pyproject.toml", lambda text: re.sub("title = .*", said, text, count=1))


def change_language_title(root: Path, chance: Random) -> None:
    said = f'locale = "pt_BR"\ntitle = "Livro {some_word(chance)}"\n'
    line = r'locale = "pt_BR"\n(title = .*\n)?'
    rewrite(root / "pyproject.toml", lambda text: re.sub(line, said, text, count=1))


def change_language_name(root: Path, chance: Random) -> None:
    said = f'name = "Português {some_word(chance)}"'
    line = r'name = "Português.*"'
    rewrite(root / "pyproject.toml", lambda text: re.sub(line, said, text, count=1))


def change_framework_title(root: Path, chance: Random) -> None:
    said = f'torch = {{ title = "Torch {some_word(chance)}"'
    line = r'torch = { title = ".*?"'
    rewrite(root / "pyproject.toml", lambda text: re.sub(line, said, text, count=1))


def change_address(root: Path, chance: Random) -> None:
    """Publish the book elsewhere, or nowhere."""
    said = chance.choice(["", ADDRESS, ADDRESS.replace("tiny", some_word(chance))])
    table = "[tool.polytab]\n"

    def change(text: str) -> str:
        without = re.sub(r"^address = .*\n", "", text, flags=re.MULTILINE)
        return without.replace(table, table + said)

    rewrite(root / "pyproject.toml", change)


def make_ebook(root: Path, chance: Random) -> None:
    """Make an e-book of the book as it stands, or what stands for one."""
    suffix, size = chance.choice([".epub", ".pdf"]), chance.choice([2000, 3000])
    lay_ebook(load_settings(root), "en", chance.choice(["torch", None]), suffix, size)


def change_repository(root: Path, chance: Random) -> None:
    said = chance.choice(["", 'repository = "https://github.com/some/book"\n'])
    table = "[tool.polytab]\n"

    def change(text: str) -> str:
        without = re.sub(r"^repository = .*\n", "", text, flags=re.MULTILINE)
        return without.replace(table, table + said)

    rewrite(root / "pyproject.toml", change)


def toggle_language(root: Path, _: Random) -> None:
    """Add a language that is not begun, or take it away."""

    def change(text: str) -> str:
        there = "[tool.polytab.languages.pt]"
        return (
            text.replace(CHINESE, "") if CHINESE in text else text.replace(there, CHINESE + there)
        )

    rewrite(root / "pyproject.toml", change)


def change_conf(root: Path, chance: Random) -> None:
    line = chance.choice(
        [
            "numfig = False",
            "numfig = True",
            "html_show_copyright = True",
            "html_use_index = False",
            f'project = "Of {some_word(chance)}"',
            f'rst_prolog = "{some_word(chance)}"',
            f'html_last_updated_fmt = "{some_word(chance)}"',
        ]
    )
    rewrite(root / "conf.py", lambda text: f"{text}\n{line}\n")


def change_imported(root: Path, chance: Random) -> None:
    """Change what conf.py imports."""
    write(root, {"extra.py": f'owner = "{some_word(chance)}"\n'})


def change_style(root: Path, chance: Random) -> None:
    name = chance.choice(["own.css", "colours.css", "favicon.svg"])
    said = f"/* */ p {{ --{some_word(chance)}: 1px }}\n"
    if name == "favicon.svg":
        said = f'<svg xmlns="http://www.w3.org/2000/svg"><g id="{some_word(chance)}"/></svg>'
    write(root, {f"ours/{name}": said})


def remove_style(root: Path, _: Random) -> None:
    (root / "ours/colours.css").unlink(missing_ok=True)
    (root / "ours/favicon.svg").unlink(missing_ok=True)


def change_template(root: Path, chance: Random) -> None:
    said = f'{{% extends "!breadcrumbs.html" %}}{{# {some_word(chance)} #}}\n'
    if chance.random() < 0.7:
        said = f"<p>{some_word(chance)}</p>\n"
    write(root, {"templates/breadcrumbs.html": said})


def remove_template(root: Path, _: Random) -> None:
    (root / "templates/breadcrumbs.html").unlink(missing_ok=True)


def _day(chance: Random) -> str:
    return f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"


def _git(root: Path, *words: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, env=environment)


def change_date(root: Path, chance: Random) -> None:
    """Give the last commit another day."""
    day = f"{_day(chance)}T12:00:00Z"
    environment = {**os.environ, "GIT_COMMITTER_DATE": day, "GIT_CONFIG_GLOBAL": "/dev/null"}
    people = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    command = ["git", *people, "commit", "--amend", "-q", "--no-edit", "--allow-empty"]
    subprocess.run(command, cwd=root, check=True, env=environment)


def other_branch(root: Path, chance: Random) -> None:
    """Commit, and go to a branch that left earlier; or come back from it."""
    commit_all(root, chance)
    known = subprocess.run(
        ["git", "branch", "--format=%(refname:short)"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    if len(known) < 3 and chance.random() < 0.5:
        _git(root, "checkout", "-q", "-b", some_word(chance))
    else:
        _git(root, "checkout", "-q", chance.choice(known))


def commit_all(root: Path, chance: Random) -> None:
    _git(root, "add", "-A")
    changed = subprocess.run(["git", "diff", "--cached", "--quiet"], cwd=root, check=False)
    if changed.returncode:
        commit(root, _day(chance))


def forget_history(root: Path, chance: Random) -> None:
    """Begin the history anew, with one commit."""
    shutil.rmtree(root / ".git")
    commit(root, _day(chance))
