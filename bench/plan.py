"""Plan a book of a thousand scripts, nothing stale: seconds and memory.

Run it with `python bench/plan.py [pages]`. It writes only to a temporary folder.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from books import write_book
from polytab.recordings.plan import plan
from polytab.scripts.load import load_scripts

PAGES = 334
"""With three scripts each."""


def main() -> None:
    """Write the book, plan it, and print what it took."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
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
