"""The tiny handbook of tests/sites/numbers, with the measurements a test wants, built for real."""

from __future__ import annotations

import io
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.deprecation import RemovedInSphinx11Warning
from sphinx.util.docutils import docutils_namespace, patch_docutils

from polytab.measurements import MIME
from polytab.recordings import recording_path, save_recording
from polytab.settings import load_settings
from tests.handbook import job, recording

if TYPE_CHECKING:
    from collections.abc import Mapping

_SITE = Path(__file__).parent.parent / "sites" / "numbers"

MICRO = 1e-6
EAGER_WINS = {"eager": 50 * MICRO, "compiled": 80 * MICRO}
COMPILED_WINS = {"eager": 146 * MICRO, "compiled": 100 * MICRO}
EVEN = {"eager": 100 * MICRO, "compiled": 100 * MICRO}


def output(name: str, medians: Mapping[str, float]) -> dict[str, Any]:
    """Return a measurement of these medians: three processes, samples within one per cent."""
    shifts = [0.99 + 0.001 * number for number in range(21)]
    cases = [
        {
            "name": case,
            "calls": 6300,
            "first_calls": [1.5, 1.25, 1.75],
            "samples": [[float(f"{median * shift:.4g}") for shift in shifts]] * 3,
            "memory": None,
        }
        for case, median in medians.items()
    ]
    data = {MIME: {"schema": 1, "name": name, "cases": cases}, "text/plain": name}
    return {"output_type": "execute_result", "metadata": {}, "data": data, "execution_count": None}


@dataclass(frozen=True)
class Built:
    """What Sphinx made of a site."""

    folder: Path
    warnings: tuple[str, ...]

    def page(self, name: str) -> BeautifulSoup:
        """Return a page as a browser would see it."""
        return BeautifulSoup((self.folder / f"{name}.html").read_text("utf-8"), "html.parser")

    def text(self, name: str, selector: str = "article") -> str:
        """Return what a reader sees of a page, on one line."""
        found = self.page(name).select_one(selector)
        assert found is not None
        for hidden in found.select(".number-origin"):
            hidden.decompose()
        return " ".join(found.get_text().split())


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
        hardware: str = "A Processor",
    ) -> None:
        """Save the recording of a script as if it had just measured this."""
        settings = load_settings(self.root)
        [label] = [cell.label for cell in job(settings, page, framework).script.cells]
        found = recording(job(settings, page, framework), {label: [output(label, medians)]})
        found = replace(found, provenance=replace(found.provenance, hardware=hardware))
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
        """Build the site with a real Sphinx; what it complains of is kept, not raised."""
        out = self.root / "_build" / builder / language
        warnings = io.StringIO()
        with docutils_namespace(), patch_docutils(str(self.root)), catch_warnings():
            # Pages reach the application by the environment, which Sphinx 9 only discourages.
            simplefilter("ignore", RemovedInSphinx11Warning)
            app = Sphinx(
                srcdir=self.root / "docs",
                confdir=self.root,
                outdir=out,
                doctreedir=self.root / "_build" / "doctrees" / builder / language,
                buildername=builder,
                confoverrides={"language": language},
                status=None,
                warning=warnings,
            )
            app.build()
        lines = [line for line in warnings.getvalue().splitlines() if line.strip()]
        return Built(out, tuple(lines))
