"""The tiny handbook of tests/sites/numbers, with the measurements a test wants, built for real."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.locale import translators

from polytab.model import CPU
from polytab.pages.markdown.check import check_pages
from polytab.pages.markdown.missing_cases import check_cases
from polytab.recordings.files import recording_path, save_recording
from polytab.recordings.measurements import MIME
from polytab.settings import load_settings
from tests.support.built import build
from tests.support.handbook import job, recording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bs4 import Tag

    from tests.support.built import Built

_SITE = Path(__file__).parent.parent / "sites" / "numbers"

MICRO = 1e-6
EAGER_WINS = {"eager": 50 * MICRO, "compiled": 80 * MICRO}
COMPILED_WINS = {"eager": 146 * MICRO, "compiled": 100 * MICRO}
EVEN = {"eager": 100 * MICRO, "compiled": 100 * MICRO}


@dataclass(frozen=True)
class How:
    """How something was measured."""

    hardware: str = "A Processor"
    machine: tuple[tuple[str, str], ...] = ()
    processes: int = 3
    memory: int | None = None


USUALLY = How()


def output(name: str, medians: Mapping[str, float], how: How) -> dict[str, Any]:
    """Return a measurement of these medians, with samples within one per cent."""
    shifts = [0.99 + 0.001 * number for number in range(21)]
    cases = [
        {
            "name": case,
            "calls": 6300,
            "first_calls": [1.5] * how.processes,
            "samples": [[float(f"{median * shift:.4g}") for shift in shifts]] * how.processes,
            "memory": how.memory,
        }
        for case, median in medians.items()
    ]
    data = {MIME: {"schema": 1, "name": name, "cases": cases}, "text/plain": name}
    return {"output_type": "execute_result", "metadata": {}, "data": data, "execution_count": None}


def seen(built: Built, page: str) -> str:
    """Return what a reader sees of a page, on one line."""
    article = built.page(page)
    for hidden in article.select(".number-origin"):
        hidden.decompose()
    return words(article)


def words(tag: Tag) -> str:
    """Return the text of a tag, with single ordinary spaces."""
    return " ".join(tag.get_text().split())


def complaints(built: Built, page: str) -> list[tuple[int, str]]:
    """Return what was said of each line of a page, message and hint on one line."""
    said = [(line, " ".join(text.split())) for line, text in built.complaints(page).items()]
    assert built.warnings.count("WARNING") == len(said)
    return sorted(said)


def found_before(site: NumbersSite, page: str) -> list[tuple[int, str]]:
    """Return what `check` says of each line of a page, spelled as `complaints` does."""
    settings = load_settings(site.root)
    findings = [*check_pages(settings), *check_cases(settings).findings]
    path = settings.docs / f"{page}.md"
    return sorted(
        (each.line or 0, each.message.replace("; ", " ")) for each in findings if each.file == path
    )


@dataclass(frozen=True)
class NumbersSite:
    """A copy of the site that a test may change."""

    root: Path

    @classmethod
    def copy(cls, to: Path) -> NumbersSite:
        """Copy the site; nothing is measured yet."""
        return cls(Path(shutil.copytree(_SITE, to / "site")))

    def record(
        self,
        framework: str,
        medians: Mapping[str, float],
        page: str = "speed",
        how: How = USUALLY,
        device: str = CPU,
    ) -> None:
        """Save the recording of a script as if it had just measured this."""
        settings = load_settings(self.root)
        made = job(settings, page, framework, device)
        [label] = [cell.label for cell in made.script.cells]
        found = recording(made, {label: [output(label, medians, how)]})
        found = replace(
            found, provenance=replace(found.provenance, hardware=how.hardware, machine=how.machine)
        )
        save_recording(settings.recordings, found)

    def forget(self, framework: str) -> None:
        """Remove a recording."""
        settings = load_settings(self.root)
        recording_path(settings.recordings, "speed", framework, "cpu").unlink()

    def write(self, name: str, text: str) -> None:
        """Write a file of the site."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def build(self, builder: str = "html", language: str = "en") -> Built:
        """Build the site with a real Sphinx."""
        translators.clear()  # Sphinx keeps those of the last language for the whole process
        return build(self.root, builder, language=language)
