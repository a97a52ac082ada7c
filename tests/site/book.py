"""A tiny book in two languages that holds one of everything a site is made of."""

from __future__ import annotations

import re
import shutil
import struct
import zlib
from typing import TYPE_CHECKING

from polytab.settings import load_settings
from tests.support.commits import commit
from tests.support.handbook import write
from tests.support.languages_site import write_catalogs, write_pages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from polytab.settings import Settings


ADDRESS = 'address = "https://tiny.example/book"\n'
TITLE = re.compile(r"^# (.*)$", re.MULTILINE)
CHINESE = """\
[tool.polytab.languages.zh]
name = "简体中文"
locale = "zh_CN"
tag = "zh-CN"

"""
_CONF = """
from extra import owner
html_static_path = ["ours"]
html_css_files = ["own.css"]
templates_path = ["templates"]
copyright = owner
"""
_FILES = {
    ".gitignore": "_build/\n__pycache__/\n",
    "extra.py": 'owner = "somebody"\n',
    "ours/own.css": "p { color: teal }\n",
    "templates/breadcrumbs.html": '{% extends "!breadcrumbs.html" %}\n',
    "docs/more/terms.md": """\
# Terms

(terms)=
## What they mean

:::{glossary}
tensor
  A table of numbers.
:::

:::{coverage}
:::
""",
    "docs/more/links.md": """\
# Links

See {ref}`start`, {ref}`terms`, {doc}`../tour` and {numref}`flow`; a {term}`tensor` is defined.

![A dot](dot.png)

:::{figure} ../flow.svg
:name: flow
:alt: Flow

It flows here too.
:::
""",
}


def write_book(root: Path) -> Settings:
    """Write the book, in English and Portuguese, with a history."""
    settings = write_pages(root, address="https://tiny.example/book")
    write_catalogs(settings)
    text = (root / "pyproject.toml").read_text("utf-8")
    chinese = text.index("[tool.polytab.languages.zh]")
    portuguese = text.index("[tool.polytab.languages.pt]")
    write(root, {**_FILES, "pyproject.toml": text[:chinese] + text[portuguese:]})
    conf = root / "conf.py"
    conf.write_text(conf.read_text("utf-8") + _CONF, "utf-8")
    conf_text = conf.read_text("utf-8").replace('"polytab.pages"]', '"polytab.export"]')
    conf.write_text(conf_text, "utf-8")
    shutil.rmtree(root / "translations" / "zh_CN")
    put_picture(root / "docs" / "more" / "dot.png", 1)
    list_page(root, "more/terms")
    list_page(root, "more/links")
    commit(root, "2026-01-01")
    return load_settings(root)


def all_pages(root: Path) -> list[Path]:
    return sorted((root / "docs").rglob("*.md"))


def some_chapter(root: Path, chance: Random) -> Path:
    """Choose a page that is not the first one."""
    return chance.choice([each for each in all_pages(root) if each.stem != "index"])


def page_name(root: Path, page: Path) -> str:
    return page.relative_to(root / "docs").with_suffix("").as_posix()


def some_word(chance: Random) -> str:
    return "".join(chance.choices("abcdefgh", k=6))


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text("utf-8")), "utf-8")


def put_picture(path: Path, shade: int) -> None:
    """Write a PNG of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    data = zlib.compress(bytes([0, shade]))
    chunks = chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def list_page(root: Path, name: str) -> None:
    index = root / "docs" / "index.md"
    rewrite(index, lambda text: text.replace("```{toctree}\n", f"```{{toctree}}\n{name}\n", 1))


def unlist_page(root: Path, name: str) -> None:
    rewrite(root / "docs" / "index.md", lambda text: text.replace(f"\n{name}\n", "\n", 1))
