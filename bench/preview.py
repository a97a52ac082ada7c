"""How long a translator or an author waits: from a save to the page of the preview that shows it.

`polytab live` runs as they run it. A file is saved, and its page is asked for every 20 ms until the
words that were put in are there, or gone again. What the browser then needs is not counted.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.request import urlopen

from cost import Cost, summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

OFTEN = 0.02
LONG = 60
"""Seconds between two questions, and until nobody waits any longer."""


@dataclass(frozen=True)
class Preview:
    """A running preview, by its address."""

    address: str

    def wait(self, page: str, file: Path, texts: Sequence[str], words: str) -> Cost:
        """Save each of these texts, and wait until the page has more of the words, or fewer."""
        costs = []
        for text in texts:
            before, began = self._page(page).count(words), time.perf_counter()
            file.write_text(text, encoding="utf-8")
            while self._page(page).count(words) == before:
                if time.perf_counter() - began > LONG:
                    sys.exit(f"{file}: was saved, and {page} did not change within {LONG} s")
                time.sleep(OFTEN)
            costs.append(Cost(0, time.perf_counter() - began, 0))
        return summary(costs)

    def _page(self, page: str) -> str:
        address = f"{self.address}{page}.html"
        with urlopen(address, timeout=LONG) as answer:  # noqa: S310  # our own server
            return str(answer.read().decode())


@contextmanager
def preview(polytab: Path, root: Path, language: str) -> Iterator[Preview]:
    """Run a preview of one language until the block ends; begin when its first build is done."""
    words = [str(polytab), "live", language, "--no-record"]
    with subprocess.Popen(
        words, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            lines = process.stdout or ()
            address = next(
                (found[0] for line in lines if (found := re.search(r"http://[\d.:]+/", line))), None
            )
            if address is None:
                sys.exit(f"{' '.join(words)} ended before it served a page")
            yield Preview(address)
        finally:
            process.terminate()
