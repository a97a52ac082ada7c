"""Plan a book of a thousand scripts, nothing stale: seconds, memory, and times per part.

Run it with `python bench/plan.py [scripts]`. It writes only to a temporary folder.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from polytab.model import Provenance, RecordedCell, Recording
from polytab.recordings.files import save_recording
from polytab.recordings.plan import plan
from polytab.scripts.keys import make_key
from polytab.scripts.load import load_scripts
from polytab.scripts.pins import read_environment
from polytab.settings import Settings, load_settings

SETTINGS = """
[tool.polytab]
title = "bench"
docs = "docs"
snippets = "snippets"
environments = "environments"
recordings = "recordings"
translations = "translations"
build = "_build"
[tool.polytab.frameworks]
python = { title = "Python" }
[tool.polytab.languages]
en = { name = "English", locale = "en", tag = "en" }
"""
CELL = """# %% cell-{number}
# What a cell of a page looks like: a comment, a function, and a call.
def step_{number}(values, factor=2):
    return [value * factor for value in values]  # one pass


print(step_{number}(range(10)))

"""


def write_book(root: Path, pages: int) -> Settings:
    """Write a handbook of so many pages with one script of 13 cells each, all recorded."""
    (root / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    (root / "environments").mkdir()
    (root / "environments" / "python.txt").write_text("# python: 3.11\nipykernel==7.4.0\n")
    for number in range(pages):
        first = 13 * number  # no script is like another
        text = "".join(CELL.format(number=cell) for cell in range(first, first + 13))
        folder = root / "snippets" / f"page{number}"
        folder.mkdir(parents=True)
        (folder / "python.py").write_text(text, encoding="utf-8")
    settings = load_settings(root)
    environment = read_environment(settings, "python")
    output = {"output_type": "stream", "name": "stdout", "text": "0 2 4 6 8\n" * 20}
    made = Provenance("3.11.7", "python", "3.11.7", "bench", 2, "Linux", "2026-01-01", 1.0)
    for script in load_scripts(settings):
        cells = tuple(RecordedCell(cell.label, cell.code, (output,)) for cell in script.cells)
        key = make_key(script, environment)
        recording = Recording(script.page, "python", "cpu", key, made, cells)
        save_recording(settings.recordings, recording)
    return settings


def main() -> None:
    """Write the book, plan it, and print what it took."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        settings = write_book(Path(folder), pages)
        before = time.perf_counter()
        scripts = load_scripts(settings)
        read = time.perf_counter() - before
        before = time.perf_counter()
        jobs = plan(settings)
        planned = time.perf_counter() - before
    stale = sum(job.reason is not None for job in jobs)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(scripts)} scripts read in {read:.2f} s")
    print(f"{len(jobs)} jobs planned in {planned:.2f} s, {stale} stale, peak {memory:.0f} MB")


if __name__ == "__main__":
    main()
