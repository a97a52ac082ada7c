"""What a build costs, beside the floor and the first edition: `nox -s bench`.

A copy of the handbook, its static twin (`twin.py`) and a book of many pages (`books.py`) are built
in a temporary folder, cold and after each kind of edit. The table is printed, and put into
`RESULTS.md` beside this file. An edit is made, made again and undone, with a build after each; told
are medians. `python bench/builds.py [pages]` does it where nox, furo and the engine are installed.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cost import Cost, run, summary
from preview import preview
from twin import sphinx, twin_catalog, write_twin

from books import page_name, write_book
from polytab.settings import load_settings
from polytab.translations.catalogs import catalog_path, catalog_text
from polytab.translations.po_parser import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polytab.settings import Settings

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "RESULTS.md"
PAGES = 200
SHORTEST, MEDIAN, HEAVIEST = "measuring", "hardware", "compilers"
"""The handbook's chapters whose sources are the shortest, of median length, and the longest."""

BEGIN, END = "<!-- written by bench/builds.py -->", "<!-- up to here -->"
PROSE = re.compile(r"^[A-Z][^`{}\[\]*|$:<]{60,}\.$", re.MULTILINE)
COMMENT = re.compile(r"^# [A-Z].*\.$", re.MULTILINE)
LANGUAGE = "zh"
MESSAGE = re.compile(r'(?<=^msgstr ")[^"`<>\[\](){}*\\0-9A-Za-z]{20,}。(?="$)', re.MULTILINE)
TRUE = "就是这样。"
"""A line of a catalog that is a whole translation, and a sentence that can be added to any."""


@dataclass(frozen=True)
class Row:
    """A line of the table: some work, what it cost, and what the floor needs for the same."""

    work: str
    now: Cost
    goal: str
    first: str = "–"
    floor: Cost | None = None

    def __str__(self) -> str:
        """Write the line; the work of `nox` is told in wall time."""
        now = self.now.wall if "wall" in self.goal else self.now.cpu
        floor = f"{self.floor.cpu:.1f}" if self.floor else "–"
        ratio = f"{self.now.cpu / self.floor.cpu:.2f}" if self.floor else "–"
        memory = f"{self.now.memory:.0f} MB" if self.now.memory else "–"
        cells = (self.work, self.first, f"{now:.1f}", self.goal, floor, ratio, memory)
        return f"| {' | '.join(cells)} |"

    @property
    def missed(self) -> bool:
        """Whether the goal is a number, or so many times the floor, and was missed."""
        number = re.match(r"[\d.]+", self.goal)
        if number is None:
            return False
        if "floor" in self.goal:
            return self.floor is None or self.now.cpu > float(number[0]) * self.floor.cpu
        return (self.now.wall if "wall" in self.goal else self.now.cpu) > float(number[0])


HEAD = """\
| work | first edition | now | goal | floor | now / floor | memory |
|---|---|---|---|---|---|---|"""


@dataclass(frozen=True)
class Edit:
    """A file and what is done to its text, more of it in each round."""

    path: Path
    change: Callable[[str, int], str]

    def texts(self) -> list[str]:
        """Return the file's text edited once and twice, and then undone."""
        original = self.path.read_text(encoding="utf-8")
        texts = [self.change(original, 1), self.change(original, 2), original]
        if len(set(texts)) < len(texts):
            sys.exit(f"{self.path}: nothing was found to edit")
        return texts

    def measure(self, build: Callable[[], Cost]) -> Cost:
        """Edit the file twice and undo it, and build each time; return the medians."""
        costs = []
        for text in self.texts():
            self.path.write_text(text, encoding="utf-8")
            costs.append(build())
        return summary(costs)


def lengthen(pattern: re.Pattern[str], words: str) -> Callable[[str, int], str]:
    """Return an edit that adds a sentence to the last line that is like the pattern."""

    def change(text: str, times: int) -> str:
        found = list(pattern.finditer(text))
        at = found[-1].end() if found else 0
        return f"{text[:at]}{words * times}{text[at:]}" if found else text

    return change


def untranslate(path: Path, locale: str) -> Edit:
    """Return an edit that takes the last translations out of a catalog."""

    def change(_: str, times: int) -> str:
        catalog = read_catalog(path, locale)
        if catalog is None:
            sys.exit(f"{path}: there is no catalog to change")
        translated = [each for each in catalog.entries if each.translation][-times:]
        entries = [replace(each, translation="") if each in translated else each
                   for each in catalog.entries]  # fmt: skip
        return catalog_text(replace(catalog, entries=tuple(entries)))

    return Edit(path, change)


def copied(folder: Path) -> Settings:
    """Copy the repository as it stands, with its history and without what builds have made."""
    git = ("git", "-C", str(ROOT))
    subprocess.run([*git, "clone", "-q", "--no-checkout", ".", folder], check=True)
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    subprocess.run([*git[:2], str(folder), "reset", "-q"], check=True)
    return load_settings(folder)


def committed(settings: Settings) -> None:
    """Put a book into a repository of its own, for its pages tell when they have changed."""
    git = ("git", "-C", str(settings.root), "-c", "user.name=bench", "-c", "user.email=bench@x")
    (settings.root / ".gitignore").write_text("_build\n", encoding="utf-8")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "A book")):
        subprocess.run([*git, *words], check=True)


def times(rounds: int, build: Callable[[], Cost]) -> Cost:
    """Build several times and return the medians."""
    return summary([build() for _ in range(rounds)])


class Bench:
    """The works, each measured in turn; `rows` gathers what they cost."""

    def __init__(self, folder: Path) -> None:
        """Make the copy, with an environment of its own as `nox -s build` makes it."""
        self.folder = folder
        self.rows: list[Row] = []
        self.settings = copied(folder / "handbook")
        self.nox = [sys.executable, "-m", "nox", "-s", "build"]
        run([*self.nox, "--install-only"], self.settings.root)
        self.polytab = self.settings.root / ".nox" / "build" / "bin" / "polytab"

    def add(self, row: Row) -> None:
        """Keep a row, and print it."""
        self.rows.append(row)
        print(row, flush=True)

    def site(self, settings: Settings, *languages: str) -> Callable[[], Cost]:
        """Return what builds these languages of a book, or all of them."""
        return lambda: run([str(self.polytab), "site", *languages], settings.root)

    def handbook(self) -> None:
        """Measure the handbook and its twin, cold and after each kind of edit."""
        settings, twin = self.settings, self.folder / "twin"
        write_twin(settings, twin)
        site, floor = self.site(settings), floor_of(settings, twin)
        self.add(Row("cold, three languages", site(), "2 × the floor", "157 (4.7 ×)", floor()))
        again, still = times(3, site), times(3, floor)
        self.add(Row("nothing changed, three languages", again, "0.5", "61", still))
        language = settings.language(LANGUAGE)
        for page, what, goals in ((MEDIAN, "median", "4 12"), (HEAVIEST, "longest", "6 16")):
            one, three = goals.split()
            mine = untranslate(catalog_path(settings, language, page), language.locale)
            its = untranslate(twin_catalog(twin, language, page), language.locale)
            cost = mine.measure(self.site(settings, LANGUAGE))
            base = its.measure(floor_of(settings, twin, LANGUAGE))
            work = f"one `.po` changed ({what} page), its language"
            self.add(Row(work, cost, one, "26", base))
            longer = lengthen(PROSE, " So it is.")
            mine, its = (
                Edit(each / f"{page}.md", longer) for each in (settings.docs, twin / "docs")
            )
            work = f"one paragraph changed ({what} page), three languages"
            self.add(Row(work, mine.measure(site), three, "82", its.measure(floor)))
        comment = Edit(settings.snippets / MEDIAN / "torch.py", lengthen(COMMENT, " So it is."))
        work = "a comment in a snippet changed, three languages"
        self.add(Row(work, comment.measure(site), "12", "82"))
        run(self.nox, settings.root)
        work = "`nox -s build`, nothing changed, wall time"
        self.add(Row(work, times(3, lambda: run(self.nox, settings.root)), "2.5 (wall)", "56"))

    def saves(self) -> None:
        """Measure how long a translator and an author wait for what they have saved."""
        settings, language = self.settings, self.settings.language(LANGUAGE)
        with preview(self.polytab, settings.root, LANGUAGE) as running:
            for page, what, goal in ((SHORTEST, "shortest", "1.5"), (HEAVIEST, "longest", "3")):
                catalog = Edit(catalog_path(settings, language, page), lengthen(MESSAGE, TRUE))
                text = Edit(settings.docs / f"{page}.md", lengthen(PROSE, " So it is."))
                for file, edit, words in (("`.po`", catalog, TRUE), ("page", text, "So it is.")):
                    work = f"`live`: from saving a {file} to seeing it ({what} page)"
                    cost = running.wait(page, edit.path, edit.texts(), words)
                    self.add(Row(work, cost, f"{goal} (wall)"))

    def book(self, pages: int) -> None:
        """Measure a book of many pages: cold, with nothing changed, with one `.po` changed."""
        settings = write_book(self.folder / "book", pages)
        committed(settings)
        site, language = self.site(settings), settings.language(LANGUAGE)
        self.add(Row(f"cold, {pages} pages, three languages", site(), "–"))
        work = f"nothing changed, {pages} pages, three languages"
        self.add(Row(work, times(3, site), "2"))
        catalog = catalog_path(settings, language, page_name(pages // 2))
        cost = untranslate(catalog, language.locale).measure(self.site(settings, LANGUAGE))
        self.add(Row(f"one `.po` changed, {pages} pages, its language", cost, "6"))


def floor_of(settings: Settings, twin: Path, *codes: str) -> Callable[[], Cost]:
    """Return what builds the twin in these languages, or all, one after the other."""
    languages = [each for each in settings.languages if not codes or each.code in codes]

    def build() -> Cost:
        costs = [run(sphinx(each), twin) for each in languages]
        cpu, wall = sum(each.cpu for each in costs), sum(each.wall for each in costs)
        return Cost(cpu, wall, max(each.memory for each in costs))

    return build


def machine(load: float) -> str:
    """Say where, when and on which machine this was measured."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    model = re.search(r"model name\s*: (.*)", text)
    name = model[1] if model else platform.processor() or platform.machine()
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    loads = f"load {load:.1f} when it began and {os.getloadavg()[0]:.1f} when it ended"
    return f"{day}; {name}, {os.cpu_count()} cores; Python {platform.python_version()}; {loads}."


def goals(rows: Sequence[Row]) -> str:
    """Say which goals are missed."""
    missed = [each.work for each in rows if each.missed]
    return f"Goals that are missed: {'; '.join(missed)}." if missed else "No goal is missed."


def publish(rows: Sequence[Row], said: str) -> None:
    """Put the table into the results, in place of the earlier one."""
    text = RESULTS.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = "\n".join([HEAD, *map(str, rows)])
    text = f"{before}{BEGIN}\n{said}\n\n{table}\n\n{goals(rows)}\n{END}{after}"
    RESULTS.write_text(text, encoding="utf-8")


def main() -> None:
    """Measure in a folder that is removed."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    load = os.getloadavg()[0]
    print(HEAD)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(Path(folder))
        bench.handbook()
        bench.saves()
        bench.book(pages)
    publish(bench.rows, machine(load))


if __name__ == "__main__":
    main()
