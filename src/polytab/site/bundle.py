"""Bring written pages into the folder that is published, with as little beside them as they need.

All stylesheets of a page become one, without rules that no page uses; the scripts at the end of its
body become one, which is deferred; a script in its head, which must run before anything is painted,
stays by itself. Each is named after its content. A file that no page mentions is not published.

Laws, guarded by tests/site/test_bundle.py: the same pages give the same bytes; rules and scripts
keep their order; what Sphinx wrote stays as it is, so that it can build on it the next time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath, relpath
from typing import TYPE_CHECKING

from rcssmin import cssmin
from rjsmin import jsmin

from polytab.errors import PolytabError
from polytab.model import digest
from polytab.site.lighten import lighten
from polytab.site.unused import mentioned, without_unnamed, without_unused

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.site.unused import Mentioned

_STATIC = "_static"
_NOT_PUBLISHED = frozenset({".buildinfo", ".buildinfo.bak", "_sources", ".doctrees"})
"""What Sphinx writes for itself, and sources that the repository has."""

_SHEET = re.compile(
    r'<link rel="stylesheet"(?![^>]*\smedia=)[^>]*?\shref="(?P<address>[^":]+?)(?:\?[^"]*)?"[^>]*>'
    r"|<style>(?P<inline>[^<]*)</style>"
)
_SCRIPT = re.compile(
    r'<script(?P<how>[^>]*?)\ssrc="(?P<address>[^":]+?)(?:\?[^"]*)?"[^>]*></script>\n?'
)
_URL = re.compile(r"""url\(\s*(["']?)(?!data:|https?:|[/#])([^)"']+)\1\s*\)""")
_IMPORT = re.compile(r"@import\b")


@dataclass
class _Bundle:
    """The pages of one language, and the files that they will load."""

    written: Path
    pages: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    sheets: dict[tuple[str, ...], str] = field(default_factory=dict)

    def read(self, name: str) -> str:
        path = self.written / name
        if not path.is_file():
            raise PolytabError(f"a page loads `{name}`, which was not written", file=path)
        return path.read_text(encoding="utf-8")

    def make(self, text: str, name: str) -> str:
        """Keep a file under a name that tells its content, too; return that name."""
        stem, _, kind = name.rpartition("/")[2].rpartition(".")
        name = f"{_STATIC}/{stem}.{digest(text.encode())[:12]}.{kind}"
        self.made[name] = text
        return name

    def join_sheets(self, page: str, known: Mentioned) -> None:
        """Put one stylesheet in the place of a page's first."""
        markup = self.pages[page]
        found = list(_SHEET.finditer(markup))
        if not found:
            return
        parts = tuple(
            each["inline"] if each["address"] is None else f"/{_target(page, each['address'])}"
            for each in found
        )
        if parts not in self.sheets:
            texts = (self._sheet(part[1:]) if part[:1] == "/" else part for part in parts)
            text = without_unused("\n".join(texts), known)
            self.sheets[parts] = self.make(cssmin(text, keep_bang_comments=True), "page.css")
        link = f'<link rel="stylesheet" href="{_address(page, self.sheets[parts])}">'
        self.pages[page] = _replace(markup, found, link)

    def _sheet(self, name: str) -> str:
        """Read a stylesheet; what it refers to is found from where the bundle lies, too."""
        text = self.read(name)
        if _IMPORT.search(text):
            raise PolytabError(
                "a stylesheet that imports another cannot be joined with others",
                file=self.written / name,
                hint="name the other one in `html_css_files`",
            )

        def move(found: re.Match[str]) -> str:
            return f'url("{relpath(join(dirname(name), found[2]), _STATIC)}")'

        return _URL.sub(move, text)

    def join_scripts(self, page: str) -> None:
        """Shorten the scripts in a page's head, and join those in its body."""
        head, opening, body = self.pages[page].partition("<body")
        for found in _SCRIPT.finditer(head):
            target = _target(page, found["address"])
            name = self.make(_shorten(self.read(target)), target)
            tag = f'<script{found["how"]} src="{_address(page, name)}"></script>\n'
            head = head.replace(found[0], tag)
        scripts = list(_SCRIPT.finditer(body))
        if scripts:
            # Those that are not deferred have run before all that are.
            ordered = sorted(scripts, key=lambda each: "defer" in each["how"])
            texts = (self.read(_target(page, each["address"])) for each in ordered)
            name = self.make(_shorten("\n;\n".join(texts)), "page.js")
            tag = f'<script defer src="{_address(page, name)}"></script>\n'
            body = _replace(body, scripts, tag)
        self.pages[page] = head + opening + body


def _shorten(script: str) -> str:
    return str(jsmin(script, keep_bang_comments=True))


def _target(page: str, address: str) -> str:
    """Name the file that an address in a page means."""
    return normpath(join(dirname(page), address))


def _address(page: str, name: str) -> str:
    return relpath(name, dirname(page) or ".")


def _replace(text: str, found: list[re.Match[str]], by: str) -> str:
    """Put something in the place of the first of some matches and nothing in that of the others."""
    for each in reversed(found):
        text = text[: each.start()] + (by if each is found[0] else "") + text[each.end() :]
    return text


def bundle(written: Path, to: Path) -> None:
    """Publish the pages of one language; what else lies in the folder is taken away."""
    files = {
        path.relative_to(written).as_posix(): path
        for path in sorted(written.rglob("*"))
        if path.is_file() and path.relative_to(written).parts[0] not in _NOT_PUBLISHED
    }
    static = {name: path for name, path in files.items() if name.startswith(f"{_STATIC}/")}
    made = _Bundle(written)
    for name, path in files.items():
        if path.suffix == ".html" and name not in static:
            made.pages[name] = lighten(path.read_text(encoding="utf-8"))
    scripts = [path.read_text("utf-8") for path in static.values() if path.suffix == ".js"]
    known = mentioned(made.pages.values(), scripts)
    for page in made.pages:
        made.join_sheets(page, known)
        made.join_scripts(page)
    for page, markup in made.pages.items():
        made.pages[page] = without_unnamed(markup, [*made.made.values(), *scripts])
    texts = made.pages | made.made
    said = "\n".join(texts.values())
    published = {name: text.encode() for name, text in texts.items()}
    for name, path in files.items():
        if name not in published and (name not in static or _names(said, path.name)):
            content = path.read_bytes()
            published[name] = _shorten(content.decode()).encode() if name[-3:] == ".js" else content
    _write(published, to)


def _names(text: str, name: str) -> bool:
    """Tell whether a file is named somewhere, and not only one whose name begins alike."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|\.\w)", text) is not None


def _write(published: dict[str, bytes], to: Path) -> None:
    """Write these files and no others."""
    for name, content in published.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
    for path in sorted(to.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(to).as_posix() not in published:
            path.unlink()
