"""Lists of pages must make a tree: Sphinx follows one that leads back to itself without end.

Law, guarded by tests/pages/markdown/test_toctrees.py: what `check` finds no circle in, Sphinx
builds; where Sphinx is run without `check`, it is told and nothing is followed twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sphinx import addnodes
from sphinx.util import docname_join, logging
from sphinx.util.matching import patfilter

from polytab.model import Finding
from polytab.pages.markdown.walk import walk
from polytab.settings import START

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from polytab.settings import Settings

DEEPEST = 20
"""How many pages may stand below each other."""

_LISTS = frozenset({"toctree", "chapters"})
_ENTRY = re.compile(r".*?<(?P<target>[^<>]*)>$")
_PATTERN = re.compile(r"[*?\[]")
_GLOB = re.compile(r"^\s*:glob:", re.MULTILINE)
_ORPHAN = re.compile(r"\A---\n(?:.*\n)*?orphan: true\n(?:.*\n)*?---\n")
_log = logging.getLogger(__name__)


def wrong_ways(below: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    """Find, in the pages that stand below each page, what must not be followed.

    Gives the page, the page below it, and why. Nothing is followed twice.
    """
    above: dict[str, int] = {}
    done: dict[str, int] = {}
    """The number of pages that stand below each other, from a page on."""
    for start in below:
        waiting: list[tuple[str, list[str]]] = [(start, list(below[start]))]
        while waiting and start not in done:
            page, children = waiting[-1]
            above[page] = 0
            if not children:
                waiting.pop()
                del above[page]
                done[page] = 1 + max((done.get(each, 0) for each in below.get(page, ())), default=0)
                if done[page] == DEEPEST + 1:
                    yield page, "", f"more than {DEEPEST} pages stand below each other"
                continue
            child = children.pop(0)
            if child in above:
                yield page, child, f"`{child[:60]}` stands above this page: take it out"
            elif child not in done:
                waiting.append((child, list(below.get(child, ()))))


def find_circles(docs: Path, pages: Mapping[Path, str]) -> Iterator[Finding]:
    """Find the lists of pages that lead back to a page above; `pages` are files with their text."""
    names = {path.relative_to(docs).with_suffix("").as_posix(): path for path in pages}
    listed = {name: list(_listed(name, pages[path], names)) for name, path in names.items()}
    below = {name: [child for child, _ in entries] for name, entries in listed.items()}
    for page, child, said in wrong_ways(below):
        line = next((line for name, line in listed[page] if name == child), None)
        line = line or next((line for _, line in listed[page]), 1)
        yield Finding(names[page], line, "toctree", said)


def find_unlisted(settings: Settings) -> Iterator[Finding]:
    """Find the pages that no list leads to; one that means to be alone says `orphan: true`."""
    docs = settings.docs
    pages = {
        path.relative_to(docs).with_suffix("").as_posix(): path.read_text("utf-8", "replace")
        for path in sorted(docs.rglob("*.md"))
        if path.is_file() and path.relative_to(docs).parts[0] != "contributing"
    }
    listed = {name for page, text in pages.items() for name, _ in _listed(page, text, pages)}
    for name in sorted(pages.keys() - listed - {START}):
        if not _ORPHAN.search(pages[name]):
            said = "no list of pages leads here: name it in `{chapters}`, or write `orphan: true`"
            yield Finding(docs / f"{name}.md", 1, "unlisted", said)


def _listed(page: str, text: str, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Return the pages that a page lists, each with the line of the list."""
    for block in walk(text):
        called = block.directive
        if called is None or called.name not in _LISTS:
            continue
        others = [name for name in names if name != page]
        for entry in filter(None, map(str.strip, called.body.splitlines())):
            match = _ENTRY.fullmatch(entry)
            target = docname_join(page, (match["target"] if match else entry).removesuffix(".md"))
            if _GLOB.search(called.options) and _PATTERN.search(entry):
                yield from ((name, block.line) for name in sorted(patfilter(others, target)))
            elif target in names:
                yield target, block.line


def _cut_circles(_: Sphinx, env: BuildEnvironment) -> None:
    """Take out of the tree of pages what would be followed without end, with a warning."""
    for page, child, said in list(wrong_ways(env.toctree_includes)):
        _log.warning(said, location=_place(env, page), type="polytab", subtype="toctree")
        kept = [each for each in env.toctree_includes[page] if child and each != child]
        env.toctree_includes[page] = kept


def _place(env: BuildEnvironment, page: str) -> nodes.Node | str:
    trees = list(env.get_doctree(page).findall(addnodes.toctree))
    return trees[0] if trees else page


def setup_toctrees(app: Sphinx) -> None:
    """Look at the tree of pages once all are read."""
    app.connect("env-updated", _cut_circles)
