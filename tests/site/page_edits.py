"""What can happen to the pages of the book, and to what they show.

An edit is a function of the book and of a source of chance. What stands there already decides what
can be done, so any edit may follow any other.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tests.site.book import (
    TITLE,
    all_pages,
    list_page,
    page_name,
    put_picture,
    rewrite,
    some_chapter,
    some_word,
    unlist_page,
)
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


def change_paragraph(root: Path, chance: Random) -> None:
    rewrite(chance.choice(all_pages(root)), lambda text: f"{text}\nIt says {some_word(chance)}.\n")


def change_title(root: Path, chance: Random) -> None:
    page = chance.choice(all_pages(root))
    rewrite(page, lambda text: TITLE.sub(f"# About {some_word(chance)}", text, count=1))


def change_heading(root: Path, chance: Random) -> None:
    found = [each for each in all_pages(root) if "\n## " in each.read_text("utf-8")]
    if found:
        head = f"\n## Of {some_word(chance)}\n"
        rewrite(chance.choice(found), lambda text: re.sub(r"\n## .*\n", head, text, count=1))


def add_section(root: Path, chance: Random) -> None:
    word = some_word(chance)
    said = f"\n({word})=\n## Of {word}\n\nSee {{ref}}`{word}`.\n"
    rewrite(some_chapter(root, chance), lambda text: text + said)


def add_page(root: Path, chance: Random) -> None:
    word = some_word(chance)
    folder = chance.choice(["", "more/", "new/"])
    listed = chance.random() < 0.7
    front = "" if listed else "---\norphan: true\n---\n\n"
    write(root, {f"docs/{folder}{word}.md": f"{front}# Of {word}\n\nIt says {word}.\n"})
    if listed:
        list_page(root, f"{folder}{word}")


def remove_page(root: Path, chance: Random) -> None:
    page = some_chapter(root, chance)
    if page.stem not in {"tour", "terms"}:  # others refer to these
        page.unlink()
        unlist_page(root, page_name(root, page))


def rename_page(root: Path, chance: Random) -> None:
    """Give a page another address, with a redirect from its old one."""
    page = some_chapter(root, chance)
    if page.stem in {"tour", "terms", "speed"}:
        return
    old, new = page_name(root, page), f"more/{some_word(chance)}"
    target = root / "docs" / f"{new}.md"
    if page.parent == target.parent:
        page.rename(target)
        rewrite(root / "docs" / "index.md", lambda text: text.replace(f"\n{old}\n", f"\n{new}\n"))
        settings = root / "pyproject.toml"
        table = "[tool.polytab.moved]\n"
        text = settings.read_text("utf-8")
        text = text if table in text else f"{text}\n{table}"
        settings.write_text(text.replace(table, f'{table}"{old}" = "{new}"\n'), "utf-8")


def remove_redirects(root: Path, _: Random) -> None:
    def change(text: str) -> str:
        return text.partition("\n[tool.polytab.moved]\n")[0]

    rewrite(root / "pyproject.toml", change)


def reorder_pages(root: Path, chance: Random) -> None:
    def change(text: str) -> str:
        before, sign, rest = text.partition("```{toctree}\n")
        listed, end, after = rest.partition("```")
        names = listed.splitlines(keepends=True)
        chance.shuffle(names)
        return before + sign + "".join(names) + end + after

    rewrite(root / "docs" / "index.md", change)


def nest_page(root: Path, chance: Random) -> None:
    """Move a page below another, or add a list of those there."""
    listed = re.findall(r"^[a-z/]+$", (root / "docs" / "index.md").read_text("utf-8"), re.MULTILINE)
    if len(listed) < 4:
        return
    below, above = chance.sample(listed, 2)
    page = root / "docs" / f"{above}.md"
    if page.is_file() and (root / "docs" / f"{below}.md").is_file():
        unlist_page(root, below)
        name = os.path.relpath(root / "docs" / below, page.parent)
        rewrite(page, lambda text: f"{text}\n```{{toctree}}\n{name}\n```\n")


def add_figure(root: Path, chance: Random) -> None:
    page, word = some_chapter(root, chance), some_word(chance)
    name = os.path.relpath(root / "docs" / "flow.svg", page.parent)
    figure = f"\n:::{{figure}} {name}\n:name: {word}\n:alt: Flow\n\nIt is {word}.\n:::\n"
    said = f"{figure}\nSee {{numref}}`{word}`.\n"
    rewrite(page, lambda text: text + said)


def remove_figure(root: Path, chance: Random) -> None:
    """Remove a figure that no other page refers to."""
    pattern = r"\n:::\{figure\} \S+\n:name: ([a-h]{6})\n(?:.*\n)*?:::\n\nSee \{numref\}`\1`.\n"
    page = some_chapter(root, chance)
    rewrite(page, lambda text: re.sub(pattern, "", text, count=1))


def change_figure(root: Path, chance: Random) -> None:
    label = f"<text>{some_word(chance)}</text>"
    change = root / "docs" / "flow.svg"
    rewrite(change, lambda text: re.sub("<text>.*?</text>", label, text, count=1))


def change_picture(root: Path, chance: Random) -> None:
    pictures = sorted((root / "docs").rglob("*.png"))
    if pictures:
        put_picture(chance.choice(pictures), chance.randrange(256))


def add_picture(root: Path, chance: Random) -> None:
    """Show a picture that has the name of another one, in another folder."""
    page = some_chapter(root, chance)
    folder = chance.choice(["more", "dots", "zero"])
    picture = root / "docs" / folder / "dot.png"
    if not picture.exists():
        put_picture(picture, chance.randrange(256))
    name = os.path.relpath(picture, page.parent)
    rewrite(page, lambda text: f"{text}\n![Dot of {folder}]({name})\n")


def remove_picture(root: Path, chance: Random) -> None:
    page = some_chapter(root, chance)
    rewrite(page, lambda text: re.sub(r"\n!\[.*?\]\(\S+\)\n", "", text, count=1))


def add_link(root: Path, chance: Random) -> None:
    page, to = some_chapter(root, chance), some_chapter(root, chance)
    name = os.path.relpath(to.with_suffix(""), page.parent)
    kind = chance.choice([f"{{doc}}`{name}`", f"[there]({name}.md)", "{ref}`terms`"])
    rewrite(page, lambda text: f"{text}\nRead {kind}.\n")


def change_term(root: Path, chance: Random) -> None:
    change = root / "docs" / "more" / "terms.md"
    rewrite(change, lambda text: re.sub(r"\n  .*\n:::", f"\n  Of {some_word(chance)}.\n:::", text))


def break_page(root: Path, chance: Random) -> None:
    """Refer to what is not there; `mend_pages` takes it out."""
    rewrite(some_chapter(root, chance), lambda text: f"{text}\nBroken {{ref}}`nowhere`.\n")


def mend_pages(root: Path, _: Random) -> None:
    for page in all_pages(root):
        rewrite(page, lambda text: text.replace("\nBroken {ref}`nowhere`.\n", ""))
