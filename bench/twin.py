"""The floor of a build: a book's pages as static text, for plain Sphinx with furo and sphinx-tabs.

`python bench/twin.py FOLDER [book]` writes it. Code and recorded outputs are plain blocks in tabs,
a benchmark is a table of its medians with a picture, of a verdict's branches the first is kept, and
where the page has a number of a recording there is a number. There are as many blocks of code and
outputs as in the book, and the same text; its catalogs are the book's own.
"""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from polytab.export.pieces import fenced
from polytab.model import CPU
from polytab.recordings.files import load_recording, recording_path
from polytab.recordings.measurements import measurements_of
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from polytab.translations.catalogs import Catalog, Entry, catalog_files, catalog_text
from polytab.translations.po_parser import read_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from polytab.model import Case, Cell, Language, Recording, Script
    from polytab.settings import Settings

CONF = """\
project = "The floor"
extensions = ["myst_parser", "sphinx_tabs.tabs"]
root_doc = "index"
exclude_patterns = ["contributing/**"]
numfig = True
locale_dirs = [{locale!r}]
gettext_compact = False
myst_enable_extensions = [
    "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution",
]
myst_heading_anchors = 3
html_theme = "furo"
"""
PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 20"><path d="M0 5h80M0 15h40"/></svg>
"""
OPENING = re.compile(r"(?P<fence>:{3,}|`{3,})\{(?P<name>[\w-]+)\} *(?P<words>.*)")
CLOSING = re.compile(r":{3,}|`{3,}")
NUMBER = re.compile(r"\{(?:measured|ratio)\}`[^`]*`")


def plain(text: str) -> str:
    """Put a number in place of each that the engine would work out."""
    return NUMBER.sub("1.23", text)


@dataclass
class Page:
    """A page of the book, and what its scripts show; `write` returns its static source."""

    text: str
    titles: Mapping[str, str]
    """The title of each framework, by its name."""

    scripts: Mapping[str, Script]
    recordings: Mapping[str, Recording]
    open: list[tuple[str, str]] = field(default_factory=list)
    """The directives around a line: each name, with its words."""

    branches: int = 0
    """How many branches of the verdict there have been."""

    def write(self) -> str:
        """Return the page with nothing in it that Sphinx and sphinx-tabs do not know."""
        return plain("\n".join(self.lines())) + "\n"

    def lines(self) -> Iterator[str]:
        """Write line after line."""
        for line in self.text.splitlines():
            opening = OPENING.fullmatch(line.rstrip())
            if opening is not None:
                yield from self.begin(opening["name"], opening["words"].strip(), line)
            elif self.open and CLOSING.fullmatch(line.strip()):
                name, _ = self.open.pop()
                if name not in REPLACED and not self.hidden():
                    yield "" if name == "when" else line
            elif not self.hidden() and not (self.open and self.open[-1][0] in REPLACED):
                yield line

    def begin(self, name: str, words: str, line: str) -> Iterator[str]:
        """Write the beginning of a directive, or what stands in its place."""
        self.open.append((name, words))
        if name == "verdict":
            self.branches = 0
        elif name == "when":
            self.branches += 1
        elif self.hidden():
            return
        elif name == "snippet":
            yield from self.snippet(words)
        elif name in REPLACED:
            yield from self.benchmark(words)
        else:
            yield line

    def hidden(self) -> bool:
        """Tell whether a line stands in a branch that is not kept."""
        return self.branches > 1 and any(name == "when" for name, _ in self.open)

    def shown(self) -> Sequence[str]:
        """Return the frameworks that a line is for: all of them, outside of tabs."""
        tabs = [words for name, words in self.open if name == "group-tab"]
        return [each for each in self.scripts if not tabs or self.titles[each] == tabs[-1]]

    def snippet(self, label: str) -> Iterator[str]:
        """Write a cell with its outputs, in tabs where several frameworks have it."""
        found = {each: self.scripts[each].cell(label) for each in self.shown()}
        cells = {name: cell for name, cell in found.items() if cell is not None}
        blocks = {name: self.cell(name, cell) for name, cell in cells.items()}
        if len(blocks) == 1:
            yield from blocks.values()
            return
        yield "::::::::{tabs}"
        for name, block in blocks.items():
            yield from (f":::::::{{group-tab}} {self.titles[name]}", block, ":::::::")
        yield "::::::::"

    def cell(self, framework: str, cell: Cell) -> str:
        """Write a cell and what it printed."""
        recording = self.recordings.get(framework)
        recorded = recording.cell(cell.label) if recording else None
        printed = [said(each) for each in (recorded.outputs if recorded else ())]
        blocks = [fenced(cell.text, "python"), *(fenced(each, "text") for each in printed if each)]
        return "\n\n".join(blocks)

    def benchmark(self, name: str) -> Iterator[str]:
        """Write a table of the medians of a benchmark, and a picture."""
        cases = {self.titles[each]: self.cases(each, name) for each in self.shown()}
        cases = {title: found for title, found in cases.items() if found}
        rows = list(dict.fromkeys(case.full_name for found in cases.values() for case in found))
        yield from ("", f"| | {' | '.join(cases)} |", f"|---|{'---|' * len(cases)}")
        for row in rows:
            cells = (next(map(time_of, (case for case in found if case.full_name == row)), "–")
                     for found in cases.values())  # fmt: skip
            yield f"| {row} | {' | '.join(cells)} |"
        yield from ("", "![A chart](figures/chart.svg)", "")

    def cases(self, framework: str, name: str) -> Sequence[Case]:
        """Return the cases of a framework's benchmark; none where it has no such benchmark."""
        recording = self.recordings.get(framework)
        measured = measurements_of(recording) if recording else ()
        return next((each.cases for each in measured if each.name == name), ())


REPLACED = ("verdict", "snippet", "benchmark", "roofline", "coverage")
"""Directives of the engine that Sphinx does not know; their branches apart."""


def time_of(case: Case) -> str:
    """Write the median time of a case."""
    return f"{median(each for run in case.samples for each in run) * 1e6:.1f} µs"


def said(output: Mapping[str, Any]) -> str:
    """Return an output as text, as far as pages show it."""
    if "text" in output:
        return str(output["text"])
    data = output.get("data")
    if isinstance(data, dict):
        return str(data.get("text/plain", ""))
    return "\n".join(output["traceback"])


def write_twin(settings: Settings, folder: Path) -> None:
    """Write the static twin of a book: sources, catalogs and Sphinx's settings."""
    docs = folder / "docs"
    if (settings.docs / "figures").is_dir():
        shutil.copytree(settings.docs / "figures", docs / "figures")
    (docs / "figures").mkdir(parents=True, exist_ok=True)
    (docs / "figures" / "chart.svg").write_text(PICTURE, encoding="utf-8")
    (folder / "conf.py").write_text(CONF.format(locale=str(folder / "locale")), encoding="utf-8")
    titles = {each.name: each.title for each in settings.frameworks}
    for path in sorted(settings.docs.glob("*.md")):
        has_scripts = path.stem in settings.pages_with_scripts()
        loaded = load_scripts(settings, [path.stem]) if has_scripts else ()
        scripts = {each.framework: each for each in loaded}
        top = settings.recordings
        files = {name: recording_path(top, path.stem, name, CPU) for name in scripts}
        recordings = {name: load_recording(file) for name, file in files.items()}
        there = {name: found for name, found in recordings.items() if found is not None}
        page = Page(path.read_text(encoding="utf-8"), titles, scripts, there)
        (docs / path.name).write_text(page.write(), encoding="utf-8")
    for language in settings.languages[1:]:
        write_catalogs(settings, language, folder)


def write_catalogs(settings: Settings, language: Language, folder: Path) -> None:
    """Write the catalogs of the pages in one language; what stands twice is kept once."""
    for name, path in catalog_files(settings, language).items():
        catalog = read_catalog(path, language.locale)
        if catalog is None or "/" in name:
            continue
        known = {plain(each.source): plain(each.translation) for each in catalog.entries
                 if not each.fuzzy}  # fmt: skip
        entries = tuple(Entry(source, translation) for source, translation in known.items())
        to = twin_catalog(folder, language, name)
        to.parent.mkdir(parents=True, exist_ok=True)
        fields = tuple(each for each in catalog.fields if each[1])  # Sphinx reads no empty date
        text = catalog_text(Catalog(entries, fields=fields))
        to.write_text(text, encoding="utf-8")


def twin_catalog(folder: Path, language: Language, page: str) -> Path:
    """Return where the catalog of a page of the twin lies."""
    return folder / "locale" / language.locale / "LC_MESSAGES" / f"{page}.po"


def sphinx(language: Language) -> list[str]:
    """Return the command that builds the twin in one language, in its folder."""
    build = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-c", "."]
    place = ["-d", f"doctrees/{language.code}", "docs", f"html/{language.code}"]
    return [*build, "-D", f"language={language.locale}", *place]


def main() -> None:
    """Write the twin of this handbook, or of another book, into the folder that is named."""
    if len(sys.argv) < 2:  # noqa: PLR2004  # the script and the folder
        sys.exit("python bench/twin.py FOLDER [book]")
    book = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parents[1]  # noqa: PLR2004
    settings = load_settings(book)
    folder = Path(sys.argv[1]).resolve()
    write_twin(settings, folder)
    for language in settings.languages:
        print(f"cd {folder} && {' '.join(sphinx(language))}")


if __name__ == "__main__":
    main()
