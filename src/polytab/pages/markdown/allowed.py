"""What a page may use: a list, so that what nobody thought of is refused.

A page, and each translated paragraph of it, is read by Sphinx, so whatever a directive or a role
can do, its author can do. Here stand those that show something and can do nothing else: none reads
a file outside `docs/`, runs a program or writes HTML.

Laws, guarded by tests/pages/markdown/test_allowed.py: what is not listed is refused wherever it
stands, and what Sphinx would refuse, `check` finds first.
"""

from __future__ import annotations

import re
from posixpath import join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from polytab.model import Finding
from polytab.pages.markdown.walk import DEEPEST, LITERAL_DIRECTIVES, walk
from polytab.translations.rules.structure import tokenise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from markdown_it.token import Token

    from polytab.pages.markdown.walk import Directive

DIRECTIVES = frozenset(
    {
        *("snippet", "benchmark", "roofline", "verdict", "when", "coverage", "terms"),
        *("opening", "for-whom", "here-only", "glance", "fold", "exercise", "solution"),
        *("result", "chapters", "toctree", "tabs", "tab", "group-tab"),
        *("figure", "image", "table", "list-table", "code", "code-block", "math"),
        *("glossary", "rubric"),
        *("admonition", "note", "tip", "hint", "seealso", "important", "caution", "warning"),
    }
)
TABS = frozenset({"tab", "group-tab"})
"""Directives that stand in `{tabs}` alone."""

ROLES = frozenset(
    {
        *("ratio", "measured", "ref", "doc", "numref", "eq", "term", "download"),
        *("abbr", "code", "command", "file", "kbd", "math", "sub", "sup"),
    }
)
FRONT_MATTER = frozenset({"nosearch", "orphan", "tocdepth"})
SCHEMES = frozenset({"http", "https", "mailto"})

TOO_DEEP = f"this stands in {DEEPEST} others: put it outside of some of them"

_LONGEST_NAME, _LONGEST_PATH = 255, 1000
"""Bytes: what file systems take, and what leaves room for the folder of a book."""

_LONGEST_OWN_NAME = 150
"""Bytes of a file among the pages: what is built of it ends in more than `.md`."""

_PICTURES = frozenset({"figure", "image"})
_TARGET = re.compile(r"^\s*:target:\s*(.*?)\s*$", re.MULTILINE)
_KEY = re.compile(r"(?P<key>[^\s:#][^:]*):(?P<value>.*)")
_PLAIN = re.compile(r"\s*(?:true|false|\d{1,2})?\s*(?:#.*)?")
"""A value of front matter: a list, or a name for one, could be made to grow without end."""


def refused(kind: str, name: str) -> str | None:
    """Say why a page may not use this directive, role or key of front matter; None if it may."""
    known = {"directive": DIRECTIVES, "role": ROLES, "front matter": FRONT_MATTER}[kind]
    if name in known:
        return None
    shown = name if name.isprintable() else repr(name)
    return f"pages may not use the {kind} `{shown[:60]}`; allowed: {', '.join(sorted(known))}"


def refused_front_matter(text: str) -> Iterator[str]:
    """Say what in front matter a page may not use: another key, or a value that is not plain."""
    for line in text.splitlines():
        match = _KEY.fullmatch(line)
        if match is None:
            if line.strip() and not line.startswith("#"):
                yield "front matter holds lines of `key: value` and nothing else: write them so"
        elif said := refused("front matter", match["key"].strip()):
            yield said
        elif not _PLAIN.fullmatch(match["value"]):
            key = match["key"].strip()
            yield f"the front matter `{key}` is true, false or a number: write one of them"


def refused_file(path: Path, name: str) -> str | None:
    """Say why a file or folder may not stand among the pages; `name` begins at their folder."""
    if path.is_symlink():
        return "is a link: put the file itself there"
    if not name.isprintable():
        return "has a name with an end of line, a control character or what is not UTF-8: rename it"
    if max(map(_bytes, name.split("/"))) > _LONGEST_OWN_NAME or _bytes(name) > _LONGEST_PATH:
        return f"has a name of more than {_LONGEST_OWN_NAME} bytes, or lies too deep: rename it"
    if not (path.is_file() or path.is_dir()):
        return "is neither a file nor a folder: remove it"
    return None


def no_web_address(address: str) -> str | None:
    """Say why an address that names another host, or a way to reach it, may not be used."""
    try:
        found = urlsplit(address.strip())
    except ValueError:
        return f"`{address[:60]}` is no address: mend its host"
    if not found.scheme and not address.strip().startswith("//"):
        return None
    if found.scheme.lower() in SCHEMES:
        return None
    allowed = ", ".join(f"`{each}:`" for each in sorted(SCHEMES))
    return f"`{address[:60]}` is no web address: it must begin with {allowed}"


def outside(docname: str, address: str) -> str | None:
    """Say why a page may not lead to or show this address; None if it may.

    Addresses of other hosts are for links alone; `docname` is the page that names the file.
    """
    if said := no_web_address(address):
        return said
    found = urlsplit(address.strip())
    if found.scheme:
        return None
    path = unquote(found.path)
    long = _bytes(path) > _LONGEST_PATH
    if long or not path.isprintable() or max(map(_bytes, path.split("/"))) > _LONGEST_NAME:
        return f"`{address[:60]}` is too long, or holds what no name of a file may: name a file"
    if path.startswith(("/", "\\")):
        return f"`{address[:60]}` is absolute: name the file as it lies from this page"
    if normpath(join("docs", docname, "..", path)).split("/")[0] != "docs":
        return f"`{address[:60]}` leaves the folder of the pages: move the file into it"
    return None


def _bytes(name: str) -> int:
    return len(name.encode(errors="replace"))


def far_picture(address: str) -> str | None:
    """Say why a page may not show a picture of another host, or one inside its address."""
    if said := no_web_address(address):
        return said
    if urlsplit(address.strip()).scheme:
        return f"`{address[:60]}` is on another host: put the picture beside the page"
    return None


def find_refused(docs: Path, path: Path) -> Iterator[Finding]:
    """Find what a page uses and may not; the page is not rendered, and nothing of it runs."""
    docname = path.relative_to(docs).with_suffix("").as_posix()
    for line, rule, message in _refusals(path.read_text(encoding="utf-8"), docname):
        yield Finding(path, line, rule, message)


def _refusals(text: str, docname: str) -> Iterator[tuple[int, str, str]]:
    for block in walk(text):
        if not all(each.name in DIRECTIVES for each in block.within):
            continue  # the directive is refused with all that it holds
        token = block.token
        if block.depth == DEEPEST and block.holds_blocks:
            yield block.line, "nesting", TOO_DEEP
        if token.type == "front_matter":
            for said in refused_front_matter(token.content):
                yield block.line, "front-matter", said
        elif block.directive:
            yield from ((block.line, *said) for said in _directive(block.directive, docname))
            inner = block.within[-1].name if block.within else ""
            if block.directive.name in TABS and inner != "tabs":
                yield block.line, "tabs", f"`{{{block.directive.name}}}` stands in no `{{tabs}}`"
        for child in token.children or ():
            yield from ((block.line, *said) for said in _inline(child, docname))


def _directive(called: Directive, docname: str) -> Iterator[tuple[str, str]]:
    if said := refused("directive", called.name):
        yield "directive", said
    elif called.name in _PICTURES:
        yield from _picture(docname, called.argument)
        yield from (
            said for each in _TARGET.findall(called.options) for said in _link(docname, each)
        )
    elif called.name not in LITERAL_DIRECTIVES:
        for token in tokenise(f"{called.argument}\n\n{called.options}", {}):
            for child in token.children or ():
                yield from _inline(child, docname)
                if child.type == "html_inline":
                    yield "html", f"`{{{called.name}}}` is given HTML: write words"


def _inline(token: Token, docname: str) -> Iterator[tuple[str, str]]:
    if token.type == "myst_role" and (said := refused("role", token.meta["name"])):
        yield "role", said
    elif token.type == "image":
        yield from _picture(docname, str(token.attrs["src"]))
    elif token.type == "link_open":
        yield from _link(docname, str(token.attrs["href"]))


def _picture(docname: str, address: str) -> Iterator[tuple[str, str]]:
    if said := far_picture(address) or outside(docname, address):
        yield "outside", said


def _link(docname: str, address: str) -> Iterator[tuple[str, str]]:
    if said := outside(docname, address):
        yield "outside", said
