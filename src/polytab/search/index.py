"""The search index of one language, made by Pagefind from the pages as they were written.

What a reader finds is a section, or a fold, which has a title too: each is a document of its own
for Pagefind, which so ranks sections. A section's own words come first, then those of its tabs,
then, behind the anchor `names`, what else readers call what it introduces (`data-search-names` on
the page). Anchors say the rest, and `static/hits.js` reads them: `at|address`, `above|titles` and
`tab|id|framework|title`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree import ElementTree as ET

from polytab.errors import PolytabError
from polytab.search.pairs import spell_pairs
from polytab.search.words import list_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FOLDER = "pagefind"
WORDS = "words.json"
"""The list of known words, beside the files of Pagefind."""

MARK = "data-pagefind-body"
"""On the article of a page that is to be found; `search.dialog` puts it there."""

NAMES = "data-search-names"
"""On an empty element of a section: by what names the section is looked for, with `|` between."""

_SILENT = frozenset(
    {
        *("headerlink", "caption-number", "std-numref", "chooser", "tab-absence", "tab-title"),
        *("provenance", "device-switch", "device-title", "device-absence"),
    }
)
"""The classes of what stands in an article and is none of its words; so are drawings and tabs."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary"})
_PANEL = "sphinx-tabs-panel"
_FOLD = "fold"
_UNKNOWN = "und"
"""The language that Pagefind is told, so that it takes words as they are: neither cut by a
dictionary that the browser has not, nor without their endings. `pairs` and `words` do both."""

_WEIGHTS = {"li": 0.5, "td": 0.5, "pre": 0.1}
_LINK = 0.2  # the title of a cited work, or the name of what has its documentation elsewhere
_INTRODUCED = {"em": 4.0, "code": 2.0}  # in the running text of a section or tab
_DOCUMENTED = 8.0  # code that is a link to its documentation
_NAMED = 8.0  # what the section is called by those who look for it
"""What is more to the point than plain words, and what less."""

_SPARE = ("pagefind-*ui.*", "pagefind-highlight.js")
"""What Pagefind brings for those who have no dialog of their own."""


def index_sections(sections: Sequence[str], tag: str) -> dict[str, bytes]:
    """Index sections as `split` gives them; return the files of the index by their names.

    Where there are none, there is no file. Raises PolytabError with what Pagefind said where it
    fails. The program is run, as its Python API stops it before all is written.
    """
    if not sections:
        return {}
    with TemporaryDirectory() as scratch:
        written, index = Path(scratch, "sections"), Path(scratch, "index")
        written.mkdir()
        for number, section in enumerate(sections):
            (written / f"{number:05}.html").write_text(section, encoding="utf-8")
        command = ["--site", str(written), "--output-path", str(index), "--silent"]
        ran = subprocess.run(
            [sys.executable, "-m", "pagefind", *command],
            check=False,
            cwd=scratch,  # it reads settings of its own from where it stands
            capture_output=True,
            encoding="utf-8",
        )
        if ran.returncode != 0:
            said = (ran.stdout + ran.stderr).strip()
            raise PolytabError(f"Pagefind could not index the pages: {said}")
        spare = {path for pattern in _SPARE for path in index.glob(pattern)}
        files = sorted(path for path in index.rglob("*") if path.is_file() and path not in spare)
        found = {path.relative_to(index).as_posix(): path.read_bytes() for path in files}
        return found | {WORDS: list_words(sections, tag)}


def split(address: str, root: ET.Element) -> Iterator[str]:
    """Give the sections of a page in order, each as a page; one not to be found has none."""
    article = next((each for each in root.iter("article") if MARK in each.attrib), None)
    if article is None:
        return
    tabs = dict(_tabs(article))
    for number, (section, above) in enumerate(_sections(article, ())):
        place = f"{address}#{section.get('id')}" if number else address
        # Not as metadata, which Pagefind searches, nor as filters, which it writes in any order.
        notes = (_note("at", place), _note("above", " › ".join(above)))
        spans = "".join(f'<span id="{note}"></span>' for note in notes)
        words = _Section(tabs).write(section)
        yield f'<html lang="{_UNKNOWN}"><body>{spans}{words}</body></html>'


def _sections(
    within: ET.Element, above: tuple[str, ...]
) -> Iterator[tuple[ET.Element, tuple[str, ...]]]:
    """Give the sections that a link can name, each with the titles above it."""
    for element in within:
        if _is_section(element):
            if "id" in element.attrib:
                yield element, above
            heading = _heading(element)
            title = () if heading is None else (_text(heading).strip(),)
            yield from _sections(element, (*above, *title))
        else:
            yield from _sections(element, above)


def _is_section(element: ET.Element) -> bool:
    """Tell whether an element has a title of its own; a fold has one as well."""
    return element.tag == "section" or _FOLD in _classes(element)


def _heading(section: ET.Element) -> ET.Element | None:
    return next((each for each in section if each.tag in _HEADINGS), None)


def _text(element: ET.Element) -> str:
    """Return the words of an element."""
    inner = (f"{'' if _is_silent(each) else _text(each)}{each.tail or ''}" for each in element)
    return (element.text or "") + "".join(inner)


def _classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()


def _is_silent(element: ET.Element) -> bool:
    if element.tag == "svg" or element.get("role") == "tablist" or NAMES in element.attrib:
        return True
    return not _SILENT.isdisjoint(_classes(element))


def _is_panel(element: ET.Element) -> bool:
    return element.get("role") == "tabpanel" and "id" in element.attrib


def _tabs(article: ET.Element) -> Iterator[tuple[ET.Element, str]]:
    """Name each tab's panel by all that a hit in it must tell: its id, the name and the title."""
    for block in article.iter():
        if "sphinx-tabs" in _classes(block):
            buttons = block.findall("*[@role='tablist']/*[@data-tab]")
            panels = [each for each in block if _is_panel(each)]
            if len(buttons) == len(panels):
                for button, panel in zip(buttons, panels, strict=True):
                    title = _text(button).strip()
                    parts = (panel.get("id", ""), button.get("data-tab", ""), title)
                    yield panel, _note("tab", *parts)


def _note(*parts: str) -> str:
    """Write an anchor's name; it is quoted because Pagefind takes the spaces out."""
    return "|".join(quote(part) for part in parts)


class _Section:
    """Writes a section as Pagefind is to read it: its own words, weighed, then those of its tabs.

    What it is made of stays as it is: others read the same tree.
    """

    def __init__(self, tabs: Mapping[ET.Element, str]) -> None:
        self._tabs = tabs
        self._panels: list[ET.Element] = []

    def write(self, section: ET.Element) -> str:
        """Return the markup of a section, then of its tabs, then its names."""
        copy = self._copy(section, in_text=False)
        heading = _heading(copy)
        if heading is not None:
            heading.set("data-pagefind-meta", "title")
        parts = (copy, *self._panels, *_names(section))
        return "".join(ET.tostring(each, encoding="unicode", method="html") for each in parts)

    def _copy(self, element: ET.Element, *, in_text: bool) -> ET.Element:
        """Copy an element without what is silent, in a section or a panel of its own."""
        copy = ET.Element(element.tag, element.attrib)
        copy.text = _spell(element.text)
        holds_text = _is_section(element) or _PANEL in _classes(element)
        for each in element:
            if _is_silent(each) or (_is_section(each) and "id" in each.attrib):
                _add_text(copy, each.tail)
                continue
            inner = self._copy(each, in_text=in_text or (holds_text and each.tag == "p"))
            weight = _weight(each, element, in_text=in_text)
            if weight is not None:
                inner.set("data-pagefind-weight", str(weight))
            if _is_panel(each):
                inner.set("id", self._tabs.get(each, each.get("id", "")))
                self._panels.append(inner)
                _add_text(copy, each.tail)
            else:
                inner.tail = _spell(each.tail)
                copy.append(inner)
        return copy


def _names(section: ET.Element) -> Iterator[ET.Element]:
    """Give the other names of a section, behind the anchor by which they are told from its text."""
    said = next((each.attrib[NAMES] for each in section if NAMES in each.attrib), "")
    if said:
        yield ET.Element("span", {"id": "names"})
        names = ET.Element("div", {"data-pagefind-weight": str(_NAMED)})
        names.text = "\n"  # the list of words goes by space alone
        for each in said.split("|"):
            name = ET.SubElement(names, "p")
            name.text, name.tail = _spell(each), "\n"
        yield names


def _weight(element: ET.Element, parent: ET.Element, *, in_text: bool) -> float | None:
    """Return what an element weighs, unless that is as much as plain words."""
    is_cited = parent.tag == "a" and "external" in _classes(parent)
    if element.tag == "code" and is_cited:
        return _DOCUMENTED
    if in_text and element.tag in _INTRODUCED:
        return _INTRODUCED[element.tag]
    if element.tag == "a" and "external" in _classes(element):
        return _LINK
    return _WEIGHTS.get(element.tag)


def _add_text(to: ET.Element, text: str | None) -> None:
    """Put text behind all that an element holds."""
    if len(to):
        to[-1].tail = (to[-1].tail or "") + _spell(text)
    else:
        to.text = (to.text or "") + _spell(text)


def _spell(text: str | None) -> str:
    return spell_pairs(text or "")
